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
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from demo.client import HassClient
from demo.home_assistant import configure, home_assistant
from demo.onboarding import onboard, skip_online_step, until_ready, until_there
from demo.process import free_port
from tests.core.tiny_gguf import build
from tests.e2e.browser import Page, browser

ENTRIES = 10_000
ROUNDS = 5
VIEWS = ("now", "waiting", "try", "home", "policy")
SAID = (
    "turn on the kitchen light",
    "is the bedroom light on?",
    "turn off the kitchen light",
    "turn off the bedroom light in two hours",
    "do not touch the kitchen light",
    "dim the kitchen light to 40 percent",
    "unlock the front door",
    "turn on the lights",
    "is the front door locked?",
)
HOME = """
frontend:
recorder:
logbook:
history:
input_boolean:
  kitchen:
  bedroom:
  heater:
  door:
    initial: true
input_number:
  kitchen: {min: 0, max: 255, initial: 120}
template:
  - light:
      - name: Kitchen light
        unique_id: kitchen_light
        state: "{{ is_state('input_boolean.kitchen', 'on') }}"
        level: "{{ states('input_number.kitchen') | int }}"
        turn_on: {action: input_boolean.turn_on, target: {entity_id: input_boolean.kitchen}}
        turn_off: {action: input_boolean.turn_off, target: {entity_id: input_boolean.kitchen}}
        set_level:
          action: input_number.set_value
          target: {entity_id: input_number.kitchen}
          data: {value: "{{ brightness }}"}
      - name: Bedroom light
        unique_id: bedroom_light
        state: "{{ is_state('input_boolean.bedroom', 'on') }}"
        turn_on: {action: input_boolean.turn_on, target: {entity_id: input_boolean.bedroom}}
        turn_off: {action: input_boolean.turn_off, target: {entity_id: input_boolean.bedroom}}
    lock:
      - name: Front door
        unique_id: front_door
        state: "{{ is_state('input_boolean.door', 'on') }}"
        lock: {action: input_boolean.turn_on, target: {entity_id: input_boolean.door}}
        unlock: {action: input_boolean.turn_off, target: {entity_id: input_boolean.door}}
    switch:
      - name: Bath heater
        unique_id: bath_heater
        state: "{{ is_state('input_boolean.heater', 'on') }}"
        turn_on: {action: input_boolean.turn_on, target: {entity_id: input_boolean.heater}}
        turn_off: {action: input_boolean.turn_off, target: {entity_id: input_boolean.heater}}
logger:
  default: warning
"""
THINGS = ("light.kitchen_light", "light.bedroom_light", "lock.front_door", "switch.bath_heater")

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

VIEW = """
  const deep = (root, ...path) => path.reduce((at, step) => (at?.shadowRoot ?? at)?.querySelector(step), root);
  const panel = ['home-assistant', 'home-assistant-main', 'partial-panel-resolver', 'ha-panel-custom > botpsy-panel'];
  const inside = (view, what) => deep(document, ...panel, `botpsy-${view}`, what);
"""

SHOWN = (
    "async (view) => {"
    + VIEW
    + """
  const first = {now: 'li', waiting: 'section', try: 'input', home: 'table', policy: '.thing'}[view];
  for (let n = 0; n < 400 && !inside(view, first); n++) await new Promise((done) => setTimeout(done, 50));
  if (!inside(view, first)) throw new Error(`${view} did not come`);
}
"""
)
"""Waits until a view shows what it is for."""

