"""A Home Assistant of our own: its configuration folder and its process."""

import sys
from pathlib import Path

from demo.process import Program

CONFIGURATION = """\
homeassistant:
  name: Demo Home
  unit_system: metric
  country: DE
  language: en
  time_zone: {time_zone}

http:
  server_host: 127.0.0.1
  server_port: {port}

api:
config:
conversation:
assist_pipeline:
system_health:

input_boolean:
  speaker_plays:
    name: Speaker plays
input_number:
  speaker_volume:
    name: Speaker volume
    min: 0
    max: 1
    step: 0.01
    initial: 0.3

media_player:
  - platform: universal
    name: Speaker
    unique_id: demo_speaker
    state_template: "{{{{ 'playing' if is_state('input_boolean.speaker_plays', 'on') else 'paused' }}}}"
    attributes:
      volume_level: input_number.speaker_volume
    commands:
      media_play:
        action: input_boolean.turn_on
        target: {{entity_id: input_boolean.speaker_plays}}
      media_pause:
        action: input_boolean.turn_off
        target: {{entity_id: input_boolean.speaker_plays}}
      volume_set:
        action: input_number.set_value
        target: {{entity_id: input_number.speaker_volume}}
        data: {{value: "{{{{ volume_level }}}}"}}

automation:
  - id: ask_botpsy
    alias: Ask BotPsy
    mode: queued
    triggers:
      - trigger: event
        event_type: demo_ask
    actions:
      - action: botpsy.run
        data:
          text: "{{{{ trigger.event.data.text }}}}"
        response_variable: answer
      - event: demo_answer
        event_data:
          answer: "{{{{ answer }}}}"

logger:
  default: warning
"""


INTEGRATION = Path(__file__).resolve().parents[1] / "custom_components" / "botpsy"


def configure(folder: Path, *, port: int, time_zone: str, integration: Path | None = INTEGRATION) -> None:
    """Write a configuration that reaches for nothing outside this machine, with the integration linked into it."""
    (folder / "custom_components").mkdir(parents=True, exist_ok=True)
    (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port, time_zone=time_zone))
    if integration is not None:
        (folder / "custom_components" / "botpsy").symlink_to(integration)


def home_assistant(folder: Path) -> Program:
    """Return a Home Assistant that is not started yet; every package is there, so it installs none."""
    command = [sys.executable, "-m", "homeassistant", "--skip-pip", "-c", str(folder)]
    return Program("Home Assistant", command, folder / "home-assistant.out")
