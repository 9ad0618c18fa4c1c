"""The bench's homes, figures and picture; the measuring itself needs a real model and an hour."""

import pytest
from aiohttp import web

from botpsy_core.domain.engine import Finished
from botpsy_core.engine.scripted import ScriptedEngine
from botpsy_core.errors import EngineFailed
from botpsy_core.evaluate.bench import assist, bare
from botpsy_core.evaluate.bench.dialogue import Cost
from botpsy_core.evaluate.bench.figures import decodes, fresh, loop, over, size_ratio, wall
from botpsy_core.evaluate.bench.homes import COMMANDS, SIZES, home_of, later, listing
from botpsy_core.evaluate.bench.measure import Bench
from botpsy_core.evaluate.bench.plot import plot
from botpsy_core.evaluate.bench.rows import BARS, Row, percentile, row, table
from botpsy_core.evaluate.bench.sameness import judged
from botpsy_core.evaluate.bench.server import hold
from botpsy_core.evaluate.bench.unlisted import Compared


def cost(text, *, seconds=1.0, words=6, evaluated=35, steps=3, written=30):
    finished = Finished(
        prompt_tokens=800,
        prompt_tokens_evaluated=evaluated,
        generated_tokens=written,
        decode_steps=steps,
        seconds=seconds,
        reason="grammar",
        compute_seconds=seconds / 2,
    )
    return Cost(text=text, seconds=seconds, words=words, generations=[finished])


@pytest.mark.parametrize("size", SIZES)
def test_a_home_has_its_size_and_what_the_commands_speak_of(size):
    home = home_of(size)
    assert len(home.entities) == size
    assert len({e.id for e in home.entities}) == size
    assert {"light.kitchen", "media_player.speaker", "climate.thermostat"} <= {e.id for e in home.entities}
    assert all(home.area(e.area_id) for e in home.entities if e.area_id)


def test_sensors_move_between_two_commands():
    home = home_of(100)
    moved = later(home, 1)
    changed = [a.id for a, b in zip(home.entities, moved.entities, strict=True) if a != b]
    assert changed
    assert all(id_.startswith("sensor.") for id_ in changed)
    assert listing(home) != listing(moved)
    assert assist.system_of(home) == assist.system_of(moved)


def test_the_figures_follow_from_the_costs():
    dialogues = {
        size: [[cost(text, seconds=1.0 + size / 10_000) for text in COMMANDS] for _ in range(3)] for size in SIZES
    }
    assert fresh(dialogues).value == pytest.approx(0.5)
    assert size_ratio(dialogues).value == pytest.approx(1.1 / 1.001)
    asked = [one for rounds in dialogues.values() for costs in rounds for one in costs]
    assert wall(asked).value == pytest.approx(2.0)
    assert not wall(asked).holds
    assert decodes(asked).value == pytest.approx(0.1)


def test_the_loop_may_lag_twice_as_much_as_an_idle_one_on_a_noisy_machine():
    assert loop([1.0] * 100, [20.0] * 100).holds
    assert not loop([1.0] * 100, [30.0] * 100).holds
    assert loop([20.0] * 100, [30.0] * 100).holds


def test_percentiles_are_values_that_were_measured():
    values = [float(n) for n in range(100)]
    assert percentile(values, 0.95) == 95.0
    assert percentile([3.0], 0.99) == 3.0


def test_what_was_not_measured_does_not_hold():
    rows = [
        Row(key="one", what="x", value=0.5, bar=1.0),
        Row(key="two", what="x", value=0.5, bar=1.0, at_least=True),
        Row(key="three", what="x", value=None, bar=1.0),
    ]
    assert [row.holds for row in rows] == [True, False, False]
    assert "NO" in table(rows)
    picture = plot(rows)
    assert picture.startswith("<svg")
    assert all(row.key in picture for row in rows)


async def test_a_figure_that_cannot_be_measured_says_why_and_the_others_follow(tmp_path):
    told = []
    rows = [each async for each in Bench(tmp_path / "missing.gguf", say=told.append).rows()]
    assert {each.key for each in rows} == set(BARS)
    assert all(not each.holds and each.value is None and "missing.gguf" in each.faults[0] for each in rows[:7])
    assert all(each.faults for each in rows)
    assert any("Traceback" in text for text in told)


async def test_only_the_figures_that_were_asked_for_are_measured(tmp_path):
    bench = Bench(tmp_path / "missing.gguf", say=str)
    assert [each.key async for each in bench.rows(["size_ratio"])] == ["size_ratio"]


