"""What goes into one decode and comes out of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BATCH = 128
"""Tokens of one decode at most; with a large vocabulary a longer batch only costs memory."""

type Logits = NDArray[np.float32]
type State = NDArray[np.uint8]


class Aborted(Exception):
    """A decode was stopped from outside; the tokens of that batch are not in the context."""


class ContextFull(Exception):
    """The tokens do not fit into the context."""


@dataclass(frozen=True, slots=True)
class Row:
    """One token of a batch."""

    token: int
    position: int
    sequences: tuple[int, ...] = (0,)
    logits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What a grammar engine needs to know of the tokens; the pointers die with the model."""

    pieces: list[bytes]
    """Special tokens begin with 0xff."""
    ends: list[int]
    """Tokens that end an answer, the model's own first."""
    pointer: int
    tokenize: int
