"""A model file's chat template, run so that it can do nothing but write text.

A GGUF comes from strangers, so its template may neither reach objects nor run for long.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

from jinja2 import Environment, Template, TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from botpsy_core.errors import ModelFileInvalid

_MOST_CHARACTERS = 200_000
_MOST_ITEMS = 200_000
"""Loop steps of one rendering, all loops together."""

_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""A prompt that held today's date would be read anew every day; dates are computed by code, not by the model."""


class _Generation(Extension):
    """Training marks, `{% generation %}`, which change nothing in the text."""

    tags = {"generation"}  # noqa: RUF012  # Jinja's own convention

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Return what stands inside."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Budget:
    """Loop steps that are left."""

    def __init__(self) -> None:
        self.left = _MOST_ITEMS

    def spend(self, items: Iterable[object]) -> Sequence[object] | Mapping[object, object]:
        """Return the items; raise once a template has looped for too long."""
        found = items if isinstance(items, Mapping) else list(items)
        self.left -= len(found) + 1
        if self.left < 0:
            raise SecurityError("the template loops for too long")
        return found


class _Sandbox(ImmutableSandboxedEnvironment):
    """What chat templates expect of their environment, as Hugging Face's transformers gives it."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "counted", [], [], None, None, lineno=loop.lineno)
        return tree

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse what makes a text or a number of any size out of a few characters."""
        numbers = all(isinstance(side, (int, float)) for side in (left, right))
        if operator == "**" or (operator != "%" and not numbers) or (operator == "%" and isinstance(left, str)):
            raise SecurityError(f"the template uses {operator!r} on what it should not")
        return super().call_binop(context, operator, left, right)


class ChatTemplate:
    """One compiled template."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        """Compile; raise ModelFileInvalid where it is no template."""
        if len(source) > _MOST_CHARACTERS:
            raise ModelFileInvalid("the model's chat template is too long")
        self._budget = _Budget()
        environment = _environment(self._budget)
        try:
            self._template: Template = environment.from_string(source)
        except (TemplateError, RecursionError) as fault:
            raise ModelFileInvalid(f"the model's chat template does not compile: {fault}") from fault
        self._constants = {"bos_token": bos, "eos_token": eos, "add_generation_prompt": True}

    def render(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], *, thinking: bool
    ) -> str:
        """Return the prompt; raise ModelFileInvalid where the template fails or refuses."""
        self._budget.left = _MOST_ITEMS
        try:
            text = self._template.render(
                messages=messages, tools=tools or None, enable_thinking=thinking, **self._constants
            )
        except (TemplateError, TypeError, ValueError, LookupError, AttributeError, RecursionError) as fault:
            raise ModelFileInvalid(f"the model's chat template fails: {fault}") from fault
        if len(text) > _MOST_CHARACTERS * 5:
            raise ModelFileInvalid("the model's chat template writes without end")
        return text


def _environment(budget: _Budget) -> Environment:
    environment = _Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    environment.filters["tojson"] = _to_json
    environment.filters["counted"] = budget.spend
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = _some_day
    return environment


def _to_json(
    value: Any,
    ensure_ascii: bool = False,  # noqa: FBT001, FBT002  # templates pass these by position too
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,  # noqa: FBT001, FBT002
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)


def _some_day(pattern: str) -> str:
    return _SOME_DAY.strftime(pattern)
