"""What HACS checks of a repository that it installs from."""

import json
import struct
from pathlib import Path

from awesomeversion import AwesomeVersion

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {
    *("name", "content_in_root", "country", "filename", "hacs", "hide_default_branch", "homeassistant"),
    *("persistent_directory", "render_readme", "zip_release"),
}


def test_hacs_json_has_only_what_is_allowed():
    hacs = json.loads((ROOT / "hacs.json").read_text())
    assert hacs["name"]
    assert set(hacs) <= ALLOWED
    assert not hacs.get("zip_release") or hacs["filename"]
    assert AwesomeVersion(hacs["homeassistant"]) >= AwesomeVersion("2026.10.0")


def test_there_is_one_integration_with_a_brand():
    folders = [path for path in (ROOT / "custom_components").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert [path.name for path in folders] == ["botpsy"]
    header = (folders[0] / "brand" / "icon.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", header[16:24]) == (256, 256)


def test_the_manifest_has_what_hacs_reads():
    manifest = json.loads((ROOT / "custom_components" / "botpsy" / "manifest.json").read_text())
    assert {"domain", "documentation", "issue_tracker", "codeowners", "name", "version"} <= set(manifest)
    assert AwesomeVersion(manifest["version"]).valid


def test_readme_and_licence_are_there():
    assert (ROOT / "README.md").read_text().startswith("# BotPsy")
    assert "Apache License" in (ROOT / "LICENSE").read_text()
