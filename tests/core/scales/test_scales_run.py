import json
from dataclasses import replace
from itertools import pairwise

import pytest
from scales_samples import HOME, RECORDS, TURN_ON, WEATHER, record, samples, write

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.domain.tools import Risk
from botpsy_core.engine import ScriptedEngine
from botpsy_core.errors import ConfigurationInvalid, EngineFailed, PromptTooLong
from botpsy_core.evaluate.cases import load_cases
from botpsy_core.evaluate.prediction import Made, Prediction, read_predictions
from botpsy_core.evaluate.product import Product
from botpsy_core.evaluate.renamed import Renamed
from botpsy_core.evaluate.replay import ReplayEngine
from botpsy_core.evaluate.report import comparison_of, report_of, table_of
from botpsy_core.evaluate.run import Progress, in_shared_order, run_cases
from botpsy_core.evaluate.scene import scene_of, specs_of
from botpsy_core.evaluate.score import score
from botpsy_core.evaluate.tally import interval, judge
from botpsy_core.evaluate.unguarded import Unguarded
from botpsy_core.safety import load_policy

REFUSAL = '<tool_call>\n{"name": "no_suitable_tool", "arguments": {}}\n</tool_call>'


def product(engine=None, **options):
    return Product(engine=engine, policy=load_policy({}), **options)


async def predicted(tmp_path, engine=None, **options):
    return await run_cases(samples(tmp_path), product(engine, **options))


async def test_the_products_own_turn_answers_cases_in_their_own_tools(tmp_path):
    cases = {case.id: case for case in samples(tmp_path)}
    found = await predicted(tmp_path, ScriptedEngine([REFUSAL] * 9))
    assert found["on"].calls == (Made(name="HassTurnOn", args={"name": "Kitchen Light", "domain": ["light"]}),)
    assert found["off"].calls[0].args["name"] == "Hall Lamp"
    assert all(score(cases[id_], found[id_]).passed for id_ in ("on", "off", "absent", "pizza", "humid"))
    assert found["on"].facts["by_code"] is True
    assert "43" in found["humid"].final_text


async def test_an_answer_says_what_each_room_made_of_it(tmp_path):
    line = (await predicted(tmp_path, ScriptedEngine([REFUSAL] * 9)))["on"].to_json()
    assert {"verdict", "reason", "p_call", "p_refuse", "heard", "evidence", "seconds", "prompt_tokens"} <= line.keys()
    assert json.loads(json.dumps(line)) == line


def test_the_product_sees_the_home_and_nothing_of_the_label(tmp_path):
    given, listed = (next(c for c in samples(tmp_path) if c.id == id_) for id_ in ("on", "absent"))
    assert [e.id for e in scene_of(given).home.entities] == [e["id"] for e in HOME["entities"]]
    assert scene_of(given).home.entities[1].aliases == ("Lantern",)
    assert [(e.id, e.aliases, e.area_id) for e in scene_of(listed).home.entities] == [
        ("light.kitchen_light", (), "kitchen"),
        ("light.hall_lamp", ("Lantern",), "hall"),
    ]
    assert scene_of(listed).instructions == ""
    assert "accepted" not in repr(scene_of(given))


def test_a_cases_tools_count_as_comfort_or_as_reading(tmp_path):
    rows = (record("x", "hi", (TURN_ON, WEATHER), {"type": "no_call"}, system="The current date is May 2, 2024."),)
    scene = scene_of(samples(tmp_path, rows)[0])
    assert {t.name: t.risk for t in scene.tools} == {"HassTurnOn": Risk.COMFORT, "get_weather": Risk.READ}
    assert scene.now.date().isoformat() == "2024-05-02"
    assert scene.instructions.startswith("The current date")


def test_the_words_of_the_turn_are_no_talk_before_it_unless_results_answered_them(tmp_path):
    asked = record("x", "weather in Oslo?", (WEATHER,), {"type": "no_call"})
    looked_up = [
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
        ]},
        {"role": "tool", "tool_call_id": "1", "content": "rain"},
    ]  # fmt: skip
    answered = {**asked, "id": "y", "messages": [*asked["messages"], *looked_up]}
    plain, begun = (scene_of(case) for case in samples(tmp_path, (asked, answered)))
    assert (plain.utterance, plain.transcript.messages) == ("weather in Oslo?", ())
    assert [type(m).__name__ for m in begun.transcript.messages] == ["UserMessage", "AssistantMessage", "ResultMessage"]


