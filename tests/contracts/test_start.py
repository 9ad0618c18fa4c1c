"""What Home Assistant loads of the integration before it has started, and what it must not."""

import subprocess
import sys
from pathlib import Path

import pytest
from homeassistant.loader import BASE_PRELOAD_PLATFORMS

ROOT = Path(__file__).parents[2]
EARLY = ("llm", *BASE_PRELOAD_PLATFORMS)
HEAVY = ("agent", "bridge", "catalog", "dialect", "engine", "evaluate", "hearing", "safety")


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    folder = ROOT / "custom_components" / "botpsy"
    early = [f"custom_components.botpsy.{name}" for name in EARLY if (folder / f"{name}.py").exists()]
    program = f"import sys, {', '.join(early)}; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(told.stdout.split())


def test_the_early_modules_are_the_ones_that_are_looked_at(loaded):
    assert {"custom_components.botpsy", "custom_components.botpsy.config_flow"} <= loaded


@pytest.mark.parametrize("room", HEAVY)
def test_no_room_that_works_is_loaded_before_home_assistant_has_started(loaded, room):
    assert f"botpsy_core.{room}" not in loaded
