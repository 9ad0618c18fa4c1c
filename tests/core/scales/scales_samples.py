"""Own small cases, so that the scales are tested without anybody's data."""

import json

from botpsy_core.evaluate.cases import load_cases

HOME = {
    "areas": [{"id": "kitchen", "name": "Kitchen", "floor": "Ground"}, {"id": "hall", "name": "Hall"}],
    "entities": [
        {"id": "light.kitchen", "name": "Kitchen Light", "area": "kitchen", "state": "off"},
        {"id": "light.hall", "name": "Hall Lamp", "aliases": ["Hall Lamp", "Lantern"], "area": "hall", "state": True},
        {"id": "sensor.hall", "name": "Hall Humidity", "area": "hall", "state": "41", "device_class": "humidity"},
    ],
}
SLOTS = {"name": {"type": "string"}, "area": {"type": "string"}, "domain": {"type": "array"}}
TURN_ON = {"name": "HassTurnOn", "description": "Turns on a device", "parameters": {"properties": SLOTS}}
TURN_OFF = {"name": "HassTurnOff", "description": "Turns off a device", "parameters": {"properties": SLOTS}}
LIVE = {"name": "GetLiveContext", "description": "Tells states", "parameters": {"properties": {}}}
WEATHER = {
    "name": "get_weather",
    "description": "Get the weather of a city",
    "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CONTEXT = """You are a voice assistant.

Static Context: An overview of the areas and the devices in this smart home:
- names: Kitchen Light
  domain: light
  areas: Kitchen
- names: Hall Lamp, Lantern
  domain: light
  areas: Hall
"""


def record(id_, text, tools, expected, *, system="", **more):
    messages = [{"role": "system", "content": system}] if system else []
    return {
        "id": id_,
        "category": more.pop("category", "sample"),
        "lang": "en",
        "messages": [*messages, {"role": "user", "content": text}],
        "tools": [{"type": "function", "function": tool} for tool in tools],
        "expected": expected,
        "meta": more.pop("meta", {}),
        **more,
    }


def act(name, thing):
    return {
        "type": "ha_action",
        "home": HOME,
        "accepted": [{"calls": [{"name": name, "args": {"name": thing, "domain": ["light"]}}]}],
    }


RECORDS = (
    record("on", "turn on the kitchen light", (TURN_ON, TURN_OFF, LIVE), act("HassTurnOn", "Kitchen Light")),
    record("off", "switch the lantern off", (TURN_ON, TURN_OFF, LIVE), act("HassTurnOff", "Hall Lamp")),
    record("absent", "turn on the sauna", (TURN_ON, TURN_OFF, LIVE), {"type": "no_call"}, system=CONTEXT),
    record("pizza", "order a pizza", (WEATHER,), {"type": "no_call"}, meta={"smoke": True, "suspect": "hungry"}),
    record(
        "humid",
        "what is the hall humidity?",
        (TURN_ON, LIVE),
        {
            "type": "ha_question",
            "home": HOME,
            "expect_response": ["43"],
            "recorded_results": [
                {
                    "name": "GetLiveContext",
                    "args": {},
                    "result": {
                        "success": True,
                        "result": "Live Context: of the home:\n- names: Hall Humidity\n  domain: sensor\n"
                        "  state: '43'\n  attributes:\n    unit_of_measurement: '%'\n",
                    },
                }
            ],
        },
    ),
)


def write(folder, records=RECORDS):
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return file


def samples(folder, records=RECORDS):
    return load_cases([write(folder, records)])