def test_a_tool_that_points_at_things_of_the_home_acts_whatever_its_first_word_promises(tmp_path):
    dock = {**TURN_ON, "name": "GetVacuumBack", "description": "Gets a vacuum back to its base"}
    scene = scene_of(samples(tmp_path, (record("x", "hi", (dock,), {"type": "no_call"}),))[0])
    assert scene.tools[0].risk is Risk.COMFORT


async def test_calls_of_the_talk_so_far_are_no_new_calls(tmp_path):
    row = record("past", "what is the weather in Rome?", (WEATHER,), {"type": "no_call"})
    row["messages"] += [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "sunny"},
    ]
    call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
    found = await run_cases(samples(tmp_path, (row,)), product(ScriptedEngine([call] * 3)))
    assert found["past"].calls == ()


async def test_with_the_gate_open_what_was_stopped_shows(tmp_path):
    oven = {"entities": [{"id": "switch.oven", "name": "Oven", "state": "off"}]}
    cases = samples(tmp_path, (record("oven", "turn on the oven", (TURN_ON,), {"type": "no_call", "home": oven}),))
    shut, opened = [(await run_cases(cases, product(gate_open=gate_open)))["oven"] for gate_open in (False, True)]
    assert (shut.calls, shut.facts["verdict"]) == ((), "ask")
    assert [call.name for call in opened.calls] == ["HassTurnOn"]


async def test_the_same_run_twice_resumed_and_replayed_is_the_same(tmp_path):
    cases = samples(tmp_path)
    answers, first, second = (tmp_path / name for name in ("answers.jsonl", "first.jsonl", "second.jsonl"))
    engine = ReplayEngine(answers, ScriptedEngine([REFUSAL] * 9))
    await run_cases(cases, product(engine), file=first)
    await run_cases(cases, product(ReplayEngine(answers)), file=second)
    assert first.read_text() == second.read_text()
    whole = first.read_text()
    first.write_text("".join(whole.splitlines(keepends=True)[:2]) + '{"id": "hum')
    told: list[Progress] = []
    await run_cases(cases, product(ReplayEngine(answers)), file=first, resume=True, told=told.append)
    assert first.read_text() == whole
    assert [(p.done, p.total) for p in told] == [(1, 3), (2, 3), (3, 3)]
    assert list(read_predictions(first)) == [case.id for case in cases]


async def test_a_replay_asks_the_model_only_for_what_is_new(tmp_path):
    answers = tmp_path / "answers.jsonl"
    prompt, limits = Prompt(prefix="a", tail="b"), Limits()
    piece = Piece(text="hello", probability=0.5, alternatives={"x": 0.25})
    first = ReplayEngine(answers, ScriptedEngine([[piece]], scores={"y": -1.0}))
    parts = [part async for part in first.generate(prompt, None, limits)]
    assert await first.score(prompt, ["y"]) == (-1.0,)
    assert first.asked == 2
    again = ReplayEngine(answers, ScriptedEngine(["other"]))
    assert [part async for part in again.generate(prompt, None, limits)] == parts
    assert parts[0] == piece
    assert isinstance(parts[1], Finished)
    assert await again.score(prompt, ["y"]) == (-1.0,)
    assert (again.asked, again.replayed) == (0, 2)
    changed = [part async for part in again.generate(prompt, Grammar(lark='start: "a"'), limits)]
    assert changed[0] == Piece(text="other")


async def test_a_replay_without_the_answer_or_the_model_says_so(tmp_path):
    missing = ReplayEngine(tmp_path / "none.jsonl")
    with pytest.raises(EngineFailed, match="no answer"):
        await anext(missing.generate(Prompt(prefix="", tail="x"), None, Limits()))
    with pytest.raises(EngineFailed, match="no model"):
        await missing.info()


