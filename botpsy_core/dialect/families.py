"""The ways in which model families write tool calls, as data."""

from dataclasses import dataclass
from enum import StrEnum


class Values(StrEnum):
    """How an argument's value is written."""

    JSON = "json"
    """As JSON, inside a JSON object."""
    PYTHON = "python"
    """As a Python literal, inside a call."""
    RAW = "raw"
    """A string as it is, on lines of its own; anything else as JSON."""
    CDATA = "cdata"
    """A string as it is, in a CDATA section where XML asks for one; anything else as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The markers of one format.

    A call is `begin lead name_open NAME name_close ARGS end tail stop`, an argument `arg_open KEY arg_mid VALUE
    arg_close`. One renderer, one parser and one grammar builder read this and know no family by name.
    """

    name: str
    values: Values
    begin: str = ""
    """Opens a block of calls; empty where a call opens itself."""
    lead: str = ""
    name_open: str
    name_close: str
    arg_open: str = ""
    arg_mid: str
    arg_close: str = ""
    arg_join: str = ""
    end: str
    tail: str = ""
    stop: str = ""
    """Closes a block of calls; empty where a call closes itself."""
    one_block: bool = False
    """True where several calls stand in one block."""
    call_join: str = "\n"
    think_open: str = "<think>"
    think_close: str = "</think>"
    wraps_tools: bool = True
    """True where a listed tool is wrapped in `{"type": "function", "function": ...}`."""
    special: frozenset[str] = frozenset()
    """Which of the markers are single tokens of the model's vocabulary."""
    control: frozenset[str] = frozenset()
    """Every special token of the vocabulary; no value may hold one, since a tokenizer would not take it for text."""

    @property
    def opening(self) -> str:
        """Return the text that can only begin a call."""
        return self.begin or self.name_open

    @property
    def closing(self) -> str:
        """Return the text that ends a block of calls."""
        return self.stop or self.end

    @property
    def markers(self) -> tuple[str, ...]:
        """Return every text that must never come from anybody but the model or its template."""
        return tuple(dict.fromkeys((self.opening, self.closing, self.think_open, self.think_close)))


HERMES = Family(
    name="hermes",
    values=Values.JSON,
    begin="<tool_call>",
    lead="\n",
    name_open='{"name": "',
    name_close='", "arguments": {',
    arg_open='"',
    arg_mid='": ',
    arg_join=", ",
    end="}}",
    tail="\n",
    stop="</tool_call>",
)
"""Qwen2.5, Qwen3 and the many that follow them."""

TAGGED = Family(
    name="tagged",
    values=Values.RAW,
    begin="<tool_call>",
    lead="\n",
    name_open="<function=",
    name_close=">\n",
    arg_open="<parameter=",
    arg_mid=">\n",
    arg_close="\n</parameter>\n",
    end="</function>",
    tail="\n",
    stop="</tool_call>",
)
"""Qwen3.5, and so BotPsy; Qwen3-Coder."""

CALL_LIST = Family(
    name="call_list",
    values=Values.PYTHON,
    begin="<|tool_call_start|>",
    lead="[",
    name_open="",
    name_close="(",
    arg_mid="=",
    arg_join=", ",
    end=")",
    tail="]",
    stop="<|tool_call_end|>",
    one_block=True,
    call_join=", ",
    wraps_tools=False,
)
"""LFM2 and LFM2.5."""

FUNCTION_XML = Family(
    name="function_xml",
    values=Values.CDATA,
    name_open='<function name="',
    name_close='">',
    arg_open='<param name="',
    arg_mid='">',
    arg_close="</param>",
    end="</function>",
)
"""MiniCPM5."""

FENCED = Family(
    name="fenced",
    values=Values.JSON,
    begin="```json",
    lead="\n",
    name_open='{"name": "',
    name_close='", "arguments": {',
    arg_open='"',
    arg_mid='": ',
    arg_join=", ",
    end="}}",
    tail="\n",
    stop="```",
)
"""Models that were taught no format: JSON in a code fence, which every one of them has seen."""

FAMILIES = (HERMES, TAGGED, CALL_LIST, FUNCTION_XML, FENCED)
