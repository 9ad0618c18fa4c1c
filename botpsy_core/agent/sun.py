"""Read "at sunset" as the time at which the sun will set here; nothing else of an utterance changes."""

import re
from datetime import datetime

from botpsy_core.agent.phrases import Phrases
from botpsy_core.domain.home import Home


def by_the_clock(text: str, phrases: Phrases, home: Home, now: datetime) -> str | None:
    """Return the text with a sunrise or sunset as a time of day, or None where it names none or none is known."""
    for event, at in (("sunset", home.next_sunset), ("sunrise", home.next_sunrise)):
        words = sorted(phrases.find("sun", event) or (), key=len, reverse=True)
        if at is None or not words:
            continue
        moment = datetime.fromisoformat(at).astimezone(now.tzinfo)
        said = phrases.say("sun", "at", clock=f"{moment:%H:%M}")
        found = re.sub("|".join(re.escape(each) for each in words), said, text, count=1, flags=re.IGNORECASE)
        if found != text:
            return found
    return None
