"""Start the demo home, talk to it, and stay until Ctrl-C.

scripts/demo [--once] [--json FILE] [--port PORT] [--folder DIR]
"""

import argparse
import asyncio
import sys
from pathlib import Path

from demo.client import HassRefused
from demo.house import Wishes, live
from demo.process import ProgramFailed


def wishes() -> Wishes:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description="Start a demo home, talk to it, and stay.")
    parser.add_argument("--once", action="store_true", help="leave after the scenario, non-zero if a line did not hold")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what happened, one object an utterance")
    parser.add_argument("--port", type=int, help="Home Assistant's port; a free one otherwise")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="a new folder to live in and leave behind")
    parser.add_argument("--model", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    return Wishes(
        model=options.model.resolve(),
        once=options.once,
        report=options.json,
        folder=options.folder,
        port=options.port,
    )


def main() -> int:
    """Return the exit status: 0 where every line held."""
    try:
        return 0 if asyncio.run(live(wishes())) else 1
    except (ProgramFailed, HassRefused, TimeoutError, OSError) as error:
        print(f"botpsy: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
