"""From what a config entry says to an engine, and what can be told of a model before it runs."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.hass_dict import HassKey

from botpsy_core.domain.engine import Prompt
from botpsy_core.ports import Engine

from .const import (
    CONF_API_KEY,
    CONF_DIGEST,
    CONF_FALLBACK,
    CONF_IDLE_UNLOAD,
    CONF_MEMORY_LIMIT,
    CONF_MODEL,
    CONF_PATH,
    CONF_SIZE,
    CONF_SOURCE,
    CONF_URL,
    DOMAIN,
    ModelSource,
)

type EngineBuilder = Callable[[HomeAssistant, Mapping[str, Any]], Engine]

ENGINE_BUILDER: HassKey[EngineBuilder] = HassKey(f"{DOMAIN}_engine_builder")
"""What builds an entry's engine where it is not `build_engine`; a test puts a scripted engine's builder here."""


TRIAL_SENTENCE: Final = "Is the kitchen light on?"
TRIAL_ANSWERS: Final = (" Yes", " No")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A model that could become an entry."""

    unique_id: str
    title: str
    data: Mapping[str, Any]
    needed_mb: int = 0
    """Memory of this machine that it takes once loaded."""


def check_file(name: str, source: ModelSource = ModelSource.FILE) -> Candidate:
    """Read a model file once; blocks; raise ModelFileInvalid in words that say what is wrong."""
    from botpsy_core.engine.gguf import read_header

    path = Path(name.strip()).expanduser()
    header = read_header(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Candidate(
        unique_id=digest,
        title=header.text("general.name") or path.stem,
        data={CONF_SOURCE: source, CONF_PATH: str(path), CONF_DIGEST: digest, CONF_SIZE: header.size_bytes},
        needed_mb=needed_mb(header.size_bytes),
    )


def needed_mb(size_bytes: int) -> int:
    """Return the memory that a file of this size takes once loaded; blocks."""
    from botpsy_core.engine.models import BESIDE_FILE_MB

    return size_bytes // 10**6 + BESIDE_FILE_MB


def name_server(url: str, model: str, api_key: str, fallback: Candidate | None = None) -> Candidate:
    """Return a server as a candidate, with the file that answers while it is gone; nothing is asked yet."""
    url = url.strip().rstrip("/")
    data = {CONF_SOURCE: ModelSource.SERVER, CONF_URL: url, CONF_MODEL: model, CONF_API_KEY: api_key}
    if fallback is not None:
        data |= {CONF_FALLBACK: fallback.data[CONF_PATH], CONF_DIGEST: fallback.data[CONF_DIGEST]}
    return Candidate(unique_id=f"{url}#{model}", title=model or urlsplit(url).netloc or url, data=data)


def memory_mb() -> int:
    """Return the machine's memory in MB; blocks; 0 where it cannot be told."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return 0
    total = next((line.split()[1] for line in lines if line.startswith("MemTotal:")), "0")
    return int(total) * 1024 // 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a short look at an entry's model shows."""

    changed: bool = False
    """True if the file has another size than when it was set up."""
    needed_mb: int = 0
    memory_mb: int = 0


def look_at_model(data: Mapping[str, Any]) -> Look:
    """Look at an entry's model file without reading all of it; blocks; raise ModelFileInvalid."""
    from botpsy_core.engine.gguf import read_header

    if not (path := data.get(CONF_PATH)):
        return Look()
    size = read_header(Path(path)).size_bytes
    return Look(
        changed=data.get(CONF_SIZE, size) != size,
        needed_mb=needed_mb(size),
        memory_mb=memory_mb(),
    )


def is_local(data: Mapping[str, Any]) -> bool:
    """Return True if a model of this machine may run: the entry's own, or the one that stands in for its server."""
    return bool(data.get(CONF_PATH) or data.get(CONF_FALLBACK))


def engine_data(entry: ConfigEntry) -> Mapping[str, Any]:
    """Return what describes an entry's engine: its model, and how much of the machine its owner lets it take."""
    bounds = {key: entry.options[key] for key in (CONF_IDLE_UNLOAD, CONF_MEMORY_LIMIT) if key in entry.options}
    return {**entry.data, **bounds}


def state_folder(hass: HomeAssistant, data: Mapping[str, Any]) -> Path:
    """Return where an entry's prefix snapshots are kept; a cache that may be lost."""
    return Path(hass.config.cache_path(DOMAIN, str(data.get(CONF_DIGEST))[:16]))


async def async_build_engine(hass: HomeAssistant, data: Mapping[str, Any]) -> Engine:
    """Return the engine that an entry describes; nothing is started yet."""
    builder = hass.data.get(ENGINE_BUILDER)
    if builder is None:
        builder = await hass.async_add_import_executor_job(_builder)
    return builder(hass, data)


def _builder() -> EngineBuilder:
    """Load the engines; blocks."""
    from botpsy_core.engine import EngineSettings, FallbackEngine, LocalEngine
    from botpsy_core.engine.remote import RemoteEngine, RemoteSettings

    def build(hass: HomeAssistant, data: Mapping[str, Any]) -> Engine:
        def local(path: str) -> Engine:
            idle_min, limit_mb = data.get(CONF_IDLE_UNLOAD), data.get(CONF_MEMORY_LIMIT)
            return LocalEngine(
                EngineSettings(
                    model=Path(path),
                    state_dir=state_folder(hass, data),
                    idle_unload_s=None if idle_min is None else idle_min * 60.0,
                    memory_limit_mb=None if limit_mb is None else int(limit_mb),
                )
            )

        if data[CONF_SOURCE] == ModelSource.SERVER:
            settings = RemoteSettings(
                url=data[CONF_URL], model=data.get(CONF_MODEL, ""), api_key=data.get(CONF_API_KEY) or None
            )
            remote = RemoteEngine(settings, async_get_clientsession(hass))
            return FallbackEngine(remote, local(data[CONF_FALLBACK])) if data.get(CONF_FALLBACK) else remote
        return local(data[CONF_PATH])

    return build


async def async_try(hass: HomeAssistant, data: Mapping[str, Any]) -> None:
    """Start an engine once and let it read a sentence; raise EngineFailed or ModelFileInvalid.

    Of a server with a fallback it is the server that must answer.
    """
    engine = await async_build_engine(hass, {key: value for key, value in data.items() if key != CONF_FALLBACK})
    try:
        await engine.info()
        await engine.score(Prompt(prefix="", tail=TRIAL_SENTENCE), TRIAL_ANSWERS)
    finally:
        await engine.close()
