"""The panel in a real Chromium on a real Home Assistant: `python -m tests.e2e.panel [--axe FILE] [--pictures FOLDER]`.

Fills the journal with 10,000 entries made of real ones, and measures what docs/user/panel.md and docs/performance.md
tell: first paint over Home Assistant's own logbook page, frames while scrolling, axe on every view, keyboard alone.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.browser import Page
from tests.e2e.panel_keys import by_keyboard
from tests.e2e.panel_place import ENTRIES, SHOWN, VIEW, VIEWS, Place, fill, place, screen, talk

ROUNDS = 5
WATCH = """
(() => {
  const into = (root, path) => path.reduce((at, step) => (at?.shadowRoot ?? at)?.querySelector(step), root);
  const main = ['home-assistant', 'home-assistant-main', 'partial-panel-resolver'];
  const ours = [...main, 'ha-panel-custom > botpsy-panel', 'botpsy-now', 'li'];
  const theirs = [...main, 'ha-panel-logbook', 'ha-logbook', 'ha-logbook-renderer', '.entry-container'];
  const look = () => {
    const path = location.pathname.startsWith('/botpsy') ? ours : theirs;
    if (!window.firstLine && into(document, path)) {
      requestAnimationFrame(() => setTimeout(() => { window.firstLine = performance.now(); }));
    } else if (window.firstLine) return;
    requestAnimationFrame(look);
  };
  look();
})();
"""
"""When the first line of a page is painted; runs before anything of the page does."""

PAINTED = """
async () => {
  while (!window.firstLine) await new Promise((done) => setTimeout(done, 50));
  return window.firstLine;
}
"""

FRAMES = """
async (path, whole) => {
  const list = path.reduce((at, step) => (at?.shadowRoot ?? at)?.querySelector(step), document);
  const frame = () => new Promise(requestAnimationFrame);
  if (whole) {  // everything is loaded by going to the end, however often the end moves
    for (let still = 0, height = 0; still < 120; height = list.scrollHeight) {
      list.scrollTop += 2000;
      await frame();
      const end = list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
      still = end && list.scrollHeight === height ? still + 1 : 0;
    }
    var lines = Math.max(...[...list.querySelectorAll('li')].map((row) => Number(row.getAttribute('aria-posinset'))));
    list.scrollTop = list.scrollHeight / 2;
  } else list.scrollTop = 0;
  for (let n = 0; n < 30; n++) await frame();
  const times = [];
  for (let n = 0, last = await frame(); n < 250; n++) {
    list.scrollTop += 120;
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return {times, lines: lines ?? 0, rows: list.querySelectorAll('li').length};
}
"""
"""Scrolls at 7,200 pixels a second of a screen with 60 frames, as a strong flick does."""

AXE = """
async (options) => {
  const found = await axe.run(document, options);
  return found.violations.map((each) => ({
    id: each.id, impact: each.impact, help: each.help,
    nodes: each.nodes.map((node) => ({target: node.target, html: node.html.slice(0, 200), why: node.failureSummary})),
  }));
}
"""


EVENTS = 700
"""Changes of a state, so that the logbook has as much to scroll as is measured."""

MAIN = ("home-assistant", "home-assistant-main", "partial-panel-resolver")
OUR_LIST = [*MAIN, "ha-panel-custom > botpsy-panel", "botpsy-now", ".scroller"]
THEIR_LIST = [*MAIN, "ha-panel-logbook", "ha-logbook", "ha-logbook-renderer", "lit-virtualizer"]

SIZES = (("wide", 1280, 800, False), ("dark", 1280, 800, True), ("phone", 360, 740, False))

DO = {
    "try": "async () => {"
    + VIEW
    + """
  inside('try', 'input').value = 'turn on the kitchen light';
  inside('try', 'button').click();
}
""",
    "policy": "async () => {"
    + VIEW
    + """
  inside('policy', '.thing > button').click();
  await new Promise((done) => setTimeout(done, 300));
  const choice = inside('policy', 'fieldset select');
  choice.value = 'false';
  choice.dispatchEvent(new Event('change'));
  await new Promise((done) => setTimeout(done, 300));
  inside('policy', 'fieldset button').click();
}
""",
}
"""What is done in a view before its picture is taken."""


async def first_paint(page: Page, url: str) -> float:
    """Return the milliseconds from opening an address to its first line."""
    await page.go("about:blank")
    await asyncio.sleep(0.5)
    await page.go(url)
    async with asyncio.timeout(90):
        return float(await page.ask(PAINTED))


async def paints(there: Place, rounds: int) -> bool:
    """Print both first paints, and return whether ours is no later."""
    await there.page.tell("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    ours, theirs = [], []
    for number in range(rounds + 1):  # the first round fills the caches and does not count
        mine = await first_paint(there.page, f"{there.url}/botpsy")
        other = await first_paint(there.page, f"{there.url}/logbook")
        if number:
            ours.append(mine)
            theirs.append(other)
    share = statistics.median(ours) / statistics.median(theirs)
    told = ", ".join(f"{each:.0f}" for each in (*ours, *theirs))
    mine, other = statistics.median(ours), statistics.median(theirs)
    print(f"first paint: panel {mine:.0f} ms, logbook {other:.0f} ms, {share:.2f} x ({told})")
    return share <= 1.0


async def frames(there: Place) -> bool:
    """Print how long frames take while panel and logbook are scrolled, and return whether ours are no longer."""
    for _ in range(EVENTS):
        target = {"entity_id": "input_boolean.heater"}
        await there.client.call("call_service", domain="input_boolean", service="toggle", target=target)
    await asyncio.sleep(5)
    await there.page.go(f"{there.url}/botpsy/now")
    await there.page.ask(SHOWN, "now")
    mine = await there.page.ask(FRAMES, OUR_LIST, True)  # noqa: FBT003 - an argument of the page's own language
    await there.page.go(f"{there.url}/logbook")
    await asyncio.sleep(10)
    other = await there.page.ask(FRAMES, THEIR_LIST, False)  # noqa: FBT003 - the same
    print(f"scrolling: {mine['lines']} lines, {mine['rows']} of them in the page")
    shares = [smooth(name, told["times"]) for name, told in (("panel", mine), ("logbook", other))]
    return mine["lines"] >= ENTRIES and shares[0] <= max(shares[1], 0.01)


def smooth(name: str, times: list[float]) -> float:
    """Print how long frames took, and return the share of those that everybody sees."""
    late = sum(each > 50 for each in times) / len(times)
    end = sorted(times)[int(0.95 * len(times))]
    print(f"scrolling {name}: median {statistics.median(times):.1f} ms, 95 % under {end:.1f} ms, {late:.1%} over 50 ms")
    return late


async def axe(there: Place, program: str) -> list[dict[str, Any]]:
    """Return what an accessibility checker finds in the panel's part of the page."""
    await there.page.ask(f"() => {{ {program}; }}")
    found = await there.page.ask(AXE, {"resultTypes": ["violations"]})
    return [each for each in found if any("botpsy-panel" in json.dumps(node["target"]) for node in each["nodes"])]


