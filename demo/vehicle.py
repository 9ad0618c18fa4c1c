"""The demo car as its owner describes it: a profile of their own that extends the one shipped for its module."""

import shutil
from pathlib import Path

PROFILE = "car_with_flap"
PREFIX = "ovms/demo/car"
VEHICLE_PIN = "4321"


def write_profile(config: Path) -> None:
    """Lay the profile into a configuration folder, where the integration looks for an owner's own."""
    folder = config / "botpsy" / "profiles"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).with_name("profiles") / f"{PROFILE}.yaml", folder)
