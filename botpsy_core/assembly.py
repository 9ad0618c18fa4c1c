"""The composition root without Home Assistant: settings become a running agent."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from botpsy_core.agent import Agent
from botpsy_core.agent.limits import TurnLimits
from botpsy_core.bridge import BridgeSettings, SystemClock
from botpsy_core.catalog import load_tools
from botpsy_core.dialect import ThinkingBudget
from botpsy_core.domain.home import Home
from botpsy_core.domain.tools import ToolSpec
from botpsy_core.domain.values import JsonObject
from botpsy_core.engine import EngineSettings, FallbackEngine, LocalEngine, models
from botpsy_core.engine.remote import RemoteEngine, RemoteSettings
from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.calibrate import read_tilts
from botpsy_core.evaluate.demo_home import DEMO_HOME
from botpsy_core.evaluate.simulator import SimulatedHome
from botpsy_core.evaluate.talk import Talk
from botpsy_core.ports import Clock, Engine, Journal
from botpsy_core.safety import Confirmations, PinHash, load_policy

MODEL_VARIABLE = "BOTPSY_MODEL"
"""Names a GGUF file, or a model of the catalogue, that overrides every other choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the `botpsy` command runs with."""

    model: Path | None = None
    """A GGUF file or a key of the catalogue; None takes the variable, else the catalogue's first that is on disk."""
    server: str = ""
    """A model server's address, asked instead; `model` then answers while it is gone."""
    server_model: str = ""
    """The model's name there; empty takes the first that it serves."""
    server_key: str | None = None
    language: str = "en"
    policy: JsonObject = field(default_factory=dict)
    """The owner's changes to the default policy."""
    pin: str | None = None
    calibration: Path | None = None
    """What `botpsy calibrate` has kept of models."""
    thinking: bool = False
    """True lets the model think before each decision, within `ThinkingBudget`."""
    state_dir: Path | None = None
    """Where the model's prefix snapshots are kept; None for memory alone."""


def find_model(settings: Settings) -> Path:
    """Return the model file to run; raise ConfigurationInvalid where there is none."""
    named = settings.model or (Path(os.environ[MODEL_VARIABLE]) if os.environ.get(MODEL_VARIABLE) else None)
    if named is not None:
        known = models.find(str(named))
        if known is None:
            return named.expanduser()
        if (file := models.on_disk(known)) is None:
            raise ConfigurationInvalid(f"{known.key} is not on this machine; fetch it: botpsy models --get {known.key}")
        return file
    found = next((file for each in models.catalogue() if (file := models.on_disk(each)) is not None), None)
    if found is None:
        raise ConfigurationInvalid(
            f"there is no model: set {MODEL_VARIABLE} to a GGUF file, or fetch one: botpsy models --get NAME"
        )
    return found


def build_engine(settings: Settings) -> Engine:
    """Return the engine that the settings ask for; nothing is started yet; raise ConfigurationInvalid."""
    if not settings.server:
        return _local(settings)
    remote = RemoteEngine(RemoteSettings(url=settings.server, model=settings.server_model, api_key=settings.server_key))
    return remote if settings.model is None else FallbackEngine(remote, _local(settings))


def _local(settings: Settings) -> LocalEngine:
    return LocalEngine(EngineSettings(model=find_model(settings), state_dir=settings.state_dir))


def build_agent(
    settings: Settings,
    *,
    engine: Engine | None,
    tools: Sequence[ToolSpec] | None = None,
    journal: Journal | None = None,
    clock: Clock | None = None,
) -> Agent:
    """Return an agent with the settings' policy and PIN; raise ConfigurationInvalid."""
    policy = load_policy(settings.policy)
    if settings.calibration is not None:
        policy = replace(policy, tilts=read_tilts(settings.calibration))
    clock = clock or SystemClock()
    confirmations = Confirmations(
        clock,
        pin=None if settings.pin is None else PinHash.of(settings.pin),
        expires_s=policy.expires_s,
        tries=policy.tries,
        lockout_s=policy.lockout_s,
    )
    return Agent(
        engine=engine,
        tools=load_tools() if tools is None else tools,
        policy=policy,
        clock=clock,
        confirmations=confirmations,
        journal=journal,
        limits=TurnLimits(thinking=ThinkingBudget() if settings.thinking else None),
    )


def build_talk(
    settings: Settings,
    *,
    with_model: bool = True,
    dry_run: bool = False,
    home: Home = DEMO_HOME,
    engine: Engine | None = None,
    journal: Journal | None = None,
) -> Talk:
    """Return a talk with a simulated home; `engine` instead of the settings' model where one is given."""
    clock = SystemClock()
    engine = engine or (build_engine(settings) if with_model else None)
    tools = load_tools()
    return Talk(
        agent=build_agent(settings, engine=engine, tools=tools, clock=clock, journal=journal),
        home=SimulatedHome(home, tools, now=clock.now),
        engine=engine,
        clock=clock,
        language=settings.language,
        dry_run=dry_run,
    )


def build_bridge_agent(settings: BridgeSettings) -> tuple[Agent, Engine | None]:
    """Return the agent of a bridge without Home Assistant, and its engine; raise ConfigurationInvalid."""
    ours = Settings(
        model=settings.model,
        language=settings.language,
        pin=None if settings.pin is None else settings.pin.reveal(),
    )
    engine = build_engine(ours) if settings.with_model else None
    return build_agent(ours, engine=engine), engine
