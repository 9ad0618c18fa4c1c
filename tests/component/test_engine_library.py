"""The engine's library brought in from its own project's index, which here is a server of the test's own."""

import base64
import hashlib
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
from homeassistant.util import package
from packaging.tags import Tag, sys_tags
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import EngineFailed
from custom_components.botpsy.const import DOMAIN
from custom_components.botpsy.engine_library import ENGINE_LIBRARY, Library, choose_wheel, is_missing
from custom_components.botpsy.engines import ENGINE_BUILDER
from custom_components.botpsy.issues import ENGINE_FAILED, async_raise
from tests.component.loading import load
from tests.component.test_config_flow import follow, submit

HERE = next(tag for tag in sys_tags() if tag.interpreter == "py3" and tag.abi == "none" and tag.platform != "any")
WORKS = "ANSWER = 42\n"

type Publish = Callable[..., None]


def write_wheel(folder: Path, *, code: str, tag: str, version: str = "0.3.40") -> None:
    """Write a wheel of one module."""
    info = f"fake_llama-{version}.dist-info"
    files = {
        "fake_llama/__init__.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: fake-llama\nVersion: {version}\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n",
    }
    rows = [f"{name},sha256={_digest(text)},{len(text)}" for name, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""])
    with zipfile.ZipFile(folder / f"fake_llama-{version}-{tag}.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index(tmp_path: Path, socket_enabled: None) -> Iterator[tuple[str, Path]]:
    folder = tmp_path / "index"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, name="waitpid-index", daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", folder
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def publish(hass: HomeAssistant, index: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Return what puts a wheel on the index; Home Assistant installs into its configuration's own folder."""
    monkeypatch.setattr(package, "is_virtual_env", lambda: False)
    monkeypatch.setattr(package, "is_docker_env", lambda: False)
    monkeypatch.syspath_prepend(hass.config.path("deps"))
    hass.data[ENGINE_LIBRARY] = Library(module="fake_llama", name="fake-llama", versions=">=0.3.36", index=index[0])
    return partial(write_wheel, index[1], tag=str(HERE))


async def add_file(hass: HomeAssistant) -> dict:
    """Choose a model file, and to install what is missing for it."""
    flow = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    told = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": "file"})
    assert (told["type"], told["step_id"]) == (FlowResultType.MENU, "engine")
    shown = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": "install"})
    assert (shown["type"], shown["progress_action"]) == (FlowResultType.SHOW_PROGRESS, "install")
    return await follow(hass, flow["flow_id"])


async def test_a_missing_engine_is_installed_and_the_set_up_goes_on(
    hass: HomeAssistant, publish: Publish, model_file: Path
) -> None:
    await hass.async_add_executor_job(partial(publish, code=WORKS))

    form = await add_file(hass)
    made = await submit(hass, form["flow_id"], path=str(model_file))

    assert form["step_id"] == "file"
    assert made["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n", "this processor lacks instructions"),
        ("raise ImportError('libgomp.so.1: cannot open shared object file')\n", "libgomp.so.1"),
        ("import os\nos._exit(7)\n", "exit status 7"),
    ],
    ids=["illegal instruction", "a library is missing", "it just ends"],
)
async def test_an_engine_that_does_not_load_here_is_said_so(
    hass: HomeAssistant, publish: Publish, code: str, words: str
) -> None:
    await hass.async_add_executor_job(partial(publish, code=code))

    told = await add_file(hass)

    assert (told["step_id"], told["menu_options"]) == ("engine_failed", ["install", "server"])
    assert words in told["description_placeholders"]["error"]


async def test_a_platform_without_a_wheel_is_said_so(hass: HomeAssistant, publish: Publish) -> None:
    await hass.async_add_executor_job(partial(publish, code=WORKS, tag="py3-none-win32"))

    told = await add_file(hass)

    assert "there is no wheel of fake-llama" in told["description_placeholders"]["error"]


async def test_a_damaged_wheel_is_said_so(hass: HomeAssistant, publish: Publish, index: tuple[str, Path]) -> None:
    damaged = index[1] / f"fake_llama-0.3.40-{HERE}.whl"
    await hass.async_add_executor_job(damaged.write_bytes, b"PK no wheel")

    told = await add_file(hass)

    assert "could not be installed" in told["description_placeholders"]["error"]


async def test_an_index_that_is_gone_is_said_so_and_a_server_can_be_named(
    hass: HomeAssistant, publish: Publish
) -> None:
    hass.data[ENGINE_LIBRARY] = Library(
        module="fake_llama", name="fake-llama", versions=">=0", index="http://127.0.0.1:9/"
    )

    told = await add_file(hass)
    form = await hass.config_entries.flow.async_configure(told["flow_id"], {"next_step_id": "server"})
    made = await submit(hass, form["flow_id"], url="http://model.local:8080")

    assert "did not list the wheels" in told["description_placeholders"]["error"]
    assert form["errors"] == {}
    assert made["type"] is FlowResultType.CREATE_ENTRY


