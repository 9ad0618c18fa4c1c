"""Thinking with an end: a budget before it, a way out of it, an eye on loops."""

from collections import Counter
from dataclasses import dataclass, replace

from botpsy_core.dialect.families import Family
from botpsy_core.domain.engine import Limits, Prompt

_LONGEST_PERIOD = 240
"""Characters of a run that is still recognised when it comes again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingBudget:
    """What a thought may cost; after it the thought is closed and the answer forced."""

    tokens: int = 256
    seconds: float = 10.0

    def limits(self, family: Family, whole: Limits) -> Limits:
        """Return the bounds of the thought alone, inside those of the whole answer."""
        return replace(
            whole,
            max_tokens=min(self.tokens, whole.max_tokens),
            timeout_s=min(self.seconds, whole.timeout_s),
            stop=(*whole.stop, family.think_close),
        )


def opens_thought(family: Family, prompt: Prompt) -> bool:
    """Return True if the model's first word would stand inside a thought."""
    return prompt.tail.rstrip().endswith(family.think_open)


def begin_thought(family: Family, prompt: Prompt) -> Prompt:
    """Return the prompt with a thought opened, by its template or by us."""
    if opens_thought(family, prompt):
        return prompt
    return replace(prompt, tail=f"{prompt.tail}{family.think_open}\n")


def end_thought(family: Family, prompt: Prompt, thought: str) -> Prompt:
    """Return the prompt with this thought written and closed, so that only the answer is left to write."""
    opened = begin_thought(family, prompt)
    text = thought.partition(family.think_close)[0].strip()
    return replace(opened, tail=f"{opened.tail}{text}\n{family.think_close}\n\n")


def goes_round(text: str) -> bool:
    """Return True if the text has begun to repeat itself: a run three times in a row, or a line four times."""
    for period in range(1, min(_LONGEST_PERIOD, len(text) // 3) + 1):
        times = max(3, 24 // period)
        if text.endswith(text[-period:] * times) and text[-period:].strip():
            return True
    lines = Counter(line.strip() for line in text.splitlines() if len(line.strip()) > 12)
    return any(count >= 4 for count in lines.values())
