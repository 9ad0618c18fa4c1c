"""The ear: an utterance, the home and the talk so far become Heard, once a turn, before anything else."""

from botpsy_core.hearing.ear import hear

__all__ = ["hear"]