DO = {
    "now": "async () => {" + VIEW + " inside('now', 'li > button').click(); }",
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

FOCUS = """
() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return {tag: at?.tagName, expanded: at?.getAttribute('aria-expanded') ?? null, id: at?.id,
          at: at?.closest('li')?.getAttribute('aria-posinset') ?? null};
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A Home Assistant with the panel, and one page in a browser that is logged in."""

    url: str
    config: Path
    client: HassClient
    page: Page
    entry_id: str


@asynccontextmanager
async def place(folder: Path) -> AsyncIterator[Place]:
    """Start everything, and say what is to be seen."""
    config, port = folder / "config", free_port()
    url = f"http://127.0.0.1:{port}"
    configure(config, port=port, time_zone="Europe/Berlin")
    skip_online_step(config)
    settings = config / "configuration.yaml"
    settings.write_text(settings.read_text().partition("input_boolean:")[0] + HOME)
    model = build(folder / "tiny.gguf", seed=1, layers=1, name="Tiny")
    async with home_assistant(config) as hass:
        await hass.listening(port, seconds=300)
        async with HassClient(url) as client:
            await onboard(client)
            await until_there(client, list(THINGS))
            await client.call(
                "homeassistant/expose_entity", assistants=["conversation"], entity_ids=list(THINGS), should_expose=True
            )
            entry = (await client.flow("botpsy", {"next_step_id": "file"}, {"path": str(model)}))["entry_id"]
            await until_ready(client)
            await client.options(entry, {"pin": "2468"})
            await until_ready(client)
            async with browser(folder) as page:
                await log_in(page, url, client.token)
                yield Place(url=url, config=config, client=client, page=page, entry_id=entry)


async def log_in(page: Page, url: str, token: str) -> None:
    """Give the page a token as the frontend keeps one."""
    await page.go(f"{url}/manifest.json")
    await asyncio.sleep(1)
    kept = {
        "hassUrl": url,
        "clientId": f"{url}/",
        "access_token": token,
        "refresh_token": "",
        "token_type": "Bearer",
        "expires_in": 86400,
        "expires": 4102444800000,
    }
    await page.ask("(kept) => localStorage.setItem('hassTokens', JSON.stringify(kept))", kept)


async def talk(there: Place) -> None:
    """Say some things, so that there is something to show."""
    for text in SAID:
        await there.client.action("botpsy.run", {"text": text}, response=True)


def fill(there: Place) -> int:
    """Put real entries before themselves until there are enough, as if said over some days; return how many."""
    file = there.config / ".storage" / f"botpsy.journal.{there.entry_id}.jsonl"
    real = [json.loads(line) for line in file.read_text().splitlines()]
    now = datetime.fromisoformat(real[-1]["at"])
    made = []
    for n in range(ENTRIES - len(real), 0, -1):
        entry = dict(real[n % len(real)])
        entry["at"] = (now - timedelta(minutes=3 * n)).isoformat()
        made.append(json.dumps(entry, ensure_ascii=False))
    newest = file.read_text()
    file.write_text("\n".join(made) + "\n" + newest)
    return len(made) + len(real)


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


async def screen(page: Page, *, width: int, height: int, dark: bool) -> None:
    """Make the page as wide as a phone or a tablet, light or dark."""
    await page.tell(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
    )
    await page.tell(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    )


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


async def by_keyboard(there: Place) -> bool:
    """Go through the panel with keys alone, and return whether every step did what it should."""
    page = there.page
    await page.go(f"{there.url}/botpsy/now")
    await page.ask(SHOWN, "now")
    steps = {
        "tab reaches the list": ("Tab", lambda at: at["tag"] == "BUTTON" and at["expanded"] == "false"),
        "enter opens a line": ("Enter", lambda at: at["expanded"] == "true"),
        "down goes to the next": ("ArrowDown", lambda at: at["at"] == "2"),
        "end goes to the last": ("End", lambda at: int(at["at"]) > 2),
        "home goes to the first": ("Home", lambda at: at["at"] == "1"),
        "escape closes it": ("Escape", lambda at: at["expanded"] == "false"),
    }
    holds = True
    for what, (key, wanted) in steps.items():
        for _ in range(40 if key == "Tab" else 1):
            await tap(page, key)
            await asyncio.sleep(0.15 if key == "Tab" else 0.6)
            at = await page.ask(FOCUS)
            if wanted(at):
                break
        else:
            holds = False
        print(f"keyboard: {what}: {'yes' if wanted(at) else f'no, {at}'}")
    return holds


async def tap(page: Page, key: str) -> None:
    """Press and release a key that writes nothing, or Enter."""
    codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowDown": 40}
    held = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key], **({"text": "\r"} if key == "Enter" else {})}
    await page.tell("Input.dispatchKeyEvent", type="keyDown" if key == "Enter" else "rawKeyDown", **held)
    await page.tell("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=codes[key])


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
            holds = await by_keyboard(there) and holds
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
