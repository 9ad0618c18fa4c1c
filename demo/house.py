"""The demo from its first program to its last line."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from demo.broker import broker
from demo.client import HassClient, Json
from demo.crash import kill_model_while
from demo.home_assistant import configure, home_assistant
from demo.onboarding import PASSWORD, USER, Settings, furnish, onboard, skip_online_step
from demo.process import Program, ProgramFailed, free_port, is_free
from demo.scenario import Line, holds, scenario
from demo.screen import Screen
from demo.talk import Talker, Turn
from demo.vehicle import write_profile
from demo.world import Facts, Listener, World, differences

SETTLES_S = 4.0
"""How long a change may take to show, after the answer."""
QUIET_S = 0.4
"""How long is watched for a change that must not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A running demo home."""

    url: str
    hass: Program
    client: HassClient
    talker: Talker
    world: World


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the caller asks for."""

    model: Path
    once: bool = False
    """True: leave after the scenario."""
    report: Path | None = None
    """Where to write what happened."""
    folder: Path | None = None
    """Where to live; it stays. None: in a folder of its own that goes at the end."""
    port: int | None = None
    """Of Home Assistant; None for a free one."""


async def live(wishes: Wishes) -> bool:
    """Start the home, run the scenario, stay unless told to leave; return True if every line held."""
    screen = Screen()
    with contextlib.ExitStack() as stack:
        folder = wishes.folder
        if folder is None:
            made = tempfile.TemporaryDirectory(prefix="botpsy-demo-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(made))
        async with house(folder, wishes, screen) as home:
            told = await play(home, screen)
            if wishes.report:
                write(told, wishes.report)
            screen.say()
            screen.say(f"{sum(each['ok'] for each in told)} of {len(told)} lines held")
            if not wishes.once:
                await stay(home, screen)
    return all(each["ok"] for each in told)


def write(told: list[Json], path: Path) -> None:
    """Write what happened, as JSON."""
    path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")


@contextlib.asynccontextmanager
async def house(folder: Path, wishes: Wishes, screen: Screen) -> AsyncIterator[House]:
    """Run broker, devices, car and Home Assistant; end all of them at the end."""
    zone = local_zone()
    mqtt_port, http_port = free_port(), wishes.port or free_port()
    if not is_free(http_port):
        raise ProgramFailed(f"port {http_port} is in use: end what listens there, or choose another with --port")
    url = f"http://127.0.0.1:{http_port}"
    config = folder / "config"
    configure(config, port=http_port, time_zone=zone.key)
    skip_online_step(config)
    write_profile(config)
    async with contextlib.AsyncExitStack() as stack:
        began = time.monotonic()
        mosquitto = await stack.enter_async_context(broker(folder, mqtt_port))
        await mosquitto.listening(mqtt_port)
        for name in ("household", "car", "wallbox"):
            command = [sys.executable, "-m", f"demo.{name}", "--broker", f"127.0.0.1:{mqtt_port}"]
            await stack.enter_async_context(Program(name, command, folder / f"{name}.log"))
        screen.step(f"broker, devices, car and wallbox on port {mqtt_port}", time.monotonic() - began)
        began = time.monotonic()
        hass = await stack.enter_async_context(home_assistant(config))
        await hass.listening(http_port, seconds=120)
        screen.step("Home Assistant", time.monotonic() - began)
        began = time.monotonic()
        client = await stack.enter_async_context(HassClient(url))
        await onboard(client)
        agent = await furnish(client, Settings(broker_port=mqtt_port, model=wishes.model))
        screen.step(f"onboarded, integrations added; the model is {wishes.model.stem}", time.monotonic() - began)
        listener = stack.enter_context(Listener(mqtt_port))
        talker = Talker(client, listener, agent)
        await talker.open()
        world = World(client, listener, zone)
        await world.open()
        yield House(url=url, hass=hass, client=client, talker=talker, world=world)


def local_zone() -> ZoneInfo:
    """Return this machine's time zone, or Berlin's where it has no name."""
    name = os.environ.get("TZ") or str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    return ZoneInfo(name) if "/" in name else ZoneInfo("Europe/Berlin")


async def play(home: House, screen: Screen) -> list[Json]:
    """Say every line, judge it by the world, and return what happened."""
    told: list[Json] = []
    turn: Turn | None = None
    screen.say()
    screen.say("  What is said, the calls, the verdict, the answer. ✓: the states are afterwards as they should be.")
    for line in scenario(home.world.zone):
        before = await home.world.facts()
        speaking = home.talker.say(line.text, line.way, turn)
        turn = await (kill_model_while(home.hass.pid, speaking) if line.kills else speaking)
        after = await settled(home.world, line, before)
        problem = wrong(line, turn, before, after)
        screen.turn(line, turn, ok=not problem, problem=problem)
        told.append(record(line, turn, ok=not problem))
    return told


async def settled(world: World, line: Line, before: Facts) -> Facts:
    """Return the facts once they hold, or when there was time enough; watch a moment for what must not come."""
    deadline = time.monotonic() + SETTLES_S
    await asyncio.sleep(QUIET_S)
    while True:
        after = await world.facts()
        if holds(line, before, after) or time.monotonic() > deadline:
            return after
        await asyncio.sleep(0.2)


def wrong(line: Line, turn: Turn, before: Facts, after: Facts) -> str:
    """Return what does not hold, or nothing."""
    if not holds(line, before, after):
        changed = "; ".join(f"{name}: {was} → {now}" for name, (was, now) in differences(before, after).items())
        return f"expected {line.expect}; changed: {changed or 'nothing'}"
    if turn.verdict != line.verdict:
        return f"expected {line.verdict}, the verdict was {turn.verdict}"
    if line.kills and turn.status != "failed":
        return f"the model's process was killed, and the turn ended as {turn.status or 'nothing'}"
    if line.names and not names(turn.reply, after.get(line.names)):
        return f"the reply does not name {line.names}, which is {after.get(line.names)!r}"
    if not turn.reply:
        return "no reply"
    return ""


def names(reply: str, value: Json) -> bool:
    """Return True if the reply has the value's words in it: all items of a list, the first part of a pair."""
    if isinstance(value, tuple | list):
        firsts = [each[0] if isinstance(each, tuple | list) else each.partition(" (")[0] for each in value]
        return bool(firsts) and all(each.lower() in reply.lower() for each in firsts)
    return str(value).lower() in reply.lower()


def record(line: Line, turn: Turn, *, ok: bool) -> Json:
    """Return one utterance as the report shows it."""
    return {
        "text": line.text,
        "expect": line.expect,
        "calls": [{"name": call["name"], "args": call["args"]} for call in turn.calls],
        "verdict": turn.verdict,
        "outcome": turn.outcome,
        "reply": turn.reply,
        "seconds": round(turn.seconds, 3),
        "prompt_tokens_evaluated": turn.prompt_tokens_evaluated,
        "ok": ok,
    }


async def stay(home: House, screen: Screen) -> None:
    """Say where the home is, and keep it up until Ctrl-C."""
    screen.say()
    screen.say(f"  Home Assistant  {home.url}")
    screen.say(f"  user name       {USER}")
    screen.say(f"  password        {PASSWORD}")
    screen.say()
    screen.say("  Ctrl-C ends it.")
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, ended.set)
    while not ended.is_set():
        home.hass.check()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), 1)
