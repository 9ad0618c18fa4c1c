"""The rival without a house: the same model bare, in its own format, its prompt read before and kept."""

import time
from collections.abc import Callable, Sequence

from botpsy_core.domain.home import Home
from botpsy_core.evaluate.bench import assist
from botpsy_core.evaluate.bench.homes import COMMANDS
from botpsy_core.evaluate.bench.rows import PATIENCE_S
from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.unguarded import Unguarded
from botpsy_core.ports import Engine


async def hold(
    engine: Engine, home: Home, commands: Sequence[str] = COMMANDS, *, say: Callable[[str], object] = str
) -> list[float]:
    """Ask command by command, as far as the patience goes; return the seconds of each, up to its written call.

    Generous to the rival: it hears each command alone, so that nothing but the command is read anew; it knows names,
    kinds and areas but no states, which would have to be read again; and its call is not carried out.
    """
    model = Unguarded(engine)
    await model.predict(_case("hello", home))
    seconds: list[float] = []
    began = time.perf_counter()
    for text in commands:
        started = time.perf_counter()
        answer = await model.predict(_case(text, home))
        seconds.append(time.perf_counter() - started)
        read = answer.facts["prompt_tokens_evaluated"]
        say(f"  {text}: {seconds[-1]:.1f} s, {read} tokens read, {[call.name for call in answer.calls]}")
        if time.perf_counter() - began > PATIENCE_S:
            break
    return seconds


def _case(text: str, home: Home) -> Case:
    return Case(
        id=text,
        category="bench",
        language="en",
        messages=[{"role": "system", "content": assist.system_of(home)}, {"role": "user", "content": text}],
        tools=assist.functions(),
        expected={"type": "any_call"},
    )
