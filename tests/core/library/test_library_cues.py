import pytest

from botpsy_core.domain.cues import cue_hits, word_hits

CUES = {
    "en": [["list", "to do"], ["add*", "put"]],
    "de": [["*liste"], ["setz*"]],
    "zh": [["清单"], ["加", "放"]],
    "hi": [["सूची"], ["डाल"]],
}


@pytest.mark.parametrize(
    ("text", "language", "cued"),
    [
        ("Put milk on the list", "en", True),
        ("Adding milk to the list", "en", True),
        ("milk on the list", "en", False),
        ("put milk on the listing", "en", False),
        ("my TO DO: put it down", "en", True),
        ("Setz Milch auf die Einkaufsliste", "de", True),
        ("Setz Milch auf die Listenansicht", "de", False),
        ("把牛奶放到购物清单", "zh", True),
        ("सूची में दूध डाल दो", "hi", True),
        ("सूची में दूध डालें", "hi", False),
        ("put it on the list", "fr", True),
    ],
)
def test_one_word_of_each_group_is_wanted(text, language, cued):
    assert all(cue_hits(CUES, text, language)) is cued


def test_without_cues_there_are_no_groups():
    assert cue_hits({}, "put it on the list", "en") == ()


def test_no_words_hit_nothing():
    assert word_hits((), "put it on the list") == ()


def test_a_hit_says_where_it_stands():
    (lists, adds) = cue_hits(CUES, "Put it on the list", "en")
    assert [(s.start, s.end) for s in (*lists, *adds)] == [(14, 18), (0, 3)]