async def test_the_bare_model_is_read_in_any_dress(tmp_path):
    fenced = 'Sure:\n```json\n{"name": "HassTurnOn", "arguments": {"name": "Kitchen Light"}}\n```'
    engine = ScriptedEngine([fenced])
    engine.model = type(engine.model)(
        **{
            **{f: getattr(engine.model, f) for f in engine.model.__dataclass_fields__},
            "template": "{% for m in messages %}{{ m.content }}{% endfor %}",
        }
    )
    case = next(c for c in samples(tmp_path) if c.id == "on")
    found = await Unguarded(engine).predict(case)
    assert found.calls == (Made(name="HassTurnOn", args={"name": "Kitchen Light"}),)
    assert found.text == "Sure:"
    assert not found.malformed
    assert engine.asked[0].grammar is None


def bare(engine, template="{{ tools }}{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"):
    """Return the bare model behind a template."""
    engine.model = replace(engine.model, template=template)
    return Unguarded(engine)


async def test_the_bare_model_hears_the_recorded_result_of_a_question_and_answers_it(tmp_path):
    case = next(c for c in samples(tmp_path) if c.id == "humid")
    engine = ScriptedEngine(['{"name": "GetLiveContext", "arguments": {}}', "It is 43 %."])
    found = await bare(engine).predict(case)
    assert found.calls == (Made(name="GetLiveContext"),)
    assert found.final_text == "It is 43 %."
    assert "tool: Live Context" in engine.asked[1].prompt.text
    assert score(case, found).passed
    wrong = await bare(ScriptedEngine(['{"name": "HassTurnOn", "arguments": {}}'])).predict(case)
    assert [call.name for call in wrong.calls] == ["HassTurnOn"]


async def test_a_template_without_tools_gets_them_in_its_system_message(tmp_path):
    case = next(c for c in samples(tmp_path) if c.id == "pizza")
    engine = ScriptedEngine(["no"])
    await bare(engine, "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}").predict(case)
    assert engine.asked[0].prompt.text.startswith("system: # Tools")
    assert "get_weather" in engine.asked[0].prompt.prefix


def test_cases_with_one_beginning_follow_each_other(tmp_path):
    order = [case.tools for case in in_shared_order(samples(tmp_path))]
    changes = sum(a != b for a, b in pairwise(order))
    assert changes == len({json.dumps(tools) for tools in order}) - 1


def test_bad_case_files_name_file_and_line(tmp_path):
    file = write(tmp_path)
    file.write_text(file.read_text() + '{"id": "x"}\n')
    with pytest.raises(ConfigurationInvalid, match=r"cases\.jsonl:6"):
        load_cases([file])
    write(tmp_path, [*RECORDS, RECORDS[0]])
    with pytest.raises(ConfigurationInvalid, match="make ids unique"):
        load_cases([file])
    with pytest.raises(ConfigurationInvalid, match="there are no cases"):
        load_cases([tmp_path / "nowhere"])


def test_smoke_and_limit_take_a_part(tmp_path):
    file = write(tmp_path)
    assert [case.id for case in load_cases([tmp_path], smoke=True)] == ["pizza"]
    assert [case.id for case in load_cases([file], limit=2)] == ["on", "off"]


async def test_the_report_keeps_acting_and_stopping_apart(tmp_path):
    cases = samples(tmp_path)
    judged = judge(cases, await predicted(tmp_path, ScriptedEngine([REFUSAL] * 9)))
    report = report_of(judged)
    assert report["acting"]["act"]["acted_right"] == 3
    assert report["acting"]["stop"]["stopped_right"] == 2
    assert report["acting"]["stop"]["n_clean"] == 1
    assert [case["id"] for case in report["cases"]] == [case.id for case in cases]
    text = table_of(judged, judged)
    assert "Where acting is right" in text
    assert "Where stopping is right" in text
    assert json.dumps(report)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"), [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (14, 47, 0.187, 0.440)]
)
def test_intervals_are_wilsons(hits, n, low, high):
    assert interval(hits, n) == pytest.approx((low, high), abs=0.001)


async def test_runs_are_compared_case_by_case(tmp_path):
    cases = samples(tmp_path)
    good = judge(cases, await predicted(tmp_path, ScriptedEngine([REFUSAL] * 9)))
    bad = judge(cases, {})
    text = comparison_of({"q8": good, "q4": bad})
    assert "-5 +0" in text.splitlines()[-1]
    assert "q8" in text.splitlines()[0]


