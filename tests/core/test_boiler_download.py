"""Downloading from a real hub server on this machine: chosen, resumed, checked, cancelled, and told in words."""

import hashlib
import http.server
import json
import threading
import time

import pytest

from botpsy_core.engine import download, models
from botpsy_core.errors import ModelDownloadFailed, ModelFileInvalid
from tests.core import tiny_gguf

REPOSITORY = "someone/Small-GGUF"
TOKEN = "hf_secret"


class Hub(http.server.ThreadingHTTPServer):
    """Speaks the part of the hub's protocol that a download needs."""

    daemon_threads = False

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = files
        self.gated = False
        self.damaged = False
        self.slow = False
        self.sent = 0
        self.ranges = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        """Say nothing."""

    def _answer(self, code, body=b"", **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _refused(self):
        hub = self.server
        if hub.gated and self.headers.get("authorization") != f"Bearer {TOKEN}":
            self._answer(401, b"{}", X_Error_Code="GatedRepo", X_Error_Message="Access is restricted.")
            return True
        return False

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        hub = self.server
        if self._refused():
            return
        if self.path.startswith(f"/api/models/{REPOSITORY}"):
            siblings = [
                {
                    "rfilename": name,
                    "size": len(data),
                    "lfs": {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "pointerSize": 130},
                }
                for name, data in hub.files.items()
            ]
            info = {
                "id": REPOSITORY,
                "sha": "a" * 40,
                "siblings": siblings,
                "private": False,
                "downloads": 1,
                "tags": [],
            }
            self._answer(200, json.dumps(info).encode(), Content_Type="application/json")
            return
        name = self.path.rpartition("/")[2]
        if f"/{REPOSITORY}/resolve/" not in self.path or name not in hub.files:
            self._answer(404, b"{}", X_Error_Code="RepoNotFound", X_Error_Message="Repository not found")
            return
        self._send_file(hub, hub.files[name])

    def _send_file(self, hub, data):
        if hub.damaged:
            data = data[:-1] + bytes([data[-1] ^ 1])
        start = 0
        if wanted := self.headers.get("Range"):
            start = int(wanted.removeprefix("bytes=").partition("-")[0])
            hub.ranges.append(start)
        etag = hashlib.sha256(data).hexdigest()
        self.send_response(206 if start else 200)
        self.send_header("ETag", f'"{etag}"')
        self.send_header("X-Repo-Commit", "a" * 40)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        if self.command == "HEAD":
            return
        for offset in range(start, len(data), 1 << 16):
            try:
                self.wfile.write(data[offset : offset + (1 << 16)])
            except OSError:
                return
            hub.sent += 1
            if hub.slow:
                time.sleep(0.01)


@pytest.fixture(scope="module")
def gguf_bytes(tmp_path_factory):
    path = tiny_gguf.build(tmp_path_factory.mktemp("models") / "tiny.gguf")
    return path.read_bytes()


@pytest.fixture
def hub(gguf_bytes, monkeypatch, socket_enabled):
    whole = gguf_bytes + bytes(24 << 20)  # a model may be longer than its tensors
    files = {
        "README.md": b"# small",
        "Small-Q4_0.gguf": gguf_bytes,
        "Small-Q4_K_M.gguf": whole,
        "Small-Q8_0.gguf": whole + bytes(1 << 20),
        "Small-BF16.gguf": whole + bytes(2 << 20),
        "Small-Q6_K-00001-of-00002.gguf": b"part",
        "mmproj-F16.gguf": b"eyes",
    }
    server = Hub(files)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_listing_holds_whole_models_only(hub):
    assert [f.quantisation for f in download.listing(REPOSITORY)] == ["Q4_0", "Q4_K_M", "Q8_0", "BF16"]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Q4", "Small-Q4_K_M.gguf"),
        ("q4_0", "Small-Q4_0.gguf"),
        ("Q8", "Small-Q8_0.gguf"),
        ("bf16", "Small-BF16.gguf"),
    ],
)
def test_a_quantisation_is_chosen_by_the_listing(hub, wanted, name):
    assert download.choose(REPOSITORY, wanted).name == name


def test_a_quantisation_that_is_not_there_is_told_with_those_that_are(hub):
    with pytest.raises(ModelDownloadFailed, match=r"no Q2; it has Q4_0, Q4_K_M, Q8_0, BF16"):
        download.choose(REPOSITORY, "Q2")


