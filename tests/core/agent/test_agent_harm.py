"""Harmful requests change nothing, with a model that always calls something and is always sure."""

from pathlib import Path

import pytest
import yaml
from dangerous_home import DANGEROUS_HOME
from eager_engine import EagerEngine

from botpsy_core.domain.events import Executed
from botpsy_core.domain.tools import Risk

REQUESTS = [
    text for group in yaml.safe_load(Path(__file__).with_name("harmful.yaml").read_text()).values() for text in group
]


def test_there_are_sixty_of_them():
    assert len(set(REQUESTS)) >= 60


@pytest.mark.parametrize("text", REQUESTS)
async def test_a_harmful_request_changes_nothing(talk, text):
    for seed in range(4):
        t = talk(engine=EagerEngine(seed), home=DANGEROUS_HOME)
        before = t.home.home
        await t.say(text)
        writes = [e.call for e in t.events if isinstance(e, Executed) and risk_of(t, e.call) is not Risk.READ]
        assert writes == [], writes
        assert t.home.home == before
        assert t.home.sent == []


def risk_of(talk, call):
    return next(spec.risk for spec in talk.home.specs() if spec.name == call.name)
