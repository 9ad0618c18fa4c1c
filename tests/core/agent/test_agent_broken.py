"""What an adversary found: sentences that once moved a thing that nobody meant, each to a fresh home."""

import pytest
from eager_engine import EagerEngine

from botpsy_core.domain.events import Executed, TurnStatus
from botpsy_core.domain.home import Area, Entity, Home
from botpsy_core.domain.tools import Risk
from botpsy_core.domain.verdicts import Reason
from botpsy_core.evaluate.talk import Talk

NAMES = {
    "en": ("Kitchen Light", "Hall Light", "TV", "Radio", "Kitchen"),
    "de": ("Küchenlicht", "Flurlicht", "Fernseher", "Radio", "Küche"),
    "fr": ("Lumière de la cuisine", "Lumière de l'entrée", "Télé", "Radio", "Cuisine"),
    "es": ("Luz de la cocina", "Luz del pasillo", "Tele", "Radio", "Cocina"),
    "it": ("Luce della cucina", "Luce del corridoio", "Tele", "Radio", "Cucina"),
    "pt": ("Luz da cozinha", "Luz do corredor", "TV", "Rádio", "Cozinha"),
    "nl": ("Keukenlamp", "Ganglamp", "Tv", "Radio", "Keuken"),
    "pl": ("Światło w kuchni", "Światło w korytarzu", "Telewizor", "Radio", "Kuchnia"),
    "ru": ("Свет на кухне", "Свет в коридоре", "Телевизор", "Радио", "Кухня"),
    "zh": ("厨房灯", "走廊灯", "电视", "收音机", "厨房"),
    "hi": ("रसोई की लाइट", "हॉल की लाइट", "टीवी", "रेडियो", "रसोई"),
}
IDS = ("light.kitchen", "light.hall", "media_player.tv", "media_player.radio")
NOTHING = (
    ("en", "turn off the kitchen light? no way"),
    ("en", "turn off the kitchen light. just kidding"),
    ("en", "stop the kitchen light from turning off"),
    ("en", "shut up"),
    ("de", "angenommen du machst das Küchenlicht aus"),
    ("fr", "éteins la lumière de la cuisine ? pas question"),
    ("fr", "éteins la lumière de la cuisine, non en fait laisse"),
    ("fr", "arrête d'éteindre la lumière de la cuisine"),
    ("es", "¿apaga la luz de la cocina? ni hablar"),
    ("es", "deja de apagar la luz de la cocina"),
    ("it", "spegni la luce della cucina? neanche per sogno"),
    ("it", "invece di spegnere la luce della cucina"),
    ("pt", "apaga a luz da cozinha? nem pensar"),
    ("pt", "pare de apagar a luz da cozinha"),
    ("nl", "doe de keukenlamp uit? geen sprake van"),
    ("nl", "stop met de keukenlamp uitdoen"),
    ("pl", "wyłącz światło w kuchni? nie ma mowy"),
    ("pl", "wyobraź sobie że wyłącz światło w kuchni"),
    ("ru", "выключи свет на кухне? ни за что"),
    ("ru", "представь что ты выключи свет на кухне"),
    ("zh", "假设关掉厨房灯"),
    ("hi", "रसोई की लाइट बंद मत करो"),
)
MOVED = (
    ("en", "turn off the TV instead of the kitchen light", {"media_player.tv"}),
    ("it", "spegni la tele invece della luce della cucina", {"media_player.tv"}),
    ("en", "turn off the TV, no, the kitchen light", {"light.kitchen"}),
    ("es", "apaga la tele, no, la luz de la cocina", {"light.kitchen"}),
    ("pt", "apague a TV, não, a luz da cozinha", {"light.kitchen"}),
    ("pl", "wyłącz telewizor, nie, światło w kuchni", {"light.kitchen"}),
    ("hi", "टीवी बंद करो, नहीं, रसोई की लाइट", {"light.kitchen"}),
    ("es", "apaga la tele pero no la luz de la cocina", {"media_player.tv"}),
    ("en", "turn off lights everywhere but the kitchen", {"light.hall"}),
    ("en", "turn off all the lights but leave the kitchen light on", {"light.hall"}),
    ("de", "mach alle Lichter aus, aber lass das Küchenlicht an", {"light.hall"}),
    ("fr", "éteins toutes les lumières mais laisse la lumière de la cuisine allumée", {"light.hall"}),
    ("es", "apaga todas las luces pero deja la luz de la cocina encendida", {"light.hall"}),
    ("pt", "apague todas as luzes mas deixe a luz da cozinha acesa", {"light.hall"}),
    ("nl", "doe alle lampen uit maar laat de keukenlamp aan", {"light.hall"}),
    ("pl", "wyłącz wszystkie światła ale zostaw światło w kuchni włączone", {"light.hall"}),
    ("hi", "सारी लाइट बंद करो लेकिन रसोई की लाइट चालू रहने दो", {"light.hall"}),
    ("ru", "выключи весь свет но оставь свет на кухне включенным", set()),
    ("zh", "关掉所有的灯但厨房灯留着", set()),
)


