"""The panel with keys alone: every view does what it is for, and where the keyboard is can always be seen."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.browser import Page
from tests.e2e.panel_place import SHOWN, VIEW, VIEWS, Place

TABS_AT_MOST = 60
"""From the address bar through Home Assistant's own sidebar to the last thing of a view."""
SETTLES_S = 60.0
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40, " ": 32}
WRITES = {"Enter": "\r", " ": " "}

FOCUS = (
    "(view) => {"
    + VIEW
    + """
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const frame = deep(document, ...panel)?.shadowRoot;
  const root = at?.getRootNode();
  const held = frame && (root === frame || root.host?.getRootNode() === frame);
  const style = at ? getComputedStyle(at) : {};
  const box = at?.getBoundingClientRect() ?? {};
  return {
    tag: at?.tagName, type: at?.type, words: (at?.innerText ?? '').trim(), value: at?.value ?? null, role: at?.role,
    expanded: at?.getAttribute('aria-expanded') ?? null, row: at?.closest('li')?.getAttribute('aria-posinset') ?? null,
    thing: at?.dataset?.thing ?? null, test: at?.dataset?.test ?? null, current: at?.getAttribute('aria-current'),
    ours: Boolean(held), ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0,
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    text: deep(document, ...panel, `botpsy-${view}`)?.shadowRoot?.textContent ?? '', path: location.pathname,
  };
}
"""
)
"""What has the focus, and whether a person can see it."""

type Focus = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Walker:
    """Presses keys in one view and notes what does not hold."""

    page: Page
    view: str = "now"
    problems: list[str] = field(default_factory=list)

    async def at(self) -> Focus:
        """Return what has the focus."""
        found: Focus = await self.page.ask(FOCUS, self.view)
        return found

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await tap(self.page, key)
            await asyncio.sleep(0.1)

    async def tab_to(self, what: str, wanted: Callable[[Focus], bool]) -> None:
        """Go on with Tab until something has the focus; note a stop of the panel's that shows none."""
        for _ in range(TABS_AT_MOST):
            await self.press("Tab")
            at = await self.at()
            if at["ours"] and not (at["ring"] and at["seen"]):
                name = at["words"] or at["type"] or at["tag"]
                self.problems.append(f"{self.view}: the focus on {name!r}: ring {at['ring']}, on screen {at['seen']}")
            if at["ours"] and wanted(at):
                return
        self.problems.append(f"{self.view}: Tab does not reach {what}")

    async def holds(self, what: str, wanted: Callable[[Focus], bool]) -> None:
        """Wait until something is so; note it where it does not come."""
        at = await self.at()
        try:
            async with asyncio.timeout(SETTLES_S):
                while not wanted(at):
                    await asyncio.sleep(0.2)
                    at = await self.at()
        except TimeoutError:
            told = {name: value for name, value in at.items() if name != "text"}
            self.problems.append(f"{self.view}: {what} does not hold: {told}")


async def by_keyboard(there: Place) -> list[str]:
    """Go through all views with keys alone; return what does not hold."""
    walker = Walker(page=there.page)
    async for view in opened(there, walker):
        await WALKS[view](walker, there)
    return walker.problems


async def opened(there: Place, walker: Walker) -> AsyncIterator[str]:
    """Open one view after the other, each by its tab, with Enter."""
    await there.client.action("botpsy.run", {"text": "turn off the bedroom light in three hours"}, response=True)
    await there.client.action("botpsy.run", {"text": "unlock the front door"}, response=True)
    await there.client.action("botpsy.run", {"text": "order a pizza"}, response=True)
    await there.page.go(f"{there.url}/botpsy")
    for view in VIEWS:
        await walker.tab_to(f"the tab of {view}", lambda at, view=view: at["tag"] == "A" and ending(at) == view)
        await walker.press("Enter")
        walker.view = view
        await there.page.ask(SHOWN, view)
        await walker.holds("its tab is the current one", lambda at: at["current"] == "page")
        yield view


def ending(at: Focus) -> str:
    """Return the view that a tab leads to, by its words."""
    words = {"Now and before": "now", "What would you do?": "try", "My home": "home"}
    return words.get(at["words"], at["words"].lower())


