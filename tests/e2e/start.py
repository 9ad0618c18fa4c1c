"""Measure what the integration adds to Home Assistant's start.

`.venv/bin/python -m tests.e2e.start [--rounds N]` starts a real Home Assistant again and again, each case once a round,
and leaves non-zero where a median is more than 1.1 times that of a start without the integration, or an issue is not
shown.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from demo.home_assistant import INTEGRATION, configure, home_assistant
from demo.onboarding import skip_online_step
from demo.process import free_port
from tests.core.tiny_gguf import build

MOST = 1.1
ENTRY_ID = "0123456789abcdef0123456789abcdef"
AGENT = {"data": {"max_history": 20}, "subentry_id": "a" * 26, "subentry_type": "conversation", "title": "BotPsy"}
WITHOUT = "without"

CLOCK = '''
"""Writes down when Home Assistant had started, and how it was a while later; then ends it."""

import asyncio
import json
import os
import time
from pathlib import Path

from homeassistant.const import EVENT_HOMEASSISTANT_STARTED
from homeassistant.helpers import issue_registry as ir


async def async_setup(hass, config):
    async def started(event):
        told = {"started": time.monotonic(), "cpu": time.process_time(), "ready": None, "issues": []}
        hass.async_create_background_task(watch(told), "start_clock")

    async def watch(told):
        wanted = config["start_clock"]["until"]
        while wanted and time.monotonic() - told["started"] < 90:
            await asyncio.sleep(0.05)
            told["issues"] = [i.translation_key for i in ir.async_get(hass).issues.values() if i.domain == "botpsy"]
            state = hass.states.get("conversation.botpsy")
            if wanted in told["issues"] or (wanted == "agent" and state and state.state != "unavailable"):
                told["ready"] = time.monotonic() - told["started"]
                break
        await hass.async_add_executor_job(Path(hass.config.path("telling.json")).write_text, json.dumps(told))
        await hass.async_add_executor_job(os.replace, hass.config.path("telling.json"), hass.config.path("told.json"))
        await hass.async_stop()

    hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STARTED, started)
    return True
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way in which a model can be."""

    data: Mapping[str, str] | None
    """Of the entry; None: the integration is not there."""
    issue: str = ""
    """The repair issue that must be shown."""

    @property
    def until(self) -> str:
        """Return what is waited for after the start: the issue, else the agent."""
        return "" if self.data is None else self.issue or "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How one start went."""

    seconds: float
    cpu_s: float
    ready_s: float | None
    """After the start, until the agent was there, or the issue that tells of the model; None: not within 90 s."""


def cases(folder: Path, slow_url: str) -> Mapping[str, Case]:
    """Return the ways, with their files made."""
    good = build(folder / "good.gguf", seed=1, layers=1, name="Tiny")
    garbage, hollow = folder / "garbage.gguf", folder / "hollow.gguf"
    garbage.write_bytes(b"<html>" * 1000)
    whole = good.read_bytes()
    hollow.write_bytes(whole.replace(b"token_embd.weight", b"token_gone.weight"))
    return {
        WITHOUT: Case(data=None),
        "good": Case(data={"source": "file", "path": str(good)}),
        "missing": Case(data={"source": "file", "path": str(folder / "nowhere.gguf")}, issue="model_invalid"),
        "broken, no GGUF": Case(data={"source": "file", "path": str(garbage)}, issue="model_invalid"),
        "broken, does not load": Case(data={"source": "file", "path": str(hollow)}, issue="engine_failed"),
        "slow, never answers": Case(data={"source": "server", "url": slow_url}),
    }


