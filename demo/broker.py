"""The MQTT broker: a mosquitto of our own on this machine's loopback."""

import os
import shutil
from pathlib import Path

from demo.process import Program, ProgramFailed

SETTINGS = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
log_dest stderr
log_type error
log_type warning
"""


def broker(folder: Path, port: int) -> Program:
    """Return a mosquitto that is not started yet; raise ProgramFailed where none is installed."""
    found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise ProgramFailed("mosquitto is missing: run scripts/setup broker")
    settings = folder / "mosquitto.conf"
    settings.write_text(SETTINGS.format(port=port))
    return Program("mosquitto", [found, "-c", str(settings)], folder / "mosquitto.log")
