"""A home in which every shipped tool has something to act on."""

from datetime import datetime
from zoneinfo import ZoneInfo

from botpsy_core.domain.context import Origin, TurnContext
from botpsy_core.domain.home import Area, Entity, Floor, Home

NOW = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
CONTEXT = TurnContext(conversation_id="c", origin=Origin.CHAT, now=NOW)
_ROOMS = ("Kitchen", "Living room", "Bedroom", "Bathroom", "Office", "Hall")


def _entities():
    for room in _ROOMS:
        key = room.lower().replace(" ", "_")
        yield Entity(id=f"light.{key}", name=f"{room} light", area_id=key, state="on", attributes={"brightness": 40})
    yield from (
        Entity(id="light.bedside", name="Bedside lamp", area_id="bedroom", state="off"),
        Entity(id="light.desk", name="Desk lamp", area_id="office", state="on", attributes={"brightness": 60}),
        Entity(id="light.strip", name="Light strip", area_id="living_room", state="on"),
        Entity(id="switch.coffee", name="Coffee machine", area_id="kitchen", state="off"),
        Entity(id="fan.bedroom", name="Bedroom fan", area_id="bedroom", state="off"),
        Entity(id="climate.living_room", name="Thermostat", area_id="living_room", attributes={"temperature": 20}),
        Entity(id="climate.bedroom", name="Bedroom heating", area_id="bedroom", attributes={"temperature": 18}),
        Entity(id="climate.bathroom", name="Bathroom heating", area_id="bathroom", attributes={"temperature": 22}),
        Entity(id="climate.office", name="Office heating", area_id="office", attributes={"temperature": 21}),
        Entity(id="climate.ac", name="Air conditioning", area_id="living_room"),
        Entity(id="humidifier.bedroom", name="Humidifier", area_id="bedroom", state="on"),
        Entity(id="media_player.radio", name="Radio", area_id="kitchen", state="playing"),
        Entity(id="media_player.tv", name="TV", device_class="tv", area_id="living_room", state="on"),
        Entity(id="media_player.speaker", name="Speaker", device_class="speaker", area_id="office", state="idle"),
        Entity(id="cover.living_room", name="Living room blinds", device_class="blind", area_id="living_room"),
        Entity(id="cover.bedroom", name="Bedroom blinds", device_class="blind", area_id="bedroom", state="open"),
        Entity(id="cover.curtains", name="Curtains", device_class="curtain", area_id="living_room", state="open"),
        Entity(id="cover.shutter", name="Shutter", device_class="shutter", area_id="office", state="open"),
        Entity(id="cover.garage", name="Garage door", device_class="garage", state="closed"),
        Entity(id="lock.front", name="Front door", area_id="hall", state="locked"),
        Entity(id="lock.back", name="Back door", area_id="kitchen", state="unlocked"),
        Entity(id="lock.side", name="Side door", state="locked"),
        Entity(id="vacuum.robot", name="Robo", area_id="hall", state="docked"),
        Entity(id="lawn_mower.garden", name="Lawn mower", state="docked"),
        Entity(id="scene.movie", name="Movie night", area_id="living_room"),
        Entity(id="scene.dinner", name="Dinner"),
        Entity(id="scene.night", name="Good night"),
        Entity(id="script.watering", name="Watering"),
        Entity(id="script.bedtime", name="Bedtime"),
        Entity(id="button.doorbell", name="Doorbell test"),
        Entity(id="button.router", name="Router restart", device_class="restart"),
        Entity(id="sensor.bedroom_temperature", name="Bedroom temperature", device_class="temperature",
               area_id="bedroom", state="19.5", unit="°C"),
        Entity(id="sensor.car_battery", name="Car battery", device_class="battery", state="71", unit="%"),
        Entity(id="binary_sensor.terrace", name="Terrace door", device_class="door", state="off"),
        Entity(id="weather.home", name="Home", state="sunny"),
        Entity(id="calendar.family", name="Family"),
        Entity(id="notify.tom", name="Tom's phone"),
        Entity(id="assist_satellite.upstairs", name="Upstairs satellite", area_id="bedroom"),
        Entity(id="todo.shopping", name="Shopping list"),
        Entity(id="todo.tasks", name="To-do list"),
    )  # fmt: skip


HOME = Home(
    entities=tuple(sorted(_entities(), key=lambda e: e.id)),
    areas=tuple(
        Area(id=r.lower().replace(" ", "_"), name=r, floor_id="up" if r in {"Bedroom", "Bathroom"} else "down")
        for r in _ROOMS
    ),
    floors=(Floor(id="up", name="Upstairs"), Floor(id="down", name="Downstairs")),
    time_zone="Europe/Berlin",
)
