"""The built package, alone: what it carries, and that a bare Home Assistant starts with it."""

import asyncio
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from demo.client import HassClient, HassRefused
from demo.home_assistant import configure
from demo.onboarding import onboard, skip_online_step
from demo.process import Program, free_port
from tests.core.tiny_gguf import build

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    assert len(list(out.glob("*.tar.gz"))) == 1
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def alone(wheel, tmp_path_factory):
    """Return the Python of an environment that has the wheel, and its dependencies as they are pinned."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*command, str(wheel)], check=True)
    # A folder named in a .pth file is searched, but its own .pth files are not read: no editable install comes along.
    pinned = Path(pytest.__file__).parents[1]
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "pinned.pth").write_text(f"{pinned}\n")
    return python


def test_the_wheel_carries_the_tools_and_nothing_of_the_workshop(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {"tool_schemas/_meta.schema.json", "tool_schemas/policy.default.yaml", "botpsy_core/py.typed"} <= set(names)
    data = {
        str(path.relative_to(ROOT)) for path in (ROOT / "tool_schemas").rglob("*") if path.suffix in {".yaml", ".json"}
    }
    assert data <= set(names)
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"botpsy_core", "tool_schemas"}


def test_the_wheel_alone_reads_its_tools(alone, tmp_path):
    program = "import botpsy_core, botpsy_core.catalog as c; print(botpsy_core.__file__, len(c.load_tools()))"
    told = subprocess.run(
        [alone, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    assert Path(told[0]).is_relative_to(alone.parents[1])
    assert int(told[1]) > 20


@pytest.mark.usefixtures("socket_enabled")
def test_home_assistant_starts_with_it_from_a_bare_folder(alone, tmp_path):
    asyncio.run(start(alone, tmp_path))


async def start(python: Path, folder: Path) -> None:
    port = free_port()
    config = folder / "config"
    configure(config, port=port, time_zone="Europe/Berlin", integration=None)
    shutil.copytree(ROOT / "custom_components" / "botpsy", config / "custom_components" / "botpsy")
    skip_online_step(config)
    # Not told to skip the installation of packages: what the manifest asks for has to be there already.
    command = [str(python), "-m", "homeassistant", "-c", str(config)]
    env = {"PYTHONPATH": "", "UV_OFFLINE": "1", "PATH": os.environ["PATH"]}
    async with (
        Program("Home Assistant", command, folder / "log", env, cwd=folder) as hass,
        HassClient(f"http://127.0.0.1:{port}") as client,
    ):
        await hass.listening(port, seconds=120)
        await onboard(client)
        broken = folder / "broken.gguf"
        broken.write_bytes(b"GGUF is only its beginning")
        with pytest.raises(HassRefused, match="model_file_invalid"):
            await client.flow("botpsy", {"next_step_id": "file"}, {"path": str(broken)})
        model = build(folder / "tiny.gguf")
        await client.flow("botpsy", {"next_step_id": "file"}, {"path": str(model)})
        assert "botpsy" in await client.get("/api/components")
        answer = await client.action("botpsy.run", {"text": "Order a pizza"}, response=True)
        assert answer["status"] == "refused"
        assert answer["calls"] == []
    said = (folder / "log").read_text().splitlines()
    assert [line for line in said if "ERROR" in line and "botpsy" in line] == []
