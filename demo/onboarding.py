"""From an empty Home Assistant to a home that can be spoken to, over its own API, as a newcomer would click it."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

from demo.client import HassClient, Json
from demo.household import DEVICES
from demo.vehicle import PREFIX, PROFILE, VEHICLE_PIN

USER = "demo"
PASSWORD = "demo-home"
PIN = "2468"

CALENDAR = "calendar.family"
TODO = "todo.shopping_list"
SPEAKER = "media_player.speaker"

READY_S = 240
"""How long a model may take to be loaded and to read its tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the demo decides."""

    broker_port: int
    model: Path


def skip_online_step(config: Path) -> None:
    """Mark one onboarding step as done beforehand: it would add three services that ask the internet."""
    store = config / ".storage" / "onboarding"
    store.parent.mkdir(parents=True, exist_ok=True)
    kept = {"version": 4, "minor_version": 1, "key": "onboarding", "data": {"done": ["core_config"]}}
    store.write_text(json.dumps(kept))


async def onboard(client: HassClient) -> None:
    """Create the owner, log in, and finish what the first visit asks."""
    client_id = client.url + "/"
    user = {"name": "Demo", "username": USER, "password": PASSWORD, "language": "en", "client_id": client_id}
    code = (await client.post("/api/onboarding/users", user))["auth_code"]
    await log_in(client, code)
    await client.post("/api/onboarding/analytics")
    await client.post("/api/onboarding/integration", {"client_id": client_id, "redirect_uri": client_id})
    # The port was tried and works; unconfirmed, Home Assistant would go back to its own after five minutes.
    await client.call("http/config/promote")
    await client.call("repairs/ignore_issue", domain="http", issue_id="deprecated_yaml", ignore=True)
    # The first visit's token ends after half an hour.
    client.token = await client.call("auth/long_lived_access_token", client_name="demo", lifespan=30)


async def log_in(client: HassClient, code: str) -> None:
    """Turn an authorization code into a token, and open the web socket."""
    grant = {"grant_type": "authorization_code", "code": code, "client_id": client.url + "/"}
    client.token = (await client.post("/auth/token", grant, form=True))["access_token"]
    await client.open()


async def furnish(client: HassClient, settings: Settings) -> str:
    """Add the integrations, say what may be spoken of, and return the conversation agent's entity id."""
    await client.call("homeassistant/expose_new_entities/set", assistant="conversation", expose_new=False)
    certificates = {"set_client_cert": False, "set_ca_cert": "off"}
    broker = {"broker": "127.0.0.1", "port": settings.broker_port, "other_settings": certificates}
    await client.flow("mqtt", broker)
    await client.flow("local_calendar", {"calendar_name": "Family"})
    await client.flow("local_todo", {"todo_list_name": "Shopping List"})
    things = [*(device.entity_id for device in DEVICES), CALENDAR, TODO, SPEAKER]
    await until_there(client, [each for each in things if not each.startswith("notify.")])
    await client.call("homeassistant/expose_entity", assistants=["conversation"], entity_ids=things, should_expose=True)
    agent = await add_botpsy(client, settings)
    await make_default(client, agent)
    return agent


async def until_there(client: HassClient, entity_ids: list[str]) -> None:
    """Wait until Home Assistant knows these entities and how they are."""
    async with asyncio.timeout(60):
        while True:
            states = {state["entity_id"]: state["state"] for state in await client.get("/api/states")}
            if all(states.get(each) not in {None, "unavailable", "unknown"} for each in entity_ids):
                return
            await asyncio.sleep(0.2)


async def add_botpsy(client: HassClient, settings: Settings) -> str:
    """Add the integration with the model's file, car, wallbox and PIN; return its agent's entity id."""
    entry = (await client.flow("botpsy", {"next_step_id": "file"}, {"path": str(settings.model)}))["entry_id"]
    device = {"prefix": PREFIX, "vehicle_pin": VEHICLE_PIN, "commands": ["unlock"]}
    await client.subentry(entry, "device", {"name": "Car", "profile": PROFILE}, device)
    await client.subentry(entry, "device", {"name": "Wallbox", "profile": "evcc"}, {"loadpoint": "1"})
    user = (await client.call("auth/current_user"))["id"]
    await client.options(entry, {"pin": PIN, "mqtt_requests": True, "request_users": [user]})
    return await until_ready(client)


async def until_ready(client: HassClient) -> str:
    """Wait until the agent has a model that has read its tools; return the agent's entity id."""
    async with asyncio.timeout(READY_S):
        while True:
            states = {state["entity_id"]: state["state"] for state in await client.get("/api/states")}
            registry = await client.call("config/entity_registry/list")
            ours = [each["entity_id"] for each in registry if each["platform"] == "botpsy"]
            agents = [each for each in ours if each.startswith("conversation.") and states.get(each) != "unavailable"]
            engines = [states.get(each) for each in ours if each.endswith("_engine")]
            if agents and "ready" in engines:
                return str(agents[0])
            await asyncio.sleep(0.5)


async def make_default(client: HassClient, agent: str) -> None:
    """Make the agent the one that answers a voice assistant's microphone."""
    pipelines = await client.call("assist_pipeline/pipeline/list")
    pipeline: dict[str, Json] = dict(pipelines["pipelines"][0])
    number = pipeline.pop("id")
    pipeline |= {"conversation_engine": agent, "prefer_local_intents": False, "name": "BotPsy"}
    await client.call("assist_pipeline/pipeline/update", pipeline_id=number, **pipeline)
