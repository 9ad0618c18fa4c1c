import pytest

from botpsy_core.agent import read_ahead
from botpsy_core.agent.phrases import _phrases
from botpsy_core.hearing.lexicon import _lexicon
from botpsy_core.hearing.numbers import number_words

READ = (_phrases, _lexicon, number_words)


@pytest.mark.parametrize("language", ["en", "de", "en-GB", "xx"])
def test_a_language_is_read_once_and_before_the_first_turn(language):
    read_ahead(language)
    before = [cached.cache_info().misses for cached in READ]
    read_ahead(language)
    assert [cached.cache_info().misses for cached in READ] == before
    assert all(cached.cache_info().currsize for cached in READ)


def test_a_region_is_no_language_of_its_own():
    read_ahead("en")
    before = [cached.cache_info().misses for cached in READ]
    read_ahead("en-GB")
    assert [cached.cache_info().misses for cached in READ] == before
