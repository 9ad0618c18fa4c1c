"""Sound as numbers: 16 bit, one channel, so many samples a second."""

import asyncio
import io
import wave
from dataclasses import dataclass
from pathlib import Path

import audioop
from wyoming.audio import AudioChunk, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.tts import Synthesize

RATE = 16000
"""Samples a second, as an Assist pipeline wants them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """What was said or heard."""

    samples: bytes

    @property
    def seconds(self) -> float:
        """Return how long it lasts."""
        return len(self.samples) / 2 / RATE

    def peaks(self, columns: int) -> list[float]:
        """Return so many loudnesses from 0 to 1, evenly spread over its length."""
        width = max(2, len(self.samples) // columns // 2 * 2)
        parts = [self.samples[at : at + width] for at in range(0, width * columns, width)]
        return [audioop.max(part, 2) / 32768 if part else 0.0 for part in parts]

    def trimmed(self) -> Sound:
        """Return it without the silence at both ends."""
        step = RATE // 50 * 2
        parts = [self.samples[at : at + step] for at in range(0, len(self.samples), step)]
        loud = [number for number, part in enumerate(parts) if audioop.max(part, 2) > 300]
        return Sound(samples=b"".join(parts[loud[0] : loud[-1] + 1])) if loud else self


def sound(samples: bytes, *, rate: int, width: int = 2, channels: int = 1) -> Sound:
    """Return sound of any shape as ours."""
    if channels == 2:
        samples = audioop.tomono(samples, width, 0.5, 0.5)
    if width != 2:
        samples = audioop.lin2lin(samples, width, 2)
    if rate != RATE:
        samples, _ = audioop.ratecv(samples, 2, 1, rate, RATE, None)
    return Sound(samples=samples)


def from_file(path: Path) -> Sound:
    """Read a WAV file."""
    with wave.open(str(path), "rb") as file:
        samples = file.readframes(file.getnframes())
        return sound(samples, rate=file.getframerate(), width=file.getsampwidth(), channels=file.getnchannels())


async def decoded(encoded: bytes, ffmpeg: str = "ffmpeg") -> Sound:
    """Return what an encoded sound sounds like."""
    command = [ffmpeg, "-loglevel", "error", "-i", "pipe:0", "-f", "s16le", "-ac", "1", "-ar", str(RATE), "pipe:1"]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    samples, _ = await process.communicate(encoded)
    return Sound(samples=samples)


async def spoken(text: str, port: int) -> Sound:
    """Let Piper say a text."""
    said = io.BytesIO()
    rate = RATE
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Synthesize(text=text).event())
        while (event := await client.read_event()) is not None and not AudioStop.is_type(event.type):
            if AudioChunk.is_type(event.type):
                chunk = AudioChunk.from_event(event)
                rate = chunk.rate
                said.write(chunk.audio)
    return sound(said.getvalue(), rate=rate)
