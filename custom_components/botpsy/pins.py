"""The owner's PIN between a form, the stored entry and the guard."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botpsy_core.safety import PinHash


def hashed(pin: str) -> dict[str, str]:
    """Return a PIN as it is stored; blocks for some milliseconds; raise ValueError where it is too short."""
    from botpsy_core.safety import PinHash

    kept = PinHash.of(pin)
    return {"salt": kept.salt, "digest": kept.digest}


def restored(kept: Mapping[str, str] | None) -> PinHash | None:
    """Return a stored PIN as the guard compares it, or None where there is none."""
    from botpsy_core.safety import PinHash

    return PinHash(salt=kept["salt"], digest=kept["digest"]) if kept else None
