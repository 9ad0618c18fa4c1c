"""The models that are known by name, and the way from any name to a file on disk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import yaml

from botpsy_core.engine import download, standins
from botpsy_core.engine.gguf import read_header
from botpsy_core.errors import ModelDownloadFailed

BESIDE_FILE_MB = 300
"""Memory beside the file: a context of 4,096 tokens, the worker's own, and a little air."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One model of the catalogue."""

    key: str
    title: str
    licence: str
    architecture: str
    languages: tuple[str, ...]
    """BCP 47 subtags; `*` where the makers name too many to list."""
    quantisations: Mapping[str, int]
    """Size in MB by what may be asked for."""
    cautions: tuple[str, ...] = ()
    """The makers' words of caution, in short."""
    repository: str = ""
    """On the hub; empty for a stand-in."""
    stand_in: str = ""
    """Its name among the stand-ins; empty where it comes from the hub."""

    def memory_mb(self, quantisation: str) -> int:
        """Return what the worker needs with this file."""
        return self.quantisations[quantisation] + BESIDE_FILE_MB


@cache
def catalogue() -> tuple[KnownModel, ...]:
    """Return all known models, the recommended first."""
    text = resources.files("botpsy_core.engine").joinpath("models.yaml").read_text(encoding="utf-8")
    return tuple(
        KnownModel(
            **{**entry, "languages": tuple(entry["languages"]), "cautions": tuple(entry["cautions"])},
        )
        for entry in yaml.safe_load(text)["models"]
    )


def find(key: str) -> KnownModel | None:
    """Return the known model of that key, or None."""
    return next((model for model in catalogue() if model.key == key), None)


def on_disk(model: KnownModel, folder: Path | None = None) -> Path | None:
    """Return a known model's file in the folder, of its first quantisation that is there, or None."""
    folder = (folder or standins.FOLDER).expanduser()
    if model.stand_in:
        file = folder / standins.STAND_INS[model.stand_in].file
        return file if file.is_file() else None
    stem = model.repository.rpartition("/")[2].removesuffix("-GGUF").lower()
    files = sorted(each for each in folder.glob("*.gguf") if each.name.lower().startswith(f"{stem}-"))
    rank = {bits.lower(): place for place, bits in enumerate(model.quantisations)}

    def order(file: Path) -> int:
        rest = file.stem.lower().removeprefix(f"{stem}-").removeprefix("ud-")
        return next((place for bits, place in rank.items() if rest.startswith(bits)), len(rank))

    return min((each for each in files if order(each) < len(rank)), key=order, default=None)


def obtain(
    name: str,
    folder: Path | None = None,
    *,
    quantisation: str = "Q4",
    token: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Return the file of a known model, of a hub repository (`owner/name`) or at a local path; blocks.

    `progress` gets what is done and all of it. Raise ModelDownloadFailed or ModelFileInvalid.
    """
    folder = (folder or standins.FOLDER).expanduser()
    model = find(name)
    if model is not None and model.stand_in:
        return standins.fetch(model.stand_in, folder, progress=progress)
    if model is None and Path(name).expanduser().suffix == ".gguf":
        read_header(Path(name).expanduser())
        return Path(name).expanduser()
    repository = model.repository if model is not None else name
    if repository.count("/") != 1:
        known = ", ".join(each.key for each in catalogue())
        raise ModelDownloadFailed(f"{name!r} is no .gguf file, no hub repository (owner/name) and none of {known}")
    file = download.choose(repository, quantisation, token=token)
    return download.fetch(file, folder, token=token, progress=progress, cancelled=cancelled)
