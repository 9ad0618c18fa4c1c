"""The other side, a program of its own: a car that answers at once, and an echo: `python -m tests.soak.peer PORT`."""

import signal
import sys
import threading

from tests.core.bridge.lots_of_cars import Cars
from tests.soak.echo import Echo


def main() -> None:
    """Serve until told to end."""
    port = int(sys.argv[1])
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    car = Cars(port, ["car0"])
    car.takes_s = 0
    echo = Echo(port, "raw/there", echoes="raw/back")
    ended.wait()
    echo.close()
    car.close()


if __name__ == "__main__":
    main()
