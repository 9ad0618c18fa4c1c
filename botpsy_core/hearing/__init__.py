"""The ear: an utterance, the home and the talk so far become Heard, once a turn, before anything else."""

from botpsy_core.hearing.ear import hear
from botpsy_core.hearing.politeness import asks_to_act

__all__ = ["asks_to_act", "hear"]
