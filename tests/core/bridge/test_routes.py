"""Who hears of a message of one connection."""

from botpsy_core.bridge import Filter, Message
from botpsy_core.bridge.routes import Routes


def message(topic: str) -> Message:
    return Message(topic=topic, payload=b"1", retain=False, received=0.0)


def test_who_comes_or_goes_between_two_messages_of_a_topic_hears_what_is_theirs():
    routes, heard = Routes(), list[str]()
    first, second, wild = (lambda _message, name=name: heard.append(name) for name in ("first", "second", "wild"))
    routes.add(Filter("a/b"), first)
    routes.dispatch(message("a/b"))
    routes.add(Filter("a/b"), second)
    routes.add(Filter("a/#"), wild)
    routes.dispatch(message("a/b"))
    gone = routes.remove(Filter("a/b"), first)
    last = routes.remove(Filter("a/#"), wild)
    routes.dispatch(message("a/b"))
    routes.dispatch(message("a/c"))

    assert heard == ["first", "first", "second", "wild", "second"]
    assert (gone, last) == (False, True)


def test_topics_that_somebody_makes_up_fill_no_memory():
    routes, heard = Routes(), list[str]()
    routes.add(Filter("#"), lambda each: heard.append(each.topic))
    for number in range(10_000):
        routes.dispatch(message(f"made/up/{number}"))

    assert len(heard) == 10_000
    assert len(routes._found) <= 4096
