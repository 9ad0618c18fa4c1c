"""Questions for everything, for a time, for a warmth and for a text name what they ask about, in every language."""

import pytest

from botpsy_core.domain.heard import Mood
from botpsy_core.domain.tools import Direction
from tests.core.hearing.tables import best, heard, home_of, table


@pytest.mark.parametrize(
    ("language", "text", "direction"),
    [
        ("de", "ist alles abgeschlossen", Direction.LOCK),
        ("de", "wann wurde die Haustür geöffnet", Direction.OPEN),
        ("fr", "est-ce que tout est verrouillé", Direction.LOCK),
        ("es", "está todo cerrado", Direction.CLOSE),
        ("es", "cuándo se abrió la puerta del garaje", Direction.OPEN),
        ("it", "è tutto chiuso", Direction.CLOSE),
        ("it", "quando è stata aperta la porta del garage", Direction.OPEN),
        ("pt", "está tudo trancado", Direction.LOCK),
        ("pt", "quando a porta da garagem foi aberta", Direction.OPEN),
        ("nl", "is alles op slot", Direction.LOCK),
        ("nl", "wanneer is de garagedeur geopend", Direction.OPEN),
        ("pl", "czy wszystko jest zamknięte", Direction.CLOSE),
        ("pl", "kiedy otwarto garaż", Direction.OPEN),
        ("ru", "всё ли закрыто", Direction.CLOSE),
        ("ru", "когда открывали гараж", Direction.OPEN),
        ("zh", "都锁好了吗", Direction.LOCK),
        ("hi", "क्या सब कुछ बंद है", Direction.CLOSE),
        ("hi", "गैराज का दरवाज़ा कब खुला", Direction.OPEN),
    ],
)
def test_a_question_asks_about_all_or_since_when(language, text, direction):
    home = home_of(table(language)["home"])
    (clause,) = heard(text, home=home, language=language)
    assert clause.mood is Mood.QUESTION
    assert direction in clause.directions
    assert clause.targets
    assert clause.absent == ()
    assert clause.everything != clause.since


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "how warm is it in the living room"),
        ("de", "wie warm ist es im Wohnzimmer"),
        ("es", "cuántos grados hay en el salón"),
        ("it", "quanti gradi ci sono in soggiorno"),
        ("pt", "quantos graus estão na sala"),
        ("nl", "hoe warm is het in de woonkamer"),
        ("pl", "jak ciepło jest w salonie"),
        ("ru", "сколько градусов в гостиной"),
        ("zh", "客厅几度"),
        ("hi", "बैठक में कितने डिग्री है"),
    ],
)
def test_warmth_is_asked_of_what_measures_it(language, text):
    (clause,) = heard(text, home=home_of(table(language)["home"]), language=language)
    assert clause.mood is Mood.QUESTION
    assert clause.directions == ()
    assert set(best(clause)) <= {"climate.living", "sensor.temperature"}
    assert best(clause)


@pytest.mark.parametrize(
    ("language", "text", "thing"),
    [
        ("en", "did I lock the front door?", "lock.front"),
        ("de", "habe ich die Haustür abgeschlossen?", "lock.front"),
        ("fr", "est-ce que j'ai fermé la porte d'entrée à clé ?", "lock.front"),
        ("es", "¿he cerrado la puerta principal con llave?", "lock.front"),
        ("es", "¿cerré la puerta del garaje?", "cover.garage"),
        ("it", "ho chiuso a chiave la porta d'ingresso?", "lock.front"),
        ("pt", "eu tranquei a porta da frente?", "lock.front"),
        ("pt", "eu desliguei a máquina de café?", "switch.coffee"),
        ("nl", "heb ik de garagedeur dichtgedaan?", "cover.garage"),
        ("pl", "czy wyłączyłam ekspres do kawy?", "switch.coffee"),
        ("ru", "я запер входную дверь?", "lock.front"),
        ("ru", "я выключила кофеварку?", "switch.coffee"),
    ],
)
def test_whoever_asks_what_they_did_asks_how_it_is(language, text, thing):
    (clause,) = heard(text, home=home_of(table(language)["home"]), language=language)
    assert clause.mood is Mood.QUESTION
    assert clause.absent == ()
    assert best(clause) == [thing]


@pytest.mark.parametrize(("language", "asked"), [("pl", "w jakim stanie jest {}?"), ("ru", "{}: в каком состоянии?")])
def test_a_state_is_asked_for(language, asked):
    home = home_of(table(language)["home"])
    name = home.entity("switch.coffee").name
    (clause,) = heard(asked.format(name), home=home, language=language)
    assert clause.mood is Mood.QUESTION
    assert best(clause) == ["switch.coffee"]
