"""Questions about a calendar: what is on, what comes next, when somebody is free."""

import pytest
from test_agent_plans import House

from botpsy_core.domain.events import TurnStatus


@pytest.fixture
async def house(clock) -> House:
    house = House(clock)
    for text in (
        "add dentist to the calendar tomorrow at 9:15",
        "add lunch at Luigi to the calendar tomorrow from 12:00 to 13:30",
        "add a holiday to the calendar on May 6th",
    ):
        assert (await house.say(text)).status is TurnStatus.DONE
    return house


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("en", "when am I free tomorrow?", ["tomorrow at 08:00", "09:15", "10:15", "12:00", "13:30", "22:00"]),
        ("en", "am I free tomorrow afternoon?", ["tomorrow at 13:30", "18:00"]),
        ("en", "am I free on Friday afternoon?", ["You are free", "12:00", "18:00"]),
        ("en", "am I free tomorrow at 9:30?", ["You are not free", "dentist"]),
        ("en", "when am I free on May 6th?", ["You are free", "08:00", "22:00", "holiday"]),
        ("en", "when am I free today?", ["today at 12:00", "22:00"]),
        ("de", "wann bin ich morgen frei?", ["08:00", "09:15", "10:15", "12:00"]),
        ("fr", "quand suis-je libre demain ?", ["08:00", "09:15", "10:15", "12:00"]),
        ("es", "¿cuándo estoy libre mañana?", ["08:00", "09:15", "10:15", "12:00"]),
        ("it", "quando sono libero domani?", ["08:00", "09:15", "10:15", "12:00"]),
        ("pt", "quando estou livre amanhã?", ["08:00", "09:15", "10:15", "12:00"]),
        ("nl", "wanneer ben ik morgen vrij?", ["08:00", "09:15", "10:15", "12:00"]),
        ("pl", "kiedy jestem jutro wolny?", ["08:00", "09:15", "10:15", "12:00"]),
        ("ru", "когда я завтра свободен?", ["08:00", "09:15", "10:15", "12:00"]),
        ("zh", "我明天什么时候有空", ["08:00", "09:15", "10:15", "12:00"]),
        ("hi", "मैं कल कब खाली हूँ?", ["08:00", "09:15", "10:15", "12:00"]),
        ("en", "what do I have tomorrow?", ["dentist tomorrow at 09:15", "lunch tomorrow at 12:00 at Luigi"]),
        ("en", "where is the lunch meeting tomorrow?", ["Luigi"]),
    ],
)
async def test_a_question_about_the_calendar(house, language, text, told):
    ended = await house.say(text, language=language)
    assert ended.status is TurnStatus.DONE
    at = 0
    for part in told:
        assert part in ended.reply[at:], ended.reply
        at = ended.reply.index(part, at)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "when is my next appointment?"),
        ("de", "wann ist mein nächster Termin?"),
        ("fr", "quand est mon prochain rendez-vous ?"),
        ("es", "¿cuándo es mi próxima cita?"),
        ("it", "quando è il mio prossimo appuntamento?"),
        ("pt", "quando é o meu próximo compromisso?"),
        ("nl", "wanneer is mijn volgende afspraak?"),
        ("pl", "kiedy mam następne spotkanie?"),
        ("ru", "когда моя следующая встреча?"),
        ("zh", "我的下一个会议是什么时候"),
        ("hi", "मेरी अगली मीटिंग कब है?"),
    ],
)
async def test_the_next_one_is_one(house, language, text):
    reply = (await house.say(text, language=language)).reply
    assert "dentist" in reply
    assert "lunch" not in reply