async def test_the_catalogue_asks_for_the_engine_first(hass: HomeAssistant, publish: Publish) -> None:
    flow = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})

    told = await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": "catalogue"})

    assert told["step_id"] == "engine"


LINUX = [
    Tag("py3", "none", "manylinux_2_39_aarch64"),
    Tag("py3", "none", "manylinux_2_17_aarch64"),
    Tag("py3", "none", "linux_aarch64"),
]
LISTED = [
    "https://x/fake_llama-0.3.36-py3-none-manylinux_2_17_aarch64.whl#sha256=00",
    "https://x/fake_llama-0.3.37-py3-none-musllinux_1_2_aarch64.whl",
    "https://x/fake_llama-0.3.37-py3-none-linux_aarch64.whl",
    "https://x/fake_llama-0.3.37-py3-none-manylinux_2_17_aarch64.whl",
    "https://x/fake_llama-0.3.37-py3-none-manylinux_2_17_x86_64.whl",
    "https://x/fake_llama-0.4.0-py3-none-linux_aarch64.whl",
    "https://x/other-0.3.38-py3-none-linux_aarch64.whl",
    "https://x/fake_llama-0.3.39.tar.gz",
    "../",
]
NAMED = Library(module="fake_llama", name="fake-llama", versions=">=0.3.36,<0.4", index="https://x/")


@pytest.mark.parametrize(
    ("tags", "chosen"),
    [
        (LINUX, "fake_llama-0.3.37-py3-none-manylinux_2_17_aarch64.whl"),
        ([Tag("py3", "none", "musllinux_1_2_aarch64")], "fake_llama-0.3.37-py3-none-musllinux_1_2_aarch64.whl"),
        ([Tag("py3", "none", "linux_x86_64"), Tag("py3", "none", "manylinux_2_17_x86_64")], "manylinux_2_17_x86_64"),
    ],
    ids=["glibc, the newest and nearest", "musl", "another processor"],
)
def test_the_newest_wheel_of_this_platform_is_chosen(tags: list[Tag], chosen: str) -> None:
    assert chosen in choose_wheel(LISTED, NAMED, tags)


def test_no_wheel_of_another_platform_is_taken() -> None:
    with pytest.raises(EngineFailed, match="musllinux_1_2_riscv64"):
        choose_wheel(LISTED, NAMED, [Tag("py3", "none", "musllinux_1_2_riscv64")])


class Surprising(ScriptedEngine):
    """A model that breaks in a way that nobody expects."""

    async def score(self, prompt, continuations):
        raise ZeroDivisionError("the vocabulary is empty")


async def test_what_nobody_expects_of_a_trial_is_shown_and_another_model_goes_on(
    hass: HomeAssistant, engine: ScriptedEngine, model_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: Surprising()
    flow = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    await hass.config_entries.flow.async_configure(flow["flow_id"], {"next_step_id": "file"})

    again = await submit(hass, flow["flow_id"], path=str(model_file))
    hass.data[ENGINE_BUILDER] = lambda _hass, _data: engine
    made = await submit(hass, flow["flow_id"], path=str(model_file))

    assert again["errors"] == {"base": "trial_failed"}
    assert "ZeroDivisionError" in again["description_placeholders"]["error"]
    assert "Traceback" in caplog.text
    assert made["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("listed", [True, False], ids=["a wheel", "no wheel"])
async def test_the_repair_brings_a_library_back_that_an_update_took_along(
    hass: HomeAssistant,
    hass_client: ClientSessionGenerator,
    publish: Publish,
    engine: ScriptedEngine,
    model_file: Path,
    *,
    listed: bool,
) -> None:
    assert await async_setup_component(hass, "repairs", {})
    entry = await load(hass, model_file)
    async_raise(hass, entry, ENGINE_FAILED, error="there is no llama_cpp")
    if listed:
        publish(code=WORKS)
    client = await hass_client()
    issue = {"handler": DOMAIN, "issue_id": f"engine_failed_{entry.entry_id}"}
    form = await (await client.post("/api/repairs/issues/fix", json=issue)).json()
    missing = await hass.async_add_executor_job(is_missing, hass)
    reloads = entry.runtime_data

    answer = await client.post(f"/api/repairs/issues/fix/{form['flow_id']}", json={})
    await hass.async_block_till_done()

    assert missing
    assert await hass.async_add_executor_job(is_missing, hass) is not listed
    assert (answer.status == 200) is listed
    assert (entry.runtime_data is not reloads) is listed
