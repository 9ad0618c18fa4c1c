"""How likely each of several continuations is, in as few decodes as there are batches."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from botpsy_core.engine.batch import BATCH, Logits, Row
from botpsy_core.engine.stream import Stream


@dataclass(slots=True)
class _Node:
    """One token of the tree of continuations, and who goes through it."""

    token: int
    depth: int
    owners: list[int]
    children: dict[object, _Node] = field(default_factory=dict)


def score(stream: Stream, continuations: Sequence[Sequence[int]]) -> list[float]:
    """Return the summed log probability of each continuation after the stream's last token, whose logits are there."""
    sums = [0.0] * len(continuations)
    first = [tokens[0] for tokens in continuations]
    for owner, value in enumerate(_log_softmax(stream.logits(), first)):
        sums[owner] = value
    width = stream.context.sequences - 1
    for start in range(0, len(continuations), width):
        group = range(start, min(start + width, len(continuations)))
        _score_group(stream, {owner: continuations[owner] for owner in group}, sums)
    return sums


def _score_group(stream: Stream, group: dict[int, Sequence[int]], sums: list[float]) -> None:
    """Add what the second and later tokens say; only those ask for logits."""
    owners = [owner for owner, tokens in group.items() if len(tokens) > 1]
    if not owners:
        return
    sequence = {owner: place + 1 for place, owner in enumerate(owners)}
    context, begin = stream.context, len(stream.tokens)
    for owner in owners:
        context.copy(0, sequence[owner])
    try:
        nodes = _tree({owner: group[owner][:-1] for owner in owners}, shared=stream.cuts)
        for offset in range(0, len(nodes), BATCH):
            part = nodes[offset : offset + BATCH]
            context.decode(
                [Row(n.token, begin + n.depth, tuple(sequence[o] for o in n.owners), logits=True) for n in part]
            )
            for row, node in enumerate(part):
                nexts = [group[owner][node.depth + 1] for owner in node.owners]
                for owner, value in zip(node.owners, _log_softmax(context.logits(row), nexts), strict=True):
                    sums[owner] += value
    finally:
        for owner in owners:
            context.cut(sequence[owner], -1)


def _tree(continuations: dict[int, Sequence[int]], *, shared: bool) -> list[_Node]:
    """Return the tokens to evaluate, parents first; equal beginnings once where the memory allows it."""
    roots: dict[object, _Node] = {}
    for owner, tokens in continuations.items():
        level = roots
        for depth, token in enumerate(tokens):
            key = token if shared else (owner, token)
            node = level.setdefault(key, _Node(token, depth, []))
            node.owners.append(owner)
            level = node.children
    ordered: list[_Node] = []
    queue = list(roots.values())
    while queue:
        ordered.extend(queue)
        queue = [child for node in queue for child in node.children.values()]
    return ordered


def _log_softmax(logits: Logits, tokens: Sequence[int]) -> list[float]:
    top = float(logits.max())
    total = top + float(np.log(np.exp(logits - top).sum(dtype=np.float64)))
    return [float(logits[token]) - total for token in tokens]
