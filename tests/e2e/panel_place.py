"""A real Home Assistant with the panel, something to see in it, and a browser that is logged in."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from demo.client import HassClient
from demo.home_assistant import configure, home_assistant
from demo.onboarding import onboard, skip_online_step, until_ready, until_there
from demo.process import free_port
from tests.core.tiny_gguf import build
from tests.e2e.browser import Page, browser

ENTRIES = 10_000
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


async def screen(page: Page, *, width: int, height: int, dark: bool) -> None:
    """Make the page as wide as a phone or a tablet, light or dark."""
    await page.tell(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
    )
    await page.tell(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    )
