"""The same grammar in llama.cpp's own notation allows the same texts, by llama.cpp's own word."""

import ctypes
import random

import llama_cpp as ll
import pytest

from botpsy_core.dialect.families import FAMILIES
from botpsy_core.dialect.grammar import build_grammar
from botpsy_core.engine.gbnf import NotConvertible, regex_to_gbnf, to_gbnf
from botpsy_core.engine.llama import Model
from tests.core import tiny_gguf
from tests.core.language.language_samples import Checker, offer


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    model = Model(tiny_gguf.build(tmp_path_factory.mktemp("models") / "tiny.gguf"))
    yield model
    model.close()


class Judge:
    """llama.cpp's grammar sampler, asked token by token."""

    def __init__(self, model, gbnf):
        self._model = model
        self._vocab = ll.llama_model_get_vocab(model.pointer)
        self._sampler = ll.llama_sampler_init_grammar(self._vocab, gbnf.encode(), b"root")
        assert self._sampler, gbnf

    def allows(self, token):
        data = (ll.llama_token_data * 1)(ll.llama_token_data(token, 1.0, 0.0))
        array = ll.llama_token_data_array(data, 1, -1, 0)
        ll.llama_sampler_apply(self._sampler, ctypes.byref(array))
        return data[0].logit > -1e30

    def accepts(self, text):
        for token in self._model.tokenize(text, first=False):
            if not self.allows(token):
                return False
            ll.llama_sampler_accept(self._sampler, token)
        return self.allows(ll.llama_vocab_eos(self._vocab))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
@pytest.mark.parametrize("may_answer", [False, True])
def test_every_text_of_our_grammar_is_allowed(model, family, may_answer):
    grammar = build_grammar(family, offer(may_answer=may_answer))
    gbnf = to_gbnf(grammar.lark)
    checker, dice = Checker(), random.Random(3)
    for _ in range(30):
        text = checker.walk(grammar, dice).replace("\0", "x")  # llama.cpp takes it for an end
        assert Judge(model, gbnf).accepts(text), text


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_what_our_grammar_does_not_allow_is_not_allowed(model, family):
    grammar = build_grammar(family, offer())
    gbnf = to_gbnf(grammar.lark)
    checker, dice = Checker(), random.Random(5)
    tried = 0
    for _ in range(60):
        text = checker.walk(grammar, dice)
        place = dice.randrange(len(text))
        broken = text[:place] + dice.choice("xyz<>{}0 ") + text[place + 1 :]
        if not checker.accepts(grammar, broken):
            tried += 1
            assert not Judge(model, gbnf).accepts(broken), broken
    assert tried > 20


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"turn_(on|off)", ["turn_on", "turn_off"], ["turn_", "turn_onn"]),
        (r"[0-9]{1,3}", ["1", "123"], ["", "1234", "a"]),
        (r"a\sb\.c", ["a b.c"], ["a b,c"]),
        (r"(x[yz]?)+", ["x", "xyxz"], ["", "y"]),
        (r".*!", ["!", "hello!"], ["hello"]),
    ],
)
def test_a_regular_expression_means_the_same(model, pattern, good, bad):
    for text in good:
        assert Judge(model, f"root ::= {regex_to_gbnf(pattern)}").accepts(text), text
    for text in bad:
        assert not Judge(model, f"root ::= {regex_to_gbnf(pattern)}").accepts(text), text


@pytest.mark.parametrize(
    "lark", ["", "start nothing", "start: A & B\nA: /a/\nB: /b/", 'start: %regex {"x": 1}', "start: ~"]
)
def test_what_has_no_counterpart_is_refused(lark):
    with pytest.raises(NotConvertible):
        to_gbnf(lark)


def test_json_values_are_bounded_by_their_type(model):
    gbnf = to_gbnf('start: "v" %json {"type": "integer"}')
    assert Judge(model, gbnf).accepts("v-12")
    assert not Judge(model, gbnf).accepts('v"12"')
    gbnf = to_gbnf('start: %json {"type": "object", "properties": {}}')
    assert Judge(model, gbnf).accepts('{"a": [1, "b", null]}')
    assert not Judge(model, gbnf).accepts('{"a": }')
