"""Start the demo home, talk to it, and stay until Ctrl-C.

scripts/demo [--once] [--json FILE] [--folder DIR]
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from demo.client import HassRefused
from demo.house import live
from demo.process import ProgramFailed


def main() -> int:
    """Return the exit status: 0 where every line held."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description="Start a demo home, talk to it, and stay.")
    parser.add_argument("--once", action="store_true", help="leave after the scenario, non-zero if a line did not hold")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what happened, one object an utterance")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="a new folder to live in and leave behind, with its logs"
    )
    parser.add_argument("--model", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        told = asyncio.run(live(model=options.model.resolve(), once=options.once, folder=options.folder))
        if options.json:
            options.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    except (ProgramFailed, HassRefused, OSError) as error:
        print(f"botpsy: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0 if all(each["ok"] for each in told) else 1


if __name__ == "__main__":
    sys.exit(main())
