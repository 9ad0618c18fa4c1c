"""The first decodes of a worker: they read the weights, and show what is fastest here and now."""

from botpsy_core.engine.batch import Row
from botpsy_core.engine.llama import Context
from botpsy_core.engine.threads import fastest

_ROWS = 8
"""About a command's words; a single token follows, as in writing."""


def warm_up(context: Context) -> None:
    """Read the weights once, find out how many threads are fastest, and how large a full context is."""
    fewest = context.governor.levels[-1]
    words = [Row(0, place, logits=place == _ROWS - 1) for place in range(_ROWS)]
    batches = (words, [Row(0, _ROWS, logits=True)])
    context.timed([[Row(0, 0)]], threads=fewest)
    one = context.state_size()
    context.timed([[Row(0, place) for place in range(_ROWS + 1)]], threads=fewest)
    each = (context.state_size() - one) // _ROWS
    context.state_bytes = each * context.size + (one - each) * context.sequences
    best = fastest(
        context.governor.levels, lambda threads, limit_s: context.timed(batches, threads=threads, limit_s=limit_s)
    )
    context.governor.start_at(best)
    context.use(best)
    context.clear()
