"""Several requests with one verb: the second goes on in the shape of the first."""

from datetime import UTC, datetime

import pytest

from botpsy_core.catalog import foreign_tool, is_elided, parts_of
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
SPEAK = ("dub_phrase", "Dub a phrase in a tongue.", {"phrase": TEXT, "tongue": TEXT})
MIX = ("mix_paint", "Mix litres of paint of a colour.", {"litres": WHOLE, "base": TEXT})
RENT = ("rent_stall", "Rent a stall with tables and chairs.", {"tables": WHOLE}, {"chairs": WHOLE})
TILE = ("tile_floor", "Tiles for a floor of a width and a depth.", {"width": WHOLE, "depth": WHOLE})
SACKS = ("weigh_sacks", "Weigh sacks of flour.", {"weights": {"type": "array", "items": WHOLE}})
SUM = ("plot_curve", "Plot the curve of a formula.", {"formula": TEXT})


def tool(name, description, needed, may=None):
    parameters = {"type": "object", "properties": {**needed, **(may or {})}, "required": list(needed)}
    return foreign_tool({"name": name, "description": description, "parameters": parameters})


def heard(text, language="en"):
    now = datetime(2026, 3, 23, 12, tzinfo=UTC)
    context = TurnContext(conversation_id="c", origin=Origin.CHAT, now=now, language=language)
    return hear(text, home=Home(language=language), transcript=Transcript(), context=context)


def parts(spec, text, language="en"):
    said = heard(text, language)
    return [p.text for p in parts_of(said.clauses[0], said, [tool(*spec)])]


@pytest.mark.parametrize(
    ("spec", "text", "language", "rest"),
    [
        (MIX, "Mix 5 litres of paint on lime and 30 litres of paint on chalk.", "en", ["30 litres of paint on chalk."]),
        (MIX, "Mix two litres with lime paint, four litres with chalk paint and six litres with oil paint", "en",
         ["four litres with chalk paint and", "six litres with oil paint"]),
        (SPEAK, "Dub the phrase 'mind the gap' into Welsh and into Breton.", "en", ["into Breton."]),
        (MIX, "mix paint: 5 Liter mit Kalk und 3 Liter mit Lehm", "de", ["3 Liter mit Lehm"]),
    ],
)  # fmt: skip
def test_what_goes_on_in_the_same_shape_is_a_request_of_its_own(spec, text, language, rest):
    assert parts(spec, text, language)[1:] == rest


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (TILE, "Tiles for a floor of width 5 and of depth 4"),
        (RENT, "Rent a stall with 5 tables and with 20 chairs"),
        (SACKS, "Weigh sacks of 5 kilos and of 8 kilos"),
        (SUM, "Plot the curve 3x of 2 + 2x of 3"),
        (SPEAK, "Dub the phrase 'salt and into pepper' into Welsh"),
        (MIX, "Mix 5 litres of paint on lime and nothing else"),
    ],
)
def test_what_belongs_to_one_request_stays_together(spec, text):
    assert parts(spec, text) == [text]


def test_only_a_part_without_a_verb_of_its_own_is_elided():
    spec, said = tool(*SPEAK), heard("Dub the phrase 'mind the gap' into Welsh and into Breton.")
    clause = said.clauses[0]
    assert [is_elided(p, clause, said, [spec]) for p in parts_of(clause, said, [spec])] == [False, True]
