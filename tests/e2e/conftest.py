"""One demo home for all end-to-end tests: real Home Assistant, real broker, real model."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from pytest_socket import enable_socket

from demo.onboarding import PASSWORD, USER
from demo.process import free_port

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("mosquitto", "demo.car", "demo.household", "homeassistant")
STARTS_S = 900
"""The scenario included, on two slow cores."""


@pytest.fixture(autouse=True)
def sockets(socket_enabled):
    """Let the tests speak to this machine's own programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivingHome:
    """A demo home that has played its scenario and stays."""

    url: str
    folder: Path
    told: list[dict]
    demo: subprocess.Popen

    def log_in(self) -> dict[str, str]:
        """Log in with name and password, as a person does; return what a request carries."""
        client = self.url + "/"
        flow = self.post("/auth/login_flow", client_id=client, handler=["homeassistant", None], redirect_uri=client)
        told = self.post(f"/auth/login_flow/{flow['flow_id']}", client_id=client, username=USER, password=PASSWORD)
        grant = {"grant_type": "authorization_code", "code": told["result"], "client_id": client}
        token = requests.post(f"{self.url}/auth/token", data=grant, timeout=30).json()["access_token"]
        return {"Authorization": f"Bearer {token}"}

    def post(self, path: str, headers: dict[str, str] | None = None, /, **data):
        answer = requests.post(self.url + path, json=data, headers=headers or {}, timeout=120)
        answer.raise_for_status()
        return answer.json()

    def run(self, text: str, headers: dict[str, str]) -> dict:
        """Say something through the action that automations use."""
        return self.post("/api/services/botpsy/run?return_response", headers, text=text)["service_response"]

    def children(self) -> dict[str, int]:
        """Return the demo's own programs, by a word of their command line."""
        found: dict[str, int] = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = (entry / "cmdline").read_bytes().decode().replace("\0", " ")
            except OSError:
                continue
            if parent == self.demo.pid:
                found[next((word for word in PROGRAMS if word in command), "")] = int(entry.name)
        return found


@pytest.fixture(scope="session")
def model() -> Path:
    """Return the model that scripts/setup chose."""
    chosen = subprocess.run([sys.executable, ROOT / "scripts" / "model.py"], capture_output=True, text=True, check=True)
    return Path(chosen.stdout.strip())


@pytest.fixture(scope="session")
def home(model, tmp_path_factory):
    enable_socket()  # Home Assistant's test package closes them before any fixture of this scope
    folder = tmp_path_factory.mktemp("home")
    report, port = folder / "report.json", free_port()
    command = [sys.executable, "-m", "demo", "--model", str(model), "--json", str(report), "--port", str(port)]
    output = (folder / "screen.txt").open("wb")
    demo = subprocess.Popen([*command, "--folder", str(folder)], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + STARTS_S
        while not report.exists() and demo.poll() is None and time.monotonic() < deadline:
            time.sleep(0.5)
        assert report.exists(), (folder / "screen.txt").read_text()[-3000:]
        time.sleep(0.5)
        yield LivingHome(url=f"http://127.0.0.1:{port}", folder=folder, told=json.loads(report.read_text()), demo=demo)
    finally:
        if demo.poll() is None:
            os.kill(demo.pid, signal.SIGINT)
            demo.wait(60)