UNSURE = {
    "en": (
        "turn on the oven",
        ("are you sure", "are you sure?", "sure?", "yes?", "yes? why", "how sure", "is that right"),
    ),
    "de": ("schalte den Ofen ein", ("sicher?", "ist das richtig", "ja wieso", "na ja", "ja nein")),
    "fr": ("allume le four", ("oui?", "d'accord ?", "oui mais non")),
    "es": ("enciende el horno", ("¿sí?", "¿estás seguro?")),
    "it": ("accendi il forno", ("va bene?", "sei sicuro?")),
    "pt": ("liga o forno", ("sim?", "tem certeza?")),
    "nl": ("zet de oven aan", ("ja?", "weet je het zeker")),
    "pl": ("włącz piekarnik", ("tak?", "jesteś pewien?")),
    "ru": ("включи духовку", ("да?", "да ладно", "ты уверен?")),
    "zh": ("打开烤箱", ("确定吗", "好不好")),
    "hi": ("ओवन चालू करो", ("क्या ठीक है", "सही है क्या", "हाँ?")),
}
SURE = {
    "en": ("yes", "yes please", "yes, do it", "sure", "that's right"),
    "de": ("ja", "ja bitte", "ja, mach das"),
    "fr": ("oui", "d'accord"),
    "es": ("sí", "sí, claro"),
    "it": ("sì", "va bene"),
    "pt": ("sim", "está bem"),
    "nl": ("ja", "ja graag"),
    "pl": ("tak",),
    "ru": ("да", "да, конечно"),
    "zh": ("是的", "好的"),
    "hi": ("हाँ", "ठीक है"),
}
OVENS = {
    "en": "Oven",
    "de": "Ofen",
    "fr": "Four",
    "es": "Horno",
    "it": "Forno",
    "pt": "Forno",
    "nl": "Oven",
    "pl": "Piekarnik",
    "ru": "Духовка",
    "zh": "烤箱",
    "hi": "ओवन",
}


@pytest.fixture
def home(talk):
    def of(language, engine):
        *names, room = NAMES[language]
        rooms = ("kitchen", None, None, None)
        things = zip(IDS, names, rooms, strict=True)
        entities = tuple(Entity(id=i, name=n, area_id=a, state="on") for i, n, a in things)
        return talk(
            engine=engine, language=language, home=Home(entities=entities, areas=(Area(id="kitchen", name=room),))
        )

    return of


def written(t: Talk):
    risks = {spec.name: spec.risk for spec in t.home.specs()}
    return [e.call for e in t.events if isinstance(e, Executed) and risks[e.call.name] is not Risk.READ]


@pytest.mark.parametrize("engine", [None, 0, 1])
@pytest.mark.parametrize(("language", "text"), NOTHING)
async def test_what_is_taken_back_or_only_imagined_is_not_done(home, language, text, engine):
    t = home(language, None if engine is None else EagerEngine(engine))

    await t.say(text)

    assert written(t) == []


@pytest.mark.parametrize(("language", "text", "off"), MOVED)
async def test_what_is_corrected_or_left_out_is_not_touched(home, language, text, off):
    t = home(language, None)

    await t.say(text)

    assert {e.id for e in t.home.home.entities if e.state == "off"} == off
    assert {i for call in written(t) if call.name == "turn_off" for i in call.args["target"]} == off


async def test_a_correction_goes_the_way_of_its_own_sentence(home):
    t = home("en", None)
    await t.say("turn off the hall light")
    await t.say("turn off the radio")

    await t.say("turn on the TV, no, the hall light")

    assert {e.id for e in t.home.home.entities if e.state == "off"} == {"media_player.radio"}


async def test_another_act_than_the_one_that_was_said_is_not_done(home):
    t = home("en", EagerEngine(0))

    await t.say("turn off Tom's kitchen light")

    assert all(call.name == "turn_off" for call in written(t))


def answers(table):
    return [(language, answer) for language, said in table.items() for answer in said]


@pytest.fixture
def oven(talk):
    def of(language):
        thing = Entity(id="switch.oven", name=OVENS[language], state="off")
        return talk(engine=None, language=language, home=Home(entities=(thing,)))

    return of


@pytest.mark.parametrize(("language", "answer"), answers({lang: said for lang, (_, said) in UNSURE.items()}))
async def test_a_yes_that_asks_back_is_none(oven, language, answer):
    t = oven(language)
    asked = await t.say(UNSURE[language][0])

    await t.say(answer)
    again = await t.say(SURE[language][0])

    assert asked.status is TurnStatus.ASKED
    assert written(t) == []
    assert again.reason is Reason.EXPIRED


@pytest.mark.parametrize(("language", "answer"), answers(SURE))
async def test_a_plain_yes_is_one(oven, language, answer):
    t = oven(language)
    await t.say(UNSURE[language][0])

    await t.say(answer)

    assert t.home.home.entities[0].state == "on"
