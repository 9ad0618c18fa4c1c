"""A language is named in the words of eleven languages; a country's tea is no language."""

import pytest

from botpsy_core.domain.tongues import subtag, tongues_in


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("read it aloud in Chinese, please", {"zh"}),
        ("from English to French", {"en", "fr"}),
        ("übersetze es ins Deutsche", {"de"}),
        ("traduis-le en français", {"fr"}),
        ("tradúcelo al español", {"es"}),
        ("traducilo in italiano", {"it"}),
        ("traduz para português", {"pt"}),
        ("vertaal het naar het Nederlands", {"nl"}),
        ("przetłumacz na polski", {"pl"}),
        ("переведи на русский", {"ru"}),
        ("翻译成中文", {"zh"}),
        ("इसे हिंदी", {"hi"}),
        ("a pot of Chinese tea", set()),
        ("the finish of the boat", set()),
    ],
)
def test_a_language_is_known_by_its_name(text, named):
    assert set(tongues_in(text)) == named


@pytest.mark.parametrize(("tag", "language"), [("zh-CN", "zh"), ("EN", "en"), ("pt_BR", "pt"), ("wav", ""), ("on", "")])
def test_a_tag_tells_its_language(tag, language):
    assert subtag(tag) == language
