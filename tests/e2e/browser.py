"""A headless Chromium, driven as a person does it: by what is to be read on the screen, with mouse and keyboard."""

import asyncio
import base64
import itertools
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from demo.process import Program, free_port

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 300.0
"""How long a page may take to show what it should, on a machine that is busy with everything else."""
MOVED_ON = ("navigated", "context", "target closed")
"""Words of the browser's errors that say that the page asked is no longer there."""

FIND = """
(words, kinds) => {
  const deep = function* (node) {
    yield node;
    if (node.shadowRoot) yield* deep(node.shadowRoot);
    for (const child of node.children || []) yield* deep(child);
  };
  const text = (e) => [e.innerText, e.label, e.heading, e.placeholder, e.getAttribute && e.getAttribute('aria-label'),
                       e.title, e.name].filter((t) => typeof t === 'string').map((t) => t.trim());
  let best = null;
  for (const e of deep(document)) {
    if (!(e instanceof Element) || (kinds && !e.matches(kinds))) continue;
    if (words && !text(e).some((t) => t === words || t.split('\\n')[0].trim() === words)) continue;
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height || e.disabled) continue;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) { e.scrollIntoView({block: 'center'}); }
    const area = box.width * box.height;
    if (best === null || area <= best.area) best = {e, area};
  }
  if (best === null) return null;
  const box = best.e.getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
}
"""
"""The smallest thing on the screen that says some words, shadow roots included; its middle."""

LOADED = "() => document.readyState === 'complete'"

READ = """
() => {
  const deep = (node) => {
    let text = '';
    const inside = node.tagName === 'SLOT' ? node.assignedNodes({flatten: true}) : (node.shadowRoot || node).childNodes;
    for (const child of inside) {
      if (child.nodeType === Node.TEXT_NODE) text += child.textContent + ' ';
      else if (child.nodeType !== Node.ELEMENT_NODE || ['STYLE', 'SCRIPT'].includes(child.tagName)) continue;
      else text += deep(child);
    }
    return text;
  };
  return document.body === null ? '' : deep(document.body).replace(/\\s+/g, ' ');
}
"""


class MovedOn(Exception):
    """The page has gone to another address while it was asked."""


class Page:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, pictures: Path) -> None:
        """Speak over a socket of the browser's; pictures go into a folder."""
        self._socket = socket
        self._pictures = pictures
        self._ids = itertools.count(1)

    async def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        number = next(self._ids)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async for message in self._socket:
            told = json.loads(message.data)
            if told.get("id") == number:
                if any(words in told.get("error", {}).get("message", "").lower() for words in MOVED_ON):
                    raise MovedOn(told["error"]["message"])
                assert "error" not in told, told["error"]
                result: dict[str, Any] = told["result"]
                return result
        raise AssertionError("the browser has ended")

    async def ask(self, function: str, *arguments: Any) -> Any:
        """Return what a function of the page's own language returns."""
        expression = f"({function})({', '.join(json.dumps(each) for each in arguments)})"
        told = await self.tell("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def seen(self, function: str, *arguments: Any) -> Any:
        """Return what a function returns, or None while the page is on its way to another address."""
        try:
            return await self.ask(function, *arguments)
        except MovedOn:
            return None

    async def go(self, url: str) -> None:
        """Open an address, and wait until what it names has come."""
        told = await self.tell("Page.navigate", url=url)
        assert "errorText" not in told, f"{url}: {told['errorText']}"
        async with asyncio.timeout(PATIENCE_S):
            while not await self.seen(LOADED):  # noqa: ASYNC110 - the browser tells it to who asks
                await asyncio.sleep(0.1)

    async def until(self, holds: Callable[[str], bool], what: str, seconds: float = PATIENCE_S) -> str:
        """Wait until the words on the screen are as wanted, and return them."""
        words = ""
        try:
            async with asyncio.timeout(seconds):
                while not holds(words):
                    await asyncio.sleep(0.3)
                    words = await self.seen(READ) or ""
        except TimeoutError:
            await self.picture("lost")
            raise AssertionError(f"{what} did not come; the screen says: {words[-1500:]}") from None
        return words

    async def reads(self, words: str, seconds: float = PATIENCE_S) -> None:
        """Wait until some words are on the screen."""
        await self.until(lambda text: words.lower() in text.lower(), f"{words!r}", seconds)

    async def find(self, words: str, kinds: str = "", seconds: float = PATIENCE_S) -> tuple[float, float]:
        """Return where something is, once it is there and rests."""
        last = None
        try:
            async with asyncio.timeout(seconds):
                while True:
                    there = await self.seen(FIND, words, kinds)
                    if there is not None and there == last:
                        return there["x"], there["y"]
                    last = there
                    await asyncio.sleep(0.3)
        except TimeoutError:
            await self.picture("lost")
            raise AssertionError(
                f"{words or kinds!r} is not on the screen: {(await self.seen(READ) or '')[-1500:]}"
            ) from None

    async def click(self, words: str, kinds: str = "") -> None:
        """Click what says these words, or is of these kinds."""
        x, y = await self.find(words, kinds)
        for kind in ("mousePressed", "mouseReleased"):
            await self.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        await asyncio.sleep(0.3)

    async def type(self, text: str) -> None:
        """Type into what has the focus."""
        await self.tell("Input.insertText", text=text)

    async def press(self, key: str) -> None:
        """Press and release one key."""
        text = "\r" if key == "Enter" else key
        code = "Enter" if key == "Enter" else f"Key{key.upper()}"
        held = {"key": key, "code": code, "windowsVirtualKeyCode": ord(text.upper())}
        await self.tell("Input.dispatchKeyEvent", type="keyDown", text=text, **held)
        await self.tell("Input.dispatchKeyEvent", type="keyUp", **held)

    async def select_all(self) -> None:
        """Mark all that stands in the field with the focus, so that typing takes its place."""
        held = {"key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": 2}
        await self.tell("Input.dispatchKeyEvent", type="keyDown", commands=["selectAll"], **held)
        await self.tell("Input.dispatchKeyEvent", type="keyUp", **held)

    async def picture(self, name: str) -> None:
        """Keep what is on the screen."""
        shot = await self.tell("Page.captureScreenshot", format="png")
        await asyncio.to_thread((self._pictures / f"{name}.png").write_bytes, base64.b64decode(shot["data"]))


@asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[Page]:
    """Run a browser with one page; it and its profile live in a folder."""
    program = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    assert program, f"none of {', '.join(CHROMIUM)} is installed"
    port = free_port()
    command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en"]
    command += [f"--remote-debugging-port={port}", f"--user-data-dir={folder / 'profile'}", "--window-size=1280,900"]
    async with Program("Chromium", [*command, "about:blank"], folder / "chromium.log") as running:
        await running.listening(port, seconds=60)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                tabs = await answer.json(content_type=None)
            url = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            async with session.ws_connect(url, max_msg_size=0) as socket:
                page = Page(socket, folder)
                await page.tell("Page.enable")
                yield page
