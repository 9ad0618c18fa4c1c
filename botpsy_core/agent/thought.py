"""Let a model think before it decides, within a hard budget; then the thought is closed and the answer forced."""

import time
from contextlib import aclosing
from dataclasses import replace

from botpsy_core.dialect import ThinkingBudget, begin_thought, end_thought, goes_round
from botpsy_core.dialect.families import Family
from botpsy_core.domain.engine import Finished, Limits, Prompt
from botpsy_core.domain.events import Usage
from botpsy_core.ports import Engine

LEAST_S = 5.0
"""Seconds that are left for the answer, however long the thought took."""


async def think(
    engine: Engine, family: Family, prompt: Prompt, *, budget: ThinkingBudget, limits: Limits
) -> tuple[Prompt, Limits, Usage]:
    """Return the prompt with a closed thought, what is left for the answer, and what it cost; raise EngineFailed.

    A thought that goes round in circles is cut off there.
    """
    started = time.monotonic()
    thought, usage = "", Usage()
    opened = begin_thought(family, prompt)
    async with aclosing(engine.generate(opened, None, budget.limits(family, limits))) as parts:  # type: ignore[type-var]
        async for part in parts:
            if isinstance(part, Finished):
                usage = Usage(
                    prompt_tokens=part.prompt_tokens,
                    prompt_tokens_evaluated=part.prompt_tokens_evaluated,
                    generated_tokens=part.generated_tokens,
                    engine_seconds=part.seconds,
                )
                continue
            thought += part.text
            if goes_round(thought):
                break
    left = max(limits.timeout_s - (time.monotonic() - started), LEAST_S)
    return end_thought(family, prompt, thought), replace(limits, timeout_s=left), usage
