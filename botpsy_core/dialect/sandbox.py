"""Where a model file's chat template runs: it can write a text of bounded size, and nothing else.

A GGUF comes from strangers, and its template runs in the home's own process.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import BuiltinMethodType
from typing import Any, NoReturn

from jinja2 import TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MOST_CHARACTERS = 2_000_000
"""Of all texts that one rendering makes on its way, together."""

_MOST_STEPS = 200_000
"""Of all loops of one rendering, together."""

_MOST_LITERALS = 200_000_000
"""Characters of the source that loops may write over and over."""

_LARGE = 10**12
"""No template counts that far; beyond it numbers grow without end."""

_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""A prompt that held today's date would be read anew every day; dates are computed by code, not by the model."""

_FILTERS = frozenset({
    "abs", "attr", "bool", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "int",
    "items", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "round",
    "safe", "select", "selectattr", "sort", "string", "sum", "title", "trim", "unique", "upper", "wordcount",
})  # fmt: skip
_TEXT_METHODS = frozenset({
    "capitalize", "count", "endswith", "find", "index", "isalnum", "isalpha", "isdigit", "islower", "isnumeric",
    "isspace", "isupper", "join", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace", "rfind",
    "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper",
})  # fmt: skip
"""Those of `str` that cannot turn a small text into a huge one, and two that are watched."""


class Budget:
    """What is left of one rendering's bounds."""

    def __init__(self, source: str) -> None:
        """Give a longer template fewer loop steps."""
        self._steps = min(_MOST_STEPS, _MOST_LITERALS // (len(source) + 1))
        self.refill()

    def refill(self) -> None:
        """Begin a new rendering."""
        self._steps_left, self._characters_left = self._steps, MOST_CHARACTERS

    def walk(self, items: Iterable[object]) -> Sequence[object] | Mapping[object, object]:
        """Return what a loop walks over; raise SecurityError once all loops together are too long."""
        found = items if isinstance(items, Mapping) else list(items)
        self._steps_left -= len(found) + 1
        if self._steps_left < 0:
            raise SecurityError("the template loops for too long")
        return found

    def spend(self, characters: int) -> None:
        """Count characters that are about to be made; raise SecurityError where they are too many."""
        self._characters_left -= characters
        if self._characters_left < 0:
            raise SecurityError("the template writes without end")

    def written(self, value: object) -> object:
        """Return a value that goes into the output, counted."""
        if isinstance(value, str):
            self.spend(len(value))
        return value


class Sandbox(ImmutableSandboxedEnvironment):
    """What chat templates expect around them, as transformers gives it, minus what could hurt."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, budget: Budget) -> None:
        """Bind everything that makes text to one budget."""
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols], finalize=budget.written
        )
        self._budget = budget
        self.filters = {name: self.filters[name] for name in _FILTERS if name in self.filters}
        self.filters |= {
            "tojson": _to_json,
            "walked": budget.walk,
            "glued": self._glued,
            "join": self._joined,
            "replace": self._replaced,
            "indent": _indented,
        }
        self.globals |= {"raise_exception": _raise, "strftime_now": _SOME_DAY.strftime}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Watch().visit(super()._parse(source, name, filename))
        return tree

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return True for what Jinja allows and no text can grow by."""
        return super().is_safe_attribute(obj, attr, value) and (not isinstance(obj, str) or attr in _TEXT_METHODS)

    def wrap_str_format(self, value: Any) -> None:
        """Refuse `format`, whose widths make a text of any size out of a few characters."""
        if getattr(value, "__name__", "") in {"format", "format_map"} and isinstance(value.__self__, str):
            raise SecurityError("the template uses 'format'")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Count what an addition makes; refuse what makes something of any size."""
        if operator == "+" and hasattr(left, "__len__") and hasattr(right, "__len__"):
            self._budget.spend(len(left) + len(right))
        elif operator == "**" or not all(isinstance(n, (int, float)) and abs(n) < _LARGE for n in (left, right)):
            raise SecurityError(f"the template uses {operator!r} on what it should not")
        return super().call_binop(context, operator, left, right)

    def call(self, context: Any, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call; the two methods of texts that can make long ones go the watched way."""
        owner = obj.__self__ if isinstance(obj, BuiltinMethodType) else None
        if isinstance(owner, str) and obj.__name__ == "join":
            return self._joined(args[0], owner)
        if isinstance(owner, str) and obj.__name__ == "replace":
            return self._replaced(owner, *args)
        return super().call(context, obj, *args, **kwargs)

    def _joined(self, items: Iterable[object], d: str = "", attribute: str | int | None = None) -> str:
        """Do what the filter `join` does, counted."""
        found = [item if attribute is None else self.getitem(item, attribute) for item in self._budget.walk(items)]
        texts = [str(item) for item in found]
        self._budget.spend(sum(len(text) + len(d) for text in texts))
        return d.join(texts)

    def _glued(self, parts: Sequence[object]) -> str:
        return self._joined(parts)

    def _replaced(self, text: str, old: str, new: str, count: int | None = None) -> str:
        """Do what the filter `replace` does, counted."""
        self._budget.spend(len(text) + str(text).count(old) * len(new))
        return str(text).replace(old, new, -1 if count is None else count)


class _Watch(NodeTransformer):
    """Sends every loop and every `~` through the budget."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802  # Jinja's own convention
        """Count a loop's items before it starts."""
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "walked", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Filter:  # noqa: N802  # the same
        """Count a text before it is glued together."""
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "glued", [], [], None, None, lineno=node.lineno)


class _Generation(Extension):
    """Training marks, `{% generation %}`, which change nothing in the text."""

    tags = {"generation"}  # noqa: RUF012  # Jinja's own convention

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Return what stands inside."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,  # noqa: FBT001, FBT002  # templates pass these by position too
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,  # noqa: FBT001, FBT002
) -> str:
    width = None if indent is None else min(int(indent), 8)
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=width, separators=separators, sort_keys=sort_keys)


def _indented(text: str, width: int = 4, first: bool = False) -> str:  # noqa: FBT001, FBT002  # Jinja's own signature
    pad = " " * min(int(width), 8)
    return (pad if first else "") + str(text).replace("\n", "\n" + pad)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)
