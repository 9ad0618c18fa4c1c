"""The engine's own library: whether it is here, and how it is brought here where it is not.

Its project publishes no wheel on the package index that Home Assistant installs from, but an index of its own; which
wheel fits is told by its platform tag. Whether it runs on this processor is tried in a process of its own.
"""

import asyncio
import importlib
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, override
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from aiohttp import ClientError, ClientTimeout
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.requirements import pip_kwargs
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.package import install_package
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag, sys_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from botpsy_core.errors import EngineFailed

from .const import DOMAIN

ANSWER_S: Final = 20.0
TRIAL_S: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """What is to be importable, and where its wheels are listed."""

    module: str
    name: str
    versions: str
    index: str
    """A page of links, one a wheel."""


ENGINE_LIBRARY: HassKey[Library] = HassKey(f"{DOMAIN}_engine_library")
"""The library where it is another one than the file beside this module names; a test puts its own here."""


def library_of(hass: HomeAssistant) -> Library:
    """Return the library that models need; blocks."""
    known = hass.data.get(ENGINE_LIBRARY)
    return known or Library(**json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")))


def is_missing(hass: HomeAssistant) -> bool:
    """Return whether the library cannot be found; blocks."""
    importlib.invalidate_caches()
    return importlib.util.find_spec(library_of(hass).module) is None


async def async_install(hass: HomeAssistant) -> None:
    """Bring the library here and try it; raise EngineFailed in words that say what is in the way."""
    library = await hass.async_add_executor_job(library_of, hass)
    url = choose_wheel(await _links(hass, library), library, list(sys_tags()))
    kwargs = pip_kwargs(hass.config.config_dir)
    if not await hass.async_add_executor_job(lambda: install_package(url, upgrade=False, **kwargs)):
        raise EngineFailed(f"{_file_of(url)} could not be installed; Home Assistant's log says why")
    if await hass.async_add_executor_job(is_missing, hass):
        raise EngineFailed(f"{_file_of(url)} was installed where Home Assistant does not look")
    await async_try_library(library)


async def _links(hass: HomeAssistant, library: Library) -> list[str]:
    try:
        session = async_get_clientsession(hass)
        async with session.get(library.index, timeout=ClientTimeout(total=ANSWER_S)) as answer:
            answer.raise_for_status()
            page = _Links(str(answer.url))
            page.feed(await answer.text())
    except (ClientError, TimeoutError, UnicodeDecodeError) as error:
        raise EngineFailed(f"{urlsplit(library.index).netloc} did not list the wheels: {error}") from error
    return page.links


def choose_wheel(links: Iterable[str], library: Library, tags: list[Tag]) -> str:
    """Return the newest wheel that this interpreter and platform take; raise EngineFailed where there is none."""
    rank = {tag: number for number, tag in enumerate(tags)}
    wanted, name = SpecifierSet(library.versions), canonicalize_name(library.name)
    fitting = []
    for link in links:
        try:
            named, version, _, tagged = parse_wheel_filename(_file_of(link))
        except InvalidWheelFilename:
            continue
        ranks = [rank[tag] for tag in tagged if tag in rank]
        if named == name and version in wanted and ranks:
            fitting.append((version, -min(ranks), link))
    if not fitting:
        raise EngineFailed(f"there is no wheel of {library.name} {library.versions} for {tags[0]}")
    return max(fitting)[2]


async def async_try_library(library: Library) -> None:
    """Import the library in a process of its own; raise EngineFailed where it does not load on this processor."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-c",
        f"import {library.module}",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(TRIAL_S):
            _, told = await process.communicate()
    except TimeoutError as error:
        raise EngineFailed(f"{library.name} did not load within {TRIAL_S:.0f} seconds") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == -signal.SIGILL:
        raise EngineFailed(f"this processor lacks instructions that {library.name} was built for")
    if process.returncode:
        words = told.decode(errors="replace").strip().splitlines() or [f"exit status {process.returncode}"]
        raise EngineFailed(f"{library.name} does not load here: {words[-1]}")


def _file_of(link: str) -> str:
    return unquote(urlsplit(urldefrag(link).url).path.rpartition("/")[2])


class _Links(HTMLParser):
    """Collects where a page's links lead."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self._base = base
        self.links: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link."""
        self.links += [urljoin(self._base, value) for key, value in attrs if tag == "a" and key == "href" and value]
