"""The ear: an utterance, the home and the talk so far become Heard, once a turn, before anything else."""

from botpsy_core.hearing.ear import hear
from botpsy_core.hearing.politeness import asks_to_act, begins_by_telling

__all__ = ["asks_to_act", "begins_by_telling", "hear"]
