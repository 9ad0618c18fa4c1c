"""`botpsy bridge --config FILE`: MQTT devices and requests without Home Assistant, until told to end."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from botpsy_core.agent import Agent
from botpsy_core.bridge.clock import SystemClock
from botpsy_core.bridge.service import running_bridge
from botpsy_core.bridge.settings_file import BridgeSettings, read_settings
from botpsy_core.errors import BotPsyError
from botpsy_core.ports import Engine

_LOGGER = logging.getLogger(__name__)

type Builder = Callable[[BridgeSettings], tuple[Agent, Engine | None]]
"""Makes an agent for the settings, and names its engine so that it can be closed; may raise ConfigurationInvalid."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--config", type=Path, required=True, help="the settings file; see docs/user/mqtt.md")
    parser.add_argument("--check", action="store_true", help="read the file, say what it gives, and leave")
    parser.add_argument("--verbose", action="store_true", help="log every command and its outcome")


def serve(options: argparse.Namespace, *, build: Builder) -> int:
    """Serve until SIGINT or SIGTERM; raise ConfigurationInvalid."""
    settings = read_settings(options.config)
    _tell(f"{len(settings.devices)} devices, {len(settings.requests.users)} users who may ask")
    if options.check:
        return 0
    logging.basicConfig(level=logging.INFO if options.verbose else logging.WARNING, format="%(levelname)s %(message)s")
    asyncio.run(_serve(settings, build))
    return 0


async def _serve(settings: BridgeSettings, build: Builder) -> None:
    """Run until a signal comes."""
    agent, engine = build(settings)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    warming = asyncio.create_task(_warm(agent), name="botpsy warm-up") if engine is not None else None
    try:
        async with running_bridge(settings, agent, SystemClock()):
            _tell("serving")
            await ended.wait()
    finally:
        if warming is not None:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
        if engine is not None:
            await engine.close()


async def _warm(agent: Agent) -> None:
    try:
        await agent.warm()
    except BotPsyError as error:
        _LOGGER.warning("the model did not load: %s", error)


def _tell(text: str) -> None:
    sys.stderr.write(f"botpsy bridge: {text}\n")
    sys.stderr.flush()
