"""A question in form only, whose verb the ear need not know, asks for an act."""

import pytest

from botpsy_core.hearing import asks_to_act


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Could you reconcile the ledger of May?"),
        ("en", "Hello, would you please annotate this sketch?"),
        ("en", "The ledger is a mess. I need to reconcile it. What about today?"),
        ("de", "Könntest du die Skizze archivieren?"),
        ("fr", "Pourriez-vous archiver le croquis ?"),
        ("es", "¿Podrías archivar el boceto?"),
        ("it", "Puoi archiviare lo schizzo?"),
        ("pt", "Você pode arquivar o esboço?"),
        ("nl", "Kun je de schets archiveren?"),
        ("pl", "Czy możesz zarchiwizować szkic?"),
        ("ru", "Можешь заархивировать эскиз?"),
        ("zh", "能不能帮我归档草图"),
        ("hi", "क्या आप नक्शा संग्रहित करेंगे?"),
    ],
)
def test_a_polite_question_is_a_request(language, text):
    assert asks_to_act(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "What happens if I reconcile the ledger?",
        "Could you tell me what the ledger holds?",
        "Could you show me how to reconcile the ledger?",
        "Should I reconcile the ledger?",
        "Would you reconcile the ledger if it were yours?",
        "You must not reconcile the ledger, could you?",
        "The ledger that we spoke of, could you have lost it?",
        "How many pages do I need?",
    ],
)
def test_a_question_stays_one(text):
    assert not asks_to_act(text, "en")
