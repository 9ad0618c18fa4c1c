"""What a model sees a tool as, where the tool's own name says nothing."""

from test_agent_foreign import EMPTY, Pier, context, foreign, written

from botpsy_core.agent import Agent
from botpsy_core.agent.shown import Shown
from botpsy_core.domain.decisions import RawCall
from botpsy_core.domain.events import Decided
from botpsy_core.domain.messages import AssistantMessage, ResultMessage, Transcript
from botpsy_core.domain.tools import Outcome, ToolCall, ToolResult
from botpsy_core.engine import ScriptedEngine
from botpsy_core.safety import load_policy

TEXT = {"type": "string", "description": "The name of the island."}
FERRY = foreign("function_1", "Find a ferry to an island.", arg1=TEXT)
TIDE = foreign("function_2", "Tells the tide at an island.", arg1=TEXT)
TWIN = foreign("function_3", "Find a ferry to a town.", arg1=TEXT)
NAMED = foreign("ticket_price", "Price of ferry tickets.", tickets={"type": "integer"})


class Counted(Pier):
    """A toolbox of two tools whose names only count."""

    def specs(self):
        return (FERRY, TIDE)


async def test_a_model_reads_and_writes_what_a_tool_is_called_and_the_call_has_its_own_name(clock):
    engine = ScriptedEngine(outputs=[written("find_ferry", island_name="Rab")])
    agent = Agent(engine=engine, policy=load_policy(None), clock=clock)
    turn = agent.turn(
        "Find a ferry to Rab", transcript=Transcript(), home=EMPTY, toolbox=Counted(), context=context(clock)
    )
    made = [e.verdict.call async for e in turn if isinstance(e, Decided)]
    assert [(c.name, dict(c.args)) for c in made] == [("function_1", {"island_name": "Rab"})]
    (asked,) = [each for each in engine.asked if each.grammar is not None]
    assert "find_ferry" in asked.prompt.prefix
    assert "function_1" not in asked.prompt.prefix + str(asked.grammar)


def test_names_go_there_and_back():
    names = Shown.of([FERRY, TIDE, NAMED])
    assert [t.name for t in names.tools([FERRY, TIDE, NAMED])] == ["find_ferry", "tells_tide", "ticket_price"]
    assert [names.own(RawCall(name=n)).name for n in ("find_ferry", "ticket_price")] == ["function_1", "ticket_price"]


def test_two_tools_that_are_called_the_same_keep_their_names():
    assert [t.name for t in Shown.of([FERRY, TWIN, TIDE]).tools([FERRY, TWIN, TIDE])] == [
        "function_1",
        "function_3",
        "tells_tide",
    ]


def test_no_tool_is_shown_as_a_word_of_the_grammar():
    asks = foreign("function_4", "Ask users.")
    assert asks.called == "ask_users"
    assert Shown.of([foreign("function_5", "Ask user.")]).names == {}


def test_earlier_calls_are_shown_under_the_same_names():
    call = ToolCall(id="1", name="function_1", args={"island_name": "Rab"})
    result = ToolResult(call_id="1", outcome=Outcome.DONE, untrusted=True)
    talk = Transcript(messages=(AssistantMessage(text="", calls=(call,)), ResultMessage(call=call, result=result)))
    said, told = Shown.of([FERRY]).transcript(talk).messages
    assert (said.calls[0].name, told.call.name) == ("find_ferry", "find_ferry")
