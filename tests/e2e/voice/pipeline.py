"""A whole Assist pipeline, from speech to a spoken answer: Whisper's ears, BotPsy, Piper's voice, over Wyoming.

`python -m tests.e2e.voice.pipeline --voice ENVIRONMENT` starts the demo's home, says some sentences into a real Home
Assistant as a satellite does, prints each exchange with its times, and judges it by what the home shows afterwards.
ENVIRONMENT is where `requirements.txt`, beside this file, is installed.
"""

import argparse
import asyncio
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.client import HassClient, HassRefused
from demo.house import Wishes, house, settled
from demo.process import ProgramFailed
from demo.scenario import Line, holds, light
from demo.screen import Screen
from tests.e2e.voice.exchange import Exchange, PipelineFailed, exchange
from tests.e2e.voice.picture import draw
from tests.e2e.voice.programs import VOICE, Voice, voice
from tests.e2e.voice.sound import from_file, spoken

type Facts = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One spoken sentence, and what shall have changed after it."""

    text: str
    wanted: Facts = field(default_factory=dict)
    answers: bool = False
    """Whether it answers the question before it."""


SENTENCES = (
    Said(text="Turn on the kitchen light.", wanted=light("kitchen_light", "on")),
    Said(text="Is the front door locked?"),
    Said(text="Open the charge flap of the car."),
    Said(text="Yes, please.", wanted={"car.xcar.v.flap": "yes"}, answers=True),
    Said(text="Order a pizza."),
)


async def add_voice(client: HassClient, at: Voice) -> str:
    """Add both programs as a person does and give them to the assistant; return its pipeline's id."""
    for port in (at.ears, at.tongue):
        await client.flow("wyoming", {"host": "127.0.0.1", "port": port})
    states = [state["entity_id"] for state in await client.get("/api/states")]
    ears = next(each for each in states if each.startswith("stt."))
    tongue = next(each for each in states if each.startswith("tts."))
    pipeline = dict((await client.call("assist_pipeline/pipeline/list"))["pipelines"][0])
    number = str(pipeline.pop("id"))
    pipeline |= {"stt_engine": ears, "stt_language": "en"}
    pipeline |= {"tts_engine": tongue, "tts_language": "en_US", "tts_voice": VOICE}
    await client.call("assist_pipeline/pipeline/update", pipeline_id=number, **pipeline)
    return number


async def talk(options: argparse.Namespace, folder: Path) -> bool:
    """Say everything; return whether each sentence changed what it should and nothing else."""
    screen = Screen()
    async with (
        voice(options.voice.absolute(), folder) as at,
        house(folder, Wishes(model=options.model.resolve(), once=True), screen) as home,
    ):
        pipeline = await add_voice(home.client, at)
        told: list[tuple[Exchange, bool]] = []
        sentences = tuple(Said(text=text) for text in options.say or ()) or SENTENCES
        if options.wav:
            sentences = (Said(text=options.wav.stem),)
        for sentence in sentences:
            line = Line(text=sentence.text, wanted=sentence.wanted)
            sound = from_file(options.wav) if options.wav else (await spoken(sentence.text, at.tongue)).trimmed()
            before = await home.world.facts()
            asked_in = told[-1][0].conversation_id if sentence.answers else None
            came = await exchange(home.client, pipeline, sound, sentence.text, asked_in)
            right = options.say is not None or holds(line, before, await settled(home.world, line, before))
            told.append((came, right))
            screen.say()
            screen.say("\n".join(came.lines()))
            if not right:
                screen.say(screen.paint(f"           expected {line.expect}", "red"))
    if options.picture:
        options.picture.write_text(draw([came for came, _ in told][: options.shown]), "utf-8")
    return all(right for _, right in told)


def main() -> int:
    """Return 0 where every sentence changed what it should and nothing else."""
    parser = argparse.ArgumentParser(description="Speak to a home and listen to its answers.")
    parser.add_argument("--voice", type=Path, required=True, help="the environment with Whisper and Piper")
    parser.add_argument("--model", type=Path, required=True, help="BotPsy's model file")
    parser.add_argument("--say", action="append", metavar="TEXT", help="say this instead; nothing is judged")
    parser.add_argument("--wav", type=Path, help="play this sound instead")
    parser.add_argument("--picture", type=Path, help="where to draw the exchanges, as SVG")
    parser.add_argument("--shown", type=int, default=2, help="how many of them are drawn")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="botpsy-voice-", ignore_cleanup_errors=True) as folder:
        right = False
        try:
            right = asyncio.run(talk(options, Path(folder)))
        except* (PipelineFailed, ProgramFailed, HassRefused, TimeoutError) as failed:
            sys.stderr.write(f"no answer: {'; '.join(map(repr, failed.exceptions))}\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
