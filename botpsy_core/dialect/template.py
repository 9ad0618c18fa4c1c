"""A model file's own chat template."""

from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Template, TemplateError

from botpsy_core.dialect.sandbox import Budget, Sandbox
from botpsy_core.errors import ModelFileInvalid

PLAIN_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""For a file without a template."""

_LONGEST = 100_000
"""Characters of a template; the longest known has a tenth of it."""


class ChatTemplate:
    """One compiled template."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        """Compile; raise ModelFileInvalid where it is no template."""
        if len(source) > _LONGEST:
            raise ModelFileInvalid("the model's chat template is too long")
        self._budget = Budget(source)
        try:
            self._template: Template = Sandbox(self._budget).from_string(source)
        except (TemplateError, RecursionError) as fault:
            raise ModelFileInvalid(f"the model's chat template does not compile: {fault}") from fault
        self._constants = {"bos_token": bos, "eos_token": eos, "add_generation_prompt": True}

    def render(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], *, thinking: bool
    ) -> str:
        """Return the prompt; raise ModelFileInvalid where the template fails or refuses."""
        self._budget.refill()
        try:
            return self._template.render(
                messages=messages, tools=tools or None, enable_thinking=thinking, **self._constants
            )
        except (
            TemplateError,
            ArithmeticError,
            TypeError,
            ValueError,
            LookupError,
            AttributeError,
            RecursionError,
        ) as f:
            raise ModelFileInvalid(f"the model's chat template fails: {f}") from f
