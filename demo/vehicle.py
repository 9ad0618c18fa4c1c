"""The owner's own profile of the demo car: the shipped one for its module, and what this car's maker added."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

PROFILE = "demo_car"
PREFIX = "ovms/demo/car"
VEHICLE_PIN = "4321"


def write_profile(config: Path) -> None:
    """Lay the profile into a configuration folder, where the integration looks for an owner's own."""
    shipped = yaml.safe_load(files("tool_schemas").joinpath("profiles", "ovms.yaml").read_text("utf-8"))
    added = yaml.safe_load(Path(__file__).with_name("profiles").joinpath("car_with_flap.yaml").read_text("utf-8"))
    folder = config / "botpsy" / "profiles"
    folder.mkdir(parents=True, exist_ok=True)
    whole = extended(shipped, added) | {"id": PROFILE, "title": "Demo car"}
    folder.joinpath(f"{PROFILE}.yaml").write_text(yaml.safe_dump(whole, sort_keys=False, allow_unicode=True))


def extended(profile: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Return a profile with another one's signals and commands beside its own; its own stay as they are."""
    return dict(profile) | {part: dict(added[part]) | dict(profile[part]) for part in ("signals", "commands")}
