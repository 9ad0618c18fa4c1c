import pytest

from botpsy_core.agent import read_ahead
from botpsy_core.agent.phrases import phrases_for
from botpsy_core.hearing.lexicon import lexicon_for
from botpsy_core.hearing.numbers import number_words


@pytest.mark.parametrize("language", ["en", "de", "en-GB", "xx"])
def test_a_language_is_read_once_and_before_the_first_turn(language):
    read_ahead(language)
    before = [cached.cache_info().misses for cached in (phrases_for, lexicon_for, number_words)]
    read_ahead(language)
    assert [cached.cache_info().misses for cached in (phrases_for, lexicon_for, number_words)] == before
    assert all(cached.cache_info().currsize for cached in (phrases_for, lexicon_for, number_words))