@asynccontextmanager
async def a_server_that_never_answers() -> AsyncIterator[str]:
    """Take connections and say nothing."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    port = free_port()
    server = await asyncio.start_server(hold, "127.0.0.1", port)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()


def furnish(folder: Path, case: Case) -> None:
    """Write a configuration folder as a home that was set up before has it."""
    configure(folder, port=free_port(), time_zone="Europe/Berlin", integration=INTEGRATION if case.data else None)
    skip_online_step(folder)
    # A package of its own: nothing of the checkout's folder of that name is mixed in.
    (folder / "custom_components" / "__init__.py").touch()
    clock = folder / "custom_components" / "start_clock"
    clock.mkdir()
    (clock / "__init__.py").write_text(CLOCK)
    manifest = {
        "domain": "start_clock",
        "name": "Clock",
        "version": "1.0.0",
        "codeowners": [],
        "documentation": "https://x",
    }
    (clock / "manifest.json").write_text(json.dumps(manifest))
    with (folder / "configuration.yaml").open("a") as file:
        file.write(f"\nstart_clock:\n  until: '{case.until}'\n")
    if case.data:
        store = {
            "version": 1,
            "minor_version": 5,
            "key": "core.config_entries",
            "data": {"entries": [_entry(case.data)]},
        }
        (folder / ".storage" / "core.config_entries").write_text(json.dumps(store))


def _entry(data: Mapping[str, str]) -> dict[str, object]:
    return {
        "created_at": "2026-01-01T00:00:00+00:00",
        "data": {**data, "digest": "d"},
        "disabled_by": None,
        "discovery_keys": {},
        "domain": "botpsy",
        "entry_id": ENTRY_ID,
        "minor_version": 1,
        "modified_at": "2026-01-01T00:00:00+00:00",
        "options": {},
        "pref_disable_new_entities": False,
        "pref_disable_polling": False,
        "source": "user",
        "subentries": [{**AGENT, "unique_id": None}],
        "title": "Tiny",
        "unique_id": "d",
        "version": 1,
    }


async def start(case: Case) -> Start:
    """Start Home Assistant once, and return how it went."""
    with tempfile.TemporaryDirectory(prefix="botpsy-start-", ignore_cleanup_errors=True) as made:
        folder = Path(made) / "config"
        furnish(folder, case)
        began = monotonic()
        async with home_assistant(folder) as hass:
            told = folder / "told.json"
            while not told.exists() and monotonic() - began < 300:
                hass.check()
                await asyncio.sleep(0.05)
            facts = json.loads(told.read_text())
    return Start(
        seconds=facts["started"] - began,
        cpu_s=facts["cpu"],
        ready_s=facts["ready"],
    )


async def measure(rounds: int) -> bool:
    """Print a table, and return whether it holds."""
    with tempfile.TemporaryDirectory(prefix="botpsy-models-") as folder:
        async with a_server_that_never_answers() as url:
            known = cases(Path(folder), url)
            starts: dict[str, list[Start]] = {name: [] for name in known}
            for number in range(rounds + 1):  # the first round fills the caches and does not count
                for name, case in known.items():
                    went = await start(case)
                    print(f"{name}: {went}", file=sys.stderr, flush=True)
                    if number:
                        starts[name].append(went)
    base = statistics.median(each.seconds for each in starts[WITHOUT])
    base_cpu = statistics.median(each.cpu_s for each in starts[WITHOUT])
    print("| model | start | over without | processor time over without | then |")
    print("|---|---|---|---|---|")
    holds = True
    for name, went in starts.items():
        seconds = statistics.median(each.seconds for each in went)
        cpu_s = statistics.median(each.cpu_s for each in went)
        until, ready = known[name].until, [each.ready_s for each in went if each.ready_s is not None]
        told = f"{until} after {statistics.median(ready):.1f} s" if ready else ""
        holds = holds and seconds <= MOST * base and (not until or len(ready) == len(went))
        print(f"| {name} | {seconds:.2f} s | {seconds / base:.2f} x | {cpu_s / base_cpu:.2f} x | {told} |")
    return holds


def main() -> int:
    """Return 0 where it holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.start")
    parser.add_argument("--rounds", type=int, default=7)
    return 0 if asyncio.run(measure(parser.parse_args().rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
