"""The policy in force: the core's default, a preset, the rules made in the panel, and over all the owner's own file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from botpsy_core.errors import ConfigurationInvalid
from botpsy_core.evaluate.calibrate import read_tilts
from botpsy_core.safety import Policy, load_policy, merged

from .const import Preset

POLICY_FILE: Final = "policy.yaml"
"""Below `botpsy` in the configuration folder; it may stand there or not."""

CALIBRATION_FILE: Final = "calibration.json"
"""Beside it: what `botpsy calibrate` has kept of models, or nothing."""


CHANGES: Final[Mapping[Preset, Mapping[str, Any]]] = {
    Preset.STANDARD: {},
    Preset.CAREFUL: {
        "classes": {"comfort": {"ask_below": 0.7, "max_targets": 12}, "cost": {"confirm": "confirm", "max_targets": 4}},
    },
    Preset.STRICT: {
        "classes": {"comfort": {"confirm": "confirm", "max_targets": 4}, "cost": {"confirm": "pin", "max_targets": 1}},
        "origins": {"automation": {"max_risk": "comfort"}, "mqtt": {"max_risk": "read"}},
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the owner wants, and the policies that follow from it."""

    policies: Mapping[Preset, Policy]
    panel: Mapping[str, Any]
    """Made in the panel."""
    file: Mapping[str, Any]
    """Written in the file; holds where both say something."""


def read_policies(folder: Path, panel: Mapping[str, Any]) -> Rules:
    """Return the policy of each preset with the owner's changes over it; blocks; raise ConfigurationInvalid."""
    own = _own(folder / POLICY_FILE)
    both = merged(panel, own)
    tilts = read_tilts(folder / CALIBRATION_FILE)
    policies = {preset: replace(load_policy(merged(CHANGES[preset], both)), tilts=tilts) for preset in Preset}
    return Rules(policies=policies, panel=panel, file=own)


def _own(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigurationInvalid(f"{path.name}: {error}") from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ConfigurationInvalid(f"{path.name}: the file must hold a mapping, such as `entities:`")
    return data
