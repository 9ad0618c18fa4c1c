"""The catalogue as choices of a form: what fits this machine comes first."""

from typing import TYPE_CHECKING

from homeassistant.helpers.selector import SelectOptionDict

if TYPE_CHECKING:
    from botpsy_core.engine.models import KnownModel


def choices(memory_mb: int) -> list[SelectOptionDict]:
    """Return every model in every size, the ones that fit into the memory first; blocks."""
    from botpsy_core.engine.models import catalogue

    all_sizes = [(model, size) for model in catalogue() for size in model.quantisations]
    fits = [each for each in all_sizes if not memory_mb or each[0].memory_mb(each[1]) <= memory_mb]
    rest = [each for each in all_sizes if each not in fits]
    return [SelectOptionDict(value=f"{model.key}/{size}", label=_label(model, size)) for model, size in (*fits, *rest)]


def title_of(choice: str) -> str:
    """Return a choice's title; blocks."""
    from botpsy_core.engine.models import find

    key, _, size = choice.rpartition("/")
    model = find(key)
    return f"{model.title} {size}" if model else choice


def _label(model: KnownModel, size: str) -> str:
    facts = f"{model.quantisations[size]} MB, needs {model.memory_mb(size)} MB of memory, {model.licence}"
    return " ".join((f"{model.title} {size}: {facts}.", *model.cautions))