async def test_other_names_come_back_as_the_true_ones(tmp_path):
    row = record("rome", "what is the weather in Rome?", (WEATHER,), {"type": "any_call"})
    (case,) = samples(tmp_path, (row,))
    seen = []

    class Spy:
        async def predict(self, case):
            seen.append(case)
            (tool,) = case.tools
            key = tool["function"]["parameters"]["required"][0]
            return Prediction(id=case.id, calls=(Made(name=tool["function"]["name"], args={key: "Rome"}),))

    found = await Renamed(Spy()).predict(case)
    assert found.calls == (Made(name="get_weather", args={"city": "Rome"}),)
    assert "get_weather" not in json.dumps([seen[0].tools[0]["function"], seen[0].messages])
    engine = ScriptedEngine(["no"])
    await Renamed(bare(engine)).predict(case)
    assert "function_1" in engine.asked[0].prompt.text
    assert "get_weather" not in engine.asked[0].prompt.text
    assert "city" not in json.dumps(seen[0].tools[0]["function"]["parameters"])


async def test_the_homes_own_slots_and_reads_are_known_under_other_names(tmp_path):
    cases = [case for case in samples(tmp_path) if case.id in {"on", "off", "humid"}]
    found = await run_cases(cases, Renamed(product()))
    assert all(score(case, found[case.id]).passed for case in cases)
    assert found["on"].calls == (Made(name="HassTurnOn", args={"name": "Kitchen Light", "domain": ["light"]}),)


async def test_programs_know_calls_under_other_names(tmp_path):
    add = {"name": "add", "description": "Add.", "parameters": {"properties": {k: {"type": "number"} for k in "ab"}}}
    turn = {"user": [{"role": "user", "content": "add 1 and 2"}], "gt_calls": [], "expect_no_call": False}
    talk = {"type": "multi_turn", "involved_classes": ["MathAPI"], "initial_config": {}, "turns": [turn]}
    (case,) = samples(tmp_path, (record("sum", "", (add,), talk),))
    engine = ScriptedEngine(['{"name": "function_1", "arguments": {"value_1": 1, "value_2": 2}}', "3"])
    found = await Renamed(bare(engine)).predict(case)
    assert found.turns == ((Made(name="add", args={"a": 1, "b": 2}),),)
    assert 'tool: {"result": 3' in engine.asked[1].prompt.text


async def test_a_model_that_fails_never_counts_as_a_refusal_and_ends_the_run_once_it_is_gone(tmp_path):
    rows = [record(f"rome{i}", "what is the weather in Rome?", (WEATHER,), {"type": "no_call"}) for i in range(3)]
    cases, file = samples(tmp_path, rows), tmp_path / "out.jsonl"
    found = await run_cases(cases[:1], product(ScriptedEngine([])), file=file)
    assert "failed" in found["rome0"].facts
    assert not score(cases[0], found["rome0"]).passed
    refusals = ScriptedEngine([REFUSAL] * 2)
    again = await run_cases(cases[:1], product(refusals), file=file, resume=True)
    assert score(cases[0], again["rome0"]).passed
    with pytest.raises(EngineFailed, match="no further output"):
        await run_cases(cases, product(ScriptedEngine([])))
    with pytest.raises(EngineFailed, match="no model"):
        await run_cases(cases[:1], product(ReplayEngine(tmp_path / "none.jsonl")))


async def test_talks_that_are_too_long_for_a_model_pass_nothing_and_end_no_run(tmp_path):
    rows = [record(f"rome{i}", "what is the weather in Rome?", (WEATHER,), {"type": "no_call"}) for i in range(4)]
    cases = samples(tmp_path, rows)
    found = await run_cases(cases, bare(ScriptedEngine([PromptTooLong("too long")] * 4)))
    assert all("failed" in each.facts for each in found.values())
    assert not any(score(case, found[case.id]).passed for case in cases)


@pytest.mark.parametrize(
    ("name", "description", "reads"),
    [
        ("tide_table", "Returns when the sea is high.", True),
        ("return_bottle", "Takes a bottle back.", False),
        ("tides", "This function is designed to retrieve when the sea is high.", True),
        ("moss", "Identifies a moss.", True),
        ("tide_gate", "The API can open the gate.", False),
    ],
)
def test_a_tool_of_a_case_reads_where_its_name_or_its_description_promises_it(name, description, reads):
    (spec,) = specs_of([{"type": "function", "function": {"name": name, "description": description, "parameters": {}}}])
    assert (spec.risk is Risk.READ) is reads
