"""A small flat in memory, to talk to without Home Assistant."""

from botpsy_core.domain.home import Area, Entity, Floor, Home

DEMO_HOME = Home(
    entities=(
        Entity(id="calendar.family", name="Family", state="off"),
        Entity(
            id="climate.thermostat",
            name="Thermostat",
            area_id="living_room",
            state="heat",
            attributes={"current_temperature": 20.5, "temperature": 21},
        ),
        Entity(id="cover.garage_door", name="Garage Door", device_class="garage", area_id="garage", state="closed"),
        Entity(
            id="light.bedroom",
            name="Bedroom Light",
            area_id="bedroom",
            state="off",
        ),
        Entity(id="light.ceiling", name="Ceiling Light", area_id="living_room", state="off"),
        Entity(
            id="light.kitchen", name="Kitchen Light", area_id="kitchen", state="on", attributes={"brightness_pct": 80}
        ),
        Entity(id="light.reading_lamp", name="Reading Lamp", area_id="living_room", state="on"),
        Entity(id="lock.front_door", name="Front Door", area_id="hall", state="locked"),
        Entity(id="media_player.speaker", name="Speaker", area_id="living_room", state="paused"),
        Entity(id="notify.phone", name="Phone", state=None),
        Entity(
            id="sensor.bedroom_temperature",
            name="Bedroom Temperature",
            device_class="temperature",
            area_id="bedroom",
            state="18.6",
            unit="°C",
        ),
        Entity(id="sensor.humidity", name="Humidity", device_class="humidity", area_id="kitchen", state="45", unit="%"),
        Entity(id="switch.coffee_machine", name="Coffee Machine", area_id="kitchen", state="off"),
        Entity(id="todo.shopping_list", name="Shopping List", state="0"),
    ),
    areas=(
        Area(id="bedroom", name="Bedroom", floor_id="upstairs"),
        Area(id="garage", name="Garage", floor_id="downstairs"),
        Area(id="hall", name="Hall", floor_id="downstairs"),
        Area(id="kitchen", name="Kitchen", floor_id="downstairs"),
        Area(id="living_room", name="Living Room", floor_id="downstairs"),
    ),
    floors=(Floor(id="downstairs", name="Downstairs"), Floor(id="upstairs", name="Upstairs")),
)