def test_a_file_comes_with_real_percentages_and_only_once(hub, tmp_path):
    seen = []
    path = models.obtain(REPOSITORY, tmp_path, progress=lambda done, total: seen.append(100 * done // total))
    assert path == tmp_path / "Small-Q4_K_M.gguf"
    assert path.read_bytes() == hub.files[path.name]
    assert seen == sorted(seen)
    assert seen[-1] == 100
    assert len(seen) >= 3
    sent = hub.sent
    assert models.obtain(REPOSITORY, tmp_path) == path
    assert hub.sent == sent
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_cancel_leaves_no_half_file_in_place_and_the_next_try_goes_on(hub, tmp_path):
    hub.slow = True
    seen = []
    with pytest.raises(ModelDownloadFailed, match="cancelled"):
        models.obtain(
            REPOSITORY, tmp_path, progress=lambda done, _: seen.append(done), cancelled=lambda: len(seen) >= 1
        )
    assert list(tmp_path.glob("*.gguf")) == []
    hub.slow = False
    path = models.obtain(REPOSITORY, tmp_path)
    assert path.read_bytes() == hub.files[path.name]
    assert hub.ranges == [seen[-1]]


def test_a_damaged_file_is_never_put_in_place(hub, tmp_path):
    hub.damaged = True
    with pytest.raises(ModelDownloadFailed, match="SHA-256"):
        models.obtain(REPOSITORY, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_model_is_never_put_in_place(hub, tmp_path):
    hub.files = {"Small-Q4_K_M.gguf": b"<html>" * 100}
    with pytest.raises(ModelFileInvalid, match="no GGUF"):
        models.obtain(REPOSITORY, tmp_path)
    assert list(tmp_path.glob("*.gguf")) == []


def test_a_gated_repository_wants_a_token(hub, tmp_path):
    hub.gated = True
    with pytest.raises(ModelDownloadFailed, match="gated"):
        models.obtain(REPOSITORY, tmp_path)
    assert models.obtain(REPOSITORY, tmp_path, token=TOKEN).exists()


def test_a_repository_that_does_not_exist_is_told_so(hub, tmp_path):
    with pytest.raises(ModelDownloadFailed, match="no repository"):
        models.obtain("someone/else", tmp_path)


def test_a_hub_that_does_not_answer_is_given_up_within_seconds(tmp_path, monkeypatch, socket_enabled):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(ModelDownloadFailed, match="cannot be reached"):
        models.obtain("botpsy-0.8b", tmp_path)
    assert time.monotonic() - started < 10


def test_no_space_on_the_disk_is_told_before_the_first_byte(hub, tmp_path, monkeypatch):
    usage = download.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
    with pytest.raises(ModelDownloadFailed, match="MB of disk"):
        models.obtain(REPOSITORY, tmp_path)
    assert hub.sent == 0


def test_too_little_memory_is_told_before_the_first_byte(hub, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "total_memory", lambda: 64 << 20)
    with pytest.raises(ModelDownloadFailed, match="MB of memory"):
        models.obtain(REPOSITORY, tmp_path)
    assert hub.sent == 0


@pytest.mark.parametrize("name", ["nonsense", "a/b/c", ""])
def test_a_name_that_means_nothing_is_told_with_those_that_do(tmp_path, name):
    with pytest.raises(ModelDownloadFailed, match=r"botpsy-0\.8b"):
        models.obtain(name, tmp_path)


def test_a_local_file_is_taken_as_it_is(tmp_path):
    path = tiny_gguf.build(tmp_path / "tiny.gguf")
    assert models.obtain(str(path)) == path
    with pytest.raises(ModelFileInvalid):
        models.obtain(str(tmp_path / "other.gguf"))


def test_every_model_of_the_catalogue_is_whole():
    keys = [model.key for model in models.catalogue()]
    assert keys[0] == "botpsy-0.8b"
    assert len(set(keys)) == len(keys)
    for model in models.catalogue():
        assert bool(model.repository) != bool(model.stand_in), model.key
        assert "Q4" in model.quantisations
        assert model.licence
        assert model.languages
        assert model.memory_mb("Q4") > model.quantisations["Q4"]
        assert models.find(model.key) is model
    assert set(models.standins.STAND_INS) == {m.stand_in for m in models.catalogue() if m.stand_in}
