"""What a turn would read from disk, read before the first one."""

from datetime import UTC, datetime

from botpsy_core.agent.phrases import phrases_for
from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Home
from botpsy_core.domain.messages import Transcript
from botpsy_core.hearing import hear
from botpsy_core.safety.calibration import scale_for


def read_ahead(language: str) -> None:
    """Fill the caches of a language: its words, numbers and sentences; blocks for a moment, and no turn does then."""
    phrases_for(language)
    scale_for()
    context = TurnContext(conversation_id="", origin=Origin.COMMAND_LINE, now=datetime.now(UTC), language=language)
    hear("1 2", home=Home(language=language), transcript=Transcript(), context=context)
