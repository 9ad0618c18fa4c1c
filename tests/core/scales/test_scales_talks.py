"""Talks of several turns: each call acts on a state, and its result is there for the next one."""

import json

from botpsy_core.domain.engine import ModelInfo
from botpsy_core.engine.scripted import ScriptedEngine
from botpsy_core.evaluate.cases import Case
from botpsy_core.evaluate.prediction import Made, Prediction
from botpsy_core.evaluate.product import Product
from botpsy_core.evaluate.score import turns_right
from botpsy_core.evaluate.unguarded import Unguarded
from botpsy_core.safety import load_policy

TEMPLATE = (
    "{% for t in tools %}{{ t | tojson }}\n{% endfor %}{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{{ m.content }}{% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
MODEL = ModelInfo(name="t", architecture="qwen2", template=TEMPLATE, digest="t", context_tokens=4096)


def a_tool(name: str, description: str, **properties: object) -> dict[str, object]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


FILL = a_tool("fillFuelTank", "Fills the fuel tank of the vehicle.", fuelAmount={"type": "number"})
SHOW = a_tool("displayCarStatus", "Displays the status of the vehicle.", option={"type": "string", "enum": ["fuel"]})


def a_talk(*says: str, added: int | None = None) -> Case:
    turns = [
        {
            "user": [{"role": "user", "content": text}],
            "tools_added": [FILL] if i == added else [],
            "gt_calls": [],
            "expect_no_call": False,
        }
        for i, text in enumerate(says)
    ]
    return Case(
        id="talk",
        category="car",
        language="en",
        messages=[{"role": "user", "content": says[0]}],
        tools=[SHOW] if added is not None else [SHOW, FILL],
        expected={
            "type": "multi_turn",
            "involved_classes": ["VehicleControlAPI"],
            "initial_config": {"VehicleControlAPI": {"fuelLevel": 10.0}},
            "turns": turns,
        },
    )


def a_call(name: str, **args: object) -> str:
    return json.dumps({"name": name, "arguments": args})


async def test_the_bare_model_reads_each_result_and_goes_on_until_it_calls_nothing() -> None:
    outputs = [a_call("displayCarStatus", option="fuel"), a_call("fillFuelTank", fuelAmount=40), "All done."]
    engine = ScriptedEngine(outputs=outputs, model=MODEL)

    prediction = await Unguarded(engine).predict(a_talk("fill the tank up"))

    made = (
        Made(name="displayCarStatus", args={"option": "fuel"}),
        Made(name="fillFuelTank", args={"fuelAmount": 40}),
    )
    assert prediction.turns == (made,)
    assert '"fuelLevel": 10.0' in engine.asked[1].prompt.text
    assert '"fuelLevel": 50.0' in engine.asked[2].prompt.text


async def test_the_bare_model_that_repeats_itself_is_stopped() -> None:
    same = a_call("displayCarStatus", option="fuel")
    engine = ScriptedEngine(outputs=[same, same, same], model=MODEL)

    prediction = await Unguarded(engine).predict(a_talk("how much fuel is there"))

    assert prediction.turns == ((Made(name="displayCarStatus", args={"option": "fuel"}),),)
    assert len(engine.asked) == 2


async def test_a_tool_that_comes_later_is_offered_later() -> None:
    engine = ScriptedEngine(outputs=["There is no such function.", a_call("fillFuelTank", fuelAmount=5), "Done."])
    engine.model = MODEL

    prediction = await Unguarded(engine).predict(a_talk("add 5 gallons", "and now?", added=1))

    assert prediction.turns == ((), (Made(name="fillFuelTank", args={"fuelAmount": 5}),))


async def test_the_product_without_a_model_tells_how_each_turn_ended() -> None:
    prediction = await Product(engine=None, policy=load_policy({})).predict(a_talk("fill the tank up", "thanks"))

    assert prediction.turns == ((), ())
    told = prediction.facts["told"]
    assert isinstance(told, list)
    assert [turn["status"] for turn in told if isinstance(turn, dict)] == ["failed", "done"]


def test_each_turn_is_right_or_wrong_by_itself() -> None:
    talk = a_talk("fill in 5", "how full is it?", "never mind", "fill in 5", "fill in 5")
    fill, look = Made(name="fillFuelTank", args={"fuelAmount": 5}), Made(name="displayCarStatus", args={})
    turns = talk.expected["turns"]
    for at in (0, 3, 4):
        turns[at]["gt_calls"] = [fill.to_json()]
    turns[2]["expect_no_call"] = True
    made = ((fill, look), (look,), (look,), (fill, fill), ())

    assert turns_right(talk, Prediction(id="talk", turns=made)) == (True, True, False, False, False)
    assert turns_right(talk, None) == (False, True, True, False, False)
