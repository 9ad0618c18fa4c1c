"""From speech to a spoken answer through Home Assistant's own Assist pipeline, ears and tongue over Wyoming."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from homeassistant.components import stt, tts
from homeassistant.components.assist_pipeline import AudioSettings, async_pipeline_from_audio_stream
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline, async_update_pipeline
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry
from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize

from demo.process import free_port
from tests.component.world import World

RATE = 16000
SOUND = bytes(RATE)
"""Half a second."""
OF: dict[str, Any] = {"attribution": Attribution(name="", url=""), "installed": True, "description": "", "version": "1"}
METADATA = stt.SpeechMetadata(
    language="en",
    format=stt.AudioFormats.WAV,
    codec=stt.AudioCodecs.PCM,
    bit_rate=stt.AudioBitRates.BITRATE_16,
    sample_rate=stt.AudioSampleRates.SAMPLERATE_16000,
    channel=stt.AudioChannels.CHANNEL_MONO,
)


@dataclass
class Voice:
    """Ears that hear what a test says, and a tongue that keeps what it was told to speak."""

    heard: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)

    def ears(self, *arguments: Any) -> AsyncEventHandler:
        return Ears(self, *arguments)

    def tongue(self, *arguments: Any) -> AsyncEventHandler:
        return Tongue(self, *arguments)


class Ears(AsyncEventHandler):
    def __init__(self, voice: Voice, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.voice = voice

    async def handle_event(self, event: Event) -> bool:
        if Describe.is_type(event.type):
            model = AsrModel(name="ears", languages=["en"], **OF)
            await self.write_event(Info(asr=[AsrProgram(name="ears", models=[model], **OF)]).event())
        elif AudioStop.is_type(event.type):
            await self.write_event(Transcript(text=self.voice.heard.pop(0)).event())
        return True


class Tongue(AsyncEventHandler):
    def __init__(self, voice: Voice, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.voice = voice

    async def handle_event(self, event: Event) -> bool:
        if Describe.is_type(event.type):
            voice = TtsVoice(name="tongue", languages=["en"], **OF)
            await self.write_event(Info(tts=[TtsProgram(name="tongue", voices=[voice], **OF)]).event())
        elif Synthesize.is_type(event.type):
            self.voice.spoken.append(Synthesize.from_event(event).text)
            shape: dict[str, int] = {"rate": RATE, "width": 2, "channels": 1}
            for part in (AudioStart(**shape), AudioChunk(audio=SOUND, **shape), AudioStop()):
                await self.write_event(part.event())
        return True


@pytest.fixture
async def voice(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, socket_enabled: None
) -> AsyncIterator[Voice]:
    """Give the preferred assistant our agent, ears and a tongue."""
    made, servers = Voice(), []
    for part in ("homeassistant", "assist_pipeline"):
        assert await async_setup_component(hass, part, {})
    for handler in (made.ears, made.tongue):
        port = free_port()
        server = AsyncServer.from_uri(f"tcp://127.0.0.1:{port}")
        await server.start(handler)
        servers.append(server)
        wyoming = MockConfigEntry(domain="wyoming", data={"host": "127.0.0.1", "port": port}, title=handler.__name__)
        wyoming.add_to_hass(hass)
        assert await hass.config_entries.async_setup(wyoming.entry_id)
    await hass.async_block_till_done()
    await async_update_pipeline(
        hass,
        async_get_pipeline(hass),
        conversation_engine="conversation.botpsy",
        prefer_local_intents=False,
        stt_engine="stt.ears",
        stt_language="en",
        tts_engine="tts.tongue",
        tts_language="en",
        tts_voice="tongue",
    )
    yield made
    for server in servers:
        await server.stop()


@dataclass(frozen=True)
class Answer:
    """What came back."""

    words: str
    sound: bytes
    goes_on: bool
    conversation_id: str


type Speak = Callable[..., Awaitable[Answer]]


@pytest.fixture
def speak(hass: HomeAssistant, voice: Voice) -> Speak:
    async def spoken(text: str, *, conversation_id: str | None = None, device_id: str | None = None) -> Answer:
        voice.heard.append(text)
        told: dict[str, Any] = {}
        await async_pipeline_from_audio_stream(
            hass,
            context=Context(),
            event_callback=lambda event: told.setdefault(event.type, event.data),
            stt_metadata=METADATA,
            stt_stream=microphone(),
            conversation_id=conversation_id,
            device_id=device_id,
            tts_audio_output={"preferred_format": "wav"},
            audio_settings=AudioSettings(is_vad_enabled=False),
        )
        assert "error" not in told, told["error"]
        output = told["intent-end"]["intent_output"]
        stream = tts.async_get_stream(hass, told["run-start"]["tts_output"]["token"])
        assert stream is not None
        return Answer(
            words=output["response"]["speech"]["plain"]["speech"],
            sound=b"".join([part async for part in stream.async_stream_result()]),
            goes_on=output["continue_conversation"],
            conversation_id=output["conversation_id"],
        )

    return spoken


async def microphone() -> AsyncIterator[bytes]:
    yield SOUND


async def test_a_spoken_command_is_done_and_answered_aloud(hass: HomeAssistant, voice: Voice, speak: Speak) -> None:
    answer = await speak("turn on the kitchen light")

    assert hass.states.is_state("light.kitchen_light", "on")
    assert voice.spoken == [answer.words]
    assert answer.sound.endswith(SOUND)
    assert not answer.goes_on


async def test_what_is_refused_is_said_aloud_too(voice: Voice, speak: Speak) -> None:
    answer = await speak("order a pizza")

    assert voice.spoken == [answer.words]
    assert "nothing that can do that" in answer.words
    assert not answer.goes_on


async def test_the_microphone_stays_open_for_the_answer_to_a_question(
    hass: HomeAssistant, entry: MockConfigEntry, speak: Speak
) -> None:
    asked = await speak("turn on the light")
    settled = await speak("the bedroom light", conversation_id=asked.conversation_id)

    assert asked.goes_on
    assert asked.words.endswith("?")
    assert hass.states.is_state("light.bedroom_light", "on")
    assert hass.states.is_state("light.kitchen_light", "off")
    assert not settled.goes_on


async def test_a_satellite_speaks_of_its_own_room(
    hass: HomeAssistant, world: World, entry: MockConfigEntry, speak: Speak
) -> None:
    devices = dr.async_get(hass)
    satellite = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("test", "satellite")})
    devices.async_update_device(satellite.id, area_id=world.rooms["Bedroom"])

    await speak("turn on the light", device_id=satellite.id)

    assert hass.states.is_state("light.bedroom_light", "on")
    assert hass.states.is_state("light.kitchen_light", "off")
