"""A real mosquitto on a free port, and the demo's devices on it."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")


class Mosquitto:
    """One broker process, anonymous on loopback unless told otherwise."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        binary = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        assert binary, "mosquitto is not installed; apt-get install mosquitto"
        config = folder / f"mosquitto-{self.port}.conf"
        extra = lines or ("allow_anonymous true",)
        config.write_text(
            "\n".join(
                (
                    f"listener {self.port} 127.0.0.1",
                    f"user {getpass.getuser()}",
                    "persistence false",
                    "log_type none",
                    *extra,
                    "",
                )
            )
        )
        self._process = subprocess.Popen(
            [binary, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_port(self.port)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


class DemoDevice:
    """One of the demo's programs."""

    def __init__(self, module: str, port: int, *options: str) -> None:
        command = [sys.executable, "-m", module, "--broker", f"127.0.0.1:{port}", *options]
        self._process = subprocess.Popen(command, cwd=ROOT)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