async def look(there: Place, pictures: Path, program: str) -> bool:
    """Take pictures of every view in every size, check each, and return whether nothing was found."""
    clean = True
    await there.client.call("botpsy/self_test/start")
    await asyncio.sleep(10)
    for name, width, height, dark in SIZES:
        await screen(there.page, width=width, height=height, dark=dark)
        for view in VIEWS:
            if view == "waiting":
                await there.client.action("botpsy.run", {"text": "unlock the front door"}, response=True)
            if view == "now":
                await there.client.action("botpsy.run", {"text": "order a pizza"}, response=True)
            await there.page.go(f"{there.url}/botpsy/{view}")
            await there.page.ask(SHOWN, view)
            await there.page.ask(DO[view]) if view in DO else None
            await asyncio.sleep(1.5)
            await there.page.picture(f"{view}-{name}")
            if program:
                for each in await axe(there, program):
                    clean = False
                    print(f"axe {view} {name}: {each['id']} ({each['impact']}) {json.dumps(each['nodes'][:3])}")
    print(
        f"pictures in {pictures}; axe {'found nothing' if clean and program else 'did not run' if not program else ''}"
    )
    return clean


async def measure(what: list[str], folder: Path, program: str, rounds: int) -> bool:
    """Do what is asked for, and return whether all of it holds."""
    async with place(folder) as there:
        await talk(there)
        holds = True
        if "look" in what:
            holds = await look(there, folder, program) and holds
        fill(there)
        await screen(there.page, width=1280, height=800, dark=False)
        if "keys" in what:
            problems = await by_keyboard(there)
            print("keyboard:", "; ".join(problems) or "all five views, every stop with its focus to be seen")
            holds = not problems and holds
        if "paint" in what:
            holds = await paints(there, rounds) and holds
        if "scroll" in what:
            holds = await frames(there) and holds
        return holds


def main() -> int:
    """Return 0 where it holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.panel")
    parser.add_argument("what", nargs="*", default=["paint", "scroll", "look", "keys"])
    parser.add_argument("--axe", help="axe.min.js of the npm package axe-core")
    parser.add_argument("--folder", help="where pictures and logs stay")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    program = Path(options.axe).read_text() if options.axe else ""
    with tempfile.TemporaryDirectory(prefix="botpsy-panel-") as name:
        folder = Path(options.folder or name)
        folder.mkdir(parents=True, exist_ok=True)
        return 0 if asyncio.run(measure(options.what, folder, program, options.rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
