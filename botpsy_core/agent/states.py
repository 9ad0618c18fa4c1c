"""Say how things are: each by itself, or how many of them are as was asked."""

from collections.abc import Sequence

from botpsy_core.agent.brief import MOST, with_rest
from botpsy_core.agent.facts import Fact, as_number
from botpsy_core.agent.moments import say_moment
from botpsy_core.agent.naming import say_number
from botpsy_core.agent.reply import Speech
from botpsy_core.domain.heard import Clause


def say_states(speech: Speech, clause: Clause, facts: Sequence[Fact]) -> str:
    """Say how things are, since when, or whether they are as was asked."""
    asked = next(iter(clause.directions), None)
    if clause.since and (dated := [f for f in facts if f.changed and (asked is None or f.fits(asked) is not None)]):
        return _shortened(speech, [_since(speech, f) for f in dated])
    if asked is not None:
        judged = [(f, fits) for f in facts if (fits := f.fits(asked)) is not None]
        if len(judged) == 1:
            fact, fits = judged[0]
            return speech.phrases.say(
                "answers", "yes" if fits else "no", names=fact.name, state=fact.word(speech.phrases)
            )
        if judged:
            meant = speech.phrases.say("directions", asked.value)
            return _counted(speech, [f.name for f, fits in judged if fits], len(judged), meant)
    return _shortened(speech, [_told(speech, f) for f in facts])


def _shortened(speech: Speech, told: Sequence[str]) -> str:
    """Return the first sentences, and how many more there would be."""
    more = [speech.phrases.say("answers", "more", count=len(told) - MOST)] if len(told) > MOST else []
    return " ".join([*told[:MOST], *more])


def _since(speech: Speech, fact: Fact) -> str:
    """Say since when a thing is as it is; of a closed door that is when it was open last."""
    when = say_moment(speech.phrases, str(fact.changed), speech.now)
    return speech.phrases.say("answers", "since", names=fact.name, state=fact.word(speech.phrases), when=when)


def _counted(speech: Speech, names: Sequence[str], total: int, meant: str) -> str:
    phrases = speech.phrases
    listed = phrases.listed(with_rest(phrases, names, len(names)))
    if not names:
        return phrases.say("answers", "none_of", count=total, state=meant)
    if len(names) == total:
        return phrases.say("answers", "all_of", count=total, state=meant, names=listed)
    return phrases.say("answers", "some_of", count=len(names), total=str(total), state=meant, names=listed)


def _told(speech: Speech, fact: Fact) -> str:
    phrases = speech.phrases
    if fact.state is None:
        return phrases.say("answers", "unknown", names=fact.name)
    degrees = speech.home.temperature_unit
    current, target = (as_number(fact.attributes.get(k)) for k in ("current_temperature", "temperature"))
    if current is not None:
        value = say_number(phrases, current, degrees)
        if target is None:
            return phrases.say("answers", "climate", names=fact.name, value=value)
        return phrases.say(
            "answers", "climate_set", names=fact.name, value=value, target=say_number(phrases, target, degrees)
        )
    if as_number(fact.state) is not None:
        return phrases.say("answers", "value", names=fact.name, state=fact.word(phrases))
    share = next((n for k in ("brightness_pct", "current_position") if (n := as_number(fact.attributes.get(k)))), None)
    if share is not None and share < 100:
        value = say_number(phrases, share, "%")
        return phrases.say("answers", "state_at", names=fact.name, state=fact.word(phrases), value=value)
    return phrases.say("answers", "state", names=fact.name, state=fact.word(phrases))
