"""Small homes, templates and a byte tokenizer for the language room's tests."""

import re

from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.engine import Grammar, ModelInfo
from botpsy_core.domain.offer import Choice, Offer, OfferedTool, Slot
from botpsy_core.domain.tools import ASK_USER, NO_SUITABLE_TOOL, Argument, Role, ToolSpec

TARGET = Argument(name="target", role=Role.TARGET, schema={"type": "array", "items": {"type": "string"}}, required=True)
BRIGHTNESS = Argument(name="brightness", role=Role.NUMBER, schema={"type": "integer", "minimum": 1, "maximum": 100})
ITEM = Argument(name="item", role=Role.TEXT, schema={"type": "string"}, required=True)

LIGHT = ToolSpec(name="light_on", description="Switch lights on.", arguments=(TARGET, BRIGHTNESS))
LIST = ToolSpec(name="list_add", description="Put an item on a list.", arguments=(ITEM,))
STOP = ToolSpec(name="stop-all", description="Stop everything.")
TOOLS = (LIGHT, LIST, STOP)
NAMES = frozenset(tool.name for tool in TOOLS)

KITCHEN = Choice(label='Kitchen "big" light', value=["light.kitchen"])
HALL = Choice(label="Hall lamp", value=["light.hall"])

GOOD = [
    RawCall(name="light_on", args={"target": KITCHEN.label, "brightness": 40}),
    RawCall(name="light_on", args={"target": HALL.label}),
    RawCall(name="list_add", args={"item": "milk, and 2 eggs"}),
    RawCall(name="list_add", args={"item": "2"}),
    RawCall(name="stop-all"),
    RawCall(name=NO_SUITABLE_TOOL),
    RawCall(name=ASK_USER),
]
"""What the offer below lets a model call."""

CHATML = (
    "{%- if tools %}<|im_start|>system\n{{ messages[0].content }}\n<tools>{% for t in tools %}\n{{ t | tojson }}"
    '{% endfor %}\n</tools>\n<tool_call>\n{"name": .., "arguments": ..}\n</tool_call><|im_end|>\n{% endif %}'
    "{%- for m in messages %}{% if m.role == 'system' and tools %}{% continue %}{% endif %}"
    "<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>\n"
    '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}'
    "<|im_end|>\n{% endfor %}<|im_start|>assistant\n{% if not enable_thinking %}<think>\n\n</think>\n\n{% endif %}"
)
"""Lists tools, writes calls, knows tool messages."""

BARE = (
    "{% for m in messages %}{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('no role') }}{% endif %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}"
    "[{{ m.role }}] {{ m.content | trim }} {{ eos_token if m.role == 'assistant' }}{% endfor %}[assistant]"
)
"""Knows users and assistants in turn and nothing else."""


def model(template="", *, architecture="x", special=()):
    return ModelInfo(
        name="sample",
        architecture=architecture,
        template=template,
        digest="0",
        context_tokens=4096,
        bos="<s>",
        eos="</s>",
        special=special,
    )


def offer(*, words="put milk, and 2 eggs on the list", may_answer=False):
    return Offer(
        tools=(
            OfferedTool(
                tool=LIGHT,
                slots=(
                    Slot(argument=TARGET, choices=(KITCHEN, HALL), required=True),
                    Slot(argument=BRIGHTNESS, choices=(Choice(label="40", value=40),)),
                ),
            ),
            OfferedTool(tool=LIST, slots=(Slot(argument=ITEM, words=words, required=True),)),
            OfferedTool(tool=STOP),
        ),
        may_answer=may_answer,
    )


class _Bytes:
    """A vocabulary of the 256 bytes and some special tokens."""

    def __init__(self, special):
        self.special = tuple(special)
        self.tokens = [bytes([i]) for i in range(256)] + [b"\xff" + s.encode() for s in special] + [b"\xff<eos>"]
        self.eos_token_id = len(self.tokens) - 1
        self.bos_token_id = None
        self.special_token_ids = list(range(256, len(self.tokens)))

    def __call__(self, text):
        return list(text)

    def encode(self, text):
        if not self.special:
            return list(text.encode())
        pieces = re.split("(" + "|".join(map(re.escape, self.special)) + ")", text)
        ids = ([256 + self.special.index(piece)] if piece in self.special else list(piece.encode()) for piece in pieces)
        return [token for some in ids for token in some]


class Checker:
    """Says what a grammar accepts, by llguidance's own word."""

    def __init__(self, special=()):
        self._bytes = _Bytes(special)
        self._tokenizer = LLTokenizer(TokenizerWrapper(self._bytes))

    def problem(self, grammar: Grammar) -> str:
        return LLMatcher.validate_grammar(grammar.lark, self._tokenizer)

    def accepts(self, grammar: Grammar, text: str) -> bool:
        matcher = LLMatcher(self._tokenizer, grammar.lark, log_level=0)
        ids = self._bytes.encode(text)
        return matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting()

    def forced(self, grammar: Grammar, text: str) -> str:
        """Return what must follow a text."""
        matcher = LLMatcher(self._tokenizer, grammar.lark, log_level=0)
        matcher.consume_tokens(self._bytes.encode(text))
        return self._tokenizer.decode_str(matcher.compute_ff_tokens())

    def walk(self, grammar: Grammar, dice) -> str:
        """Return a random text that the grammar allows."""
        matcher = LLMatcher(self._tokenizer, grammar.lark, log_level=0)
        written = b""
        while not matcher.is_stopped():
            mask = matcher.compute_bitmask()
            allowed = [token for token in range(256) if mask[token // 8] >> token % 8 & 1]
            if not allowed:
                break
            token = dice.choice(allowed)
            assert matcher.consume_token(token), matcher.get_error()
            written += bytes([token])
        assert not matcher.is_error() or matcher.is_accepting(), matcher.get_error()
        return written.decode()