def test_a_rival_that_ran_out_of_time_is_compared_as_far_as_it_came():
    figure = over("over_full_prompt", [1.0, 2.0, 3.0], [10.0, 20.0], {})
    assert figure.value == pytest.approx(0.1)
    assert figure.raw["commands"] == 2


def said(*texts):
    return [Cost(text="x", pieces=[text], calls=[text]) for text in texts]


def compared(listed, unlisted):
    return Compared(text="x", listed=listed, unlisted=unlisted)


ON, OTHER = ("light_on", "['light.a']"), ("light_on", "['light.b']")


@pytest.mark.parametrize(
    ("modes", "pairs", "value", "faults"),
    [
        ((["a"], ["a"]), [(ON, ON)] * 50, 1.0, 0),
        ((["a"], ["b"]), [(ON, ON)] * 50, 0.0, 0),
        ((["a"], ["a"]), [(ON, ON)] * 49 + [(ON, None)], 1.0, 0),
        ((["a"], ["a"]), [(ON, ON)] * 40 + [(ON, None)] * 10, 1.0, 1),
        ((["a"], ["a"]), [(ON, ON)] * 49 + [(ON, OTHER)], 1.0, 1),
        ((["a"], ["a"]), [(None, None)] * 50, 1.0, 1),
        ((["a"], ["a"]), [(None, OTHER)] * 2 + [(ON, ON)] * 48, 1.0, 2),
    ],
)
def test_the_calls_are_the_same_only_if_the_shortlist_changes_next_to_nothing(modes, pairs, value, faults):
    written = dict(zip(("as shipped", "other"), (said(*texts) for texts in modes), strict=True))
    figure = judged(written, [compared(*pair) for pair in pairs])
    assert figure.value == value
    assert len(figure.faults) == faults
    assert figure.holds is (value == 1.0 and not faults)


async def test_a_server_is_driven_until_it_calls_no_more_tools(aiohttp_server, socket_enabled):
    asked = []

    async def complete(request):
        body = await request.json()
        asked.append(body)
        calls = [{"id": "1", "type": "function", "function": {"name": "intent__HassTurnOn", "arguments": "{}"}}]
        tools = calls if len(asked) == 2 else None
        message = {"role": "assistant", "content": "", "tool_calls": tools, "reasoning_content": ""}
        return web.json_response({"choices": [{"message": message}], "timings": {"prompt_n": 7, "predicted_n": 3}})

    app = web.Application()
    app.router.add_post("/v1/chat/completions", complete)
    served = await aiohttp_server(app)
    (cost,) = await hold(str(served.make_url("")).rstrip("/"), home_of(10), ["turn on the kitchen light"])
    assert (cost["rounds"], cost["read"], cost["written"]) == (2, 14, 6)
    assert len({str(each["tools"]) for each in asked}) == 1
    assert [m["role"] for m in asked[-1]["messages"]] == ["system", "user", "assistant", "tool"]
    names = [tool["function"]["name"] for tool in asked[0]["tools"]]
    assert len(names) == len(set(names)) > 20
    assert all(each.name in asked[0]["messages"][0]["content"] for each in home_of(10).entities)


async def test_a_server_that_refuses_is_told(aiohttp_server, socket_enabled):
    async def refuse(_):
        return web.json_response({"error": {"message": "too long"}}, status=400)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", refuse)
    served = await aiohttp_server(app)
    with pytest.raises(EngineFailed, match="too long"):
        await hold(str(served.make_url("")).rstrip("/"), home_of(10))


async def test_the_bare_model_hears_each_command_alone_behind_one_prefix():
    engine = ScriptedEngine(outputs=["Hello.", "Done.", '{"name": "intent__HassTurnOn", "arguments": {}}'])
    assert len(await bare.hold(engine, home_of(10), COMMANDS[:2])) == 2
    warm, first, second = (each.prompt for each in engine.asked)
    assert warm.prefix == first.prefix == second.prefix
    assert all(each.name in warm.prefix for each in home_of(10).entities)
    assert "intent__HassTurnOn" in warm.prefix
    assert COMMANDS[0] not in second.text


def test_a_fault_beside_the_value_is_shown():
    rows = [row("identical_calls", 1.0, faults=["2 calls have another target"])]
    assert "NO; 2 calls have another target" in table(rows)
    assert "2 calls have another target" in plot(rows)
