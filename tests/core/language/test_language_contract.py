"""What the grammar lets a model write, the library takes."""

import random

import pytest
from language_samples import NAMES, Checker, offer

from botpsy_core.catalog import resolve
from botpsy_core.dialect import Parser, build_grammar
from botpsy_core.dialect.families import HERMES
from botpsy_core.domain.offer import Offer

WORDS = [
    "put milk, and 2 eggs on the list",
    'say "hello there!" to Bob (now)',
    "don't forget: the e-mail, at 3.5 %",
    "добавь молоко, хлеб и сыр",
    "把牛奶加到购物清单",
    "우유를 목록에 추가해",
]


@pytest.mark.parametrize("words", WORDS)
def test_every_run_of_words_that_the_grammar_allows_was_said(words):
    chosen = Offer(tools=offer(words=words).tools[1:2])
    grammar = build_grammar(HERMES, chosen)
    checker, dice = Checker(), random.Random(words)
    written = [call for _ in range(120) for call in Parser(HERMES, NAMES).feed(checker.walk(grammar, dice))]
    added = [raw for raw in written if raw.name == "list_add"]
    assert len(added) > 10
    assert [resolve(raw, offer=chosen, call_id="1").args for raw in added] == [raw.args for raw in added]