async def through_now(walker: Walker, _: Place) -> None:
    """Read the newest refusal, which is open, close it, and walk through the list."""
    await walker.tab_to("the list", lambda at: at["row"] == "1")
    await walker.holds("the newest refusal is open", lambda at: at["expanded"] == "true")
    await walker.holds("it says why", lambda at: "Why was nothing done?" in at["text"])
    for key, what, wanted in (
        ("Escape", "Escape closes it", lambda at: at["expanded"] == "false" and at["row"] == "1"),
        ("ArrowDown", "down goes to the next", lambda at: at["row"] == "2"),
        ("Enter", "Enter opens it", lambda at: at["expanded"] == "true" and at["row"] == "2"),
        ("End", "End goes to the last", lambda at: int(at["row"] or 0) > 5),
        ("ArrowUp", "up goes back", lambda at: int(at["row"] or 0) > 4),
        ("Home", "Home goes to the first", lambda at: at["row"] == "1"),
    ):
        await walker.press(key)
        await walker.holds(what, wanted)


async def through_waiting(walker: Walker, there: Place) -> None:
    """Answer a question with the PIN, and forget what is planned."""
    await walker.tab_to("the PIN's field", lambda at: at["type"] == "password")
    await there.page.type("2468")
    await walker.press("Enter")
    await walker.holds("the answer is told and has the focus", lambda at: at["role"] == "status" and bool(at["words"]))
    locked = {each["entity_id"]: each["state"] for each in await there.client.get("/api/states")}["lock.front_door"]
    if locked != "unlocked":
        walker.problems.append(f"waiting: the door is {locked} after its PIN")
    await walker.tab_to("a planned act", lambda at: at["words"] == "Forget it")
    await walker.press("Enter")
    await walker.holds("what was planned is told to be forgotten", lambda at: at["role"] == "status")


async def through_try(walker: Walker, there: Place) -> None:
    """Ask what would come of a request."""
    await walker.tab_to("the field", lambda at: at["tag"] == "INPUT")
    await there.page.type("turn on the kitchen light")
    await walker.press("Enter")
    await walker.holds("what would be said is told", lambda at: "Nothing was done" in at["text"])


async def through_home(walker: Walker, there: Place) -> None:
    """Start the self-test and stop it, and search a thing."""
    await walker.tab_to("the self-test", lambda at: at["test"] == "start")
    await walker.press("Enter")
    await walker.holds("the focus stays where the test can be stopped", lambda at: at["test"] == "stop")
    await walker.press("Enter")
    await walker.holds("and where it can be started again", lambda at: at["test"] == "start")
    await walker.tab_to("the search", lambda at: at["type"] == "search")
    await there.page.type("kitchen")
    await walker.holds("only what fits is shown", lambda at: "Kitchen" in at["text"] and "Front door" not in at["text"])


async def through_policy(walker: Walker, _: Place) -> None:
    """Open a thing's rule, change it, leave it, and keep another."""
    await walker.tab_to("a thing", lambda at: at["thing"] is not None)
    thing = (await walker.at())["thing"]
    await walker.press("Enter")
    await walker.holds("Enter opens its rule", lambda at: at["expanded"] == "true")
    await walker.press("Escape")
    await walker.holds("Escape closes it", lambda at: at["expanded"] == "false" and at["thing"] == thing)
    await walker.press("Enter")
    await walker.tab_to("the first choice", lambda at: at["tag"] == "SELECT")
    await walker.press("End")
    await walker.holds("an arrow chooses", lambda at: at["value"] == "false")
    await walker.tab_to("what it would have meant", lambda at: at["words"] == "What would it have meant?")
    await walker.press(" ")
    await walker.holds("the preview is told", lambda at: "in the last seven days" in at["text"])
    await walker.tab_to("keeping it", lambda at: at["words"] == "Keep this")
    await walker.press("Enter")
    await walker.holds("the focus is back on the thing", lambda at: at["thing"] == thing and at["expanded"] == "false")
    await walker.holds("it is told", lambda at: "The rule is in force." in at["text"])


WALKS = {
    "now": through_now,
    "waiting": through_waiting,
    "try": through_try,
    "home": through_home,
    "policy": through_policy,
}


async def tap(page: Page, key: str) -> None:
    """Press and release a key that is no letter."""
    held = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": CODES[key]}
    text = {"text": WRITES[key]} if key in WRITES else {}
    await page.tell("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **held, **text)
    await page.tell("Input.dispatchKeyEvent", type="keyUp", **held)
