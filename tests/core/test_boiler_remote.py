"""A model on another machine: a real llama-server, and small servers that speak as vLLM, Ollama and others do."""

import asyncio
import re
import sys
import time
from contextlib import aclosing
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, FallbackEngine, LocalEngine, ScriptedEngine
from botpsy_core.engine.remote import RemoteEngine, RemoteSettings
from botpsy_core.errors import EngineBusy, EngineFailed
from tests.core import tiny_gguf

PROMPT = Prompt(
    prefix="<|im_start|>system\nYou turn lights on and off, and you never do anything else.<|im_end|>\n",
    tail="<|im_start|>user\nturn the light on<|im_end|>\n<|im_start|>assistant\n",
)
CALL = Grammar(lark='start: <tool_call> "\\n" /turn_(on|off) (hall|kitchen)/ "\\n" </tool_call>')
SHORT = Limits(max_tokens=60, timeout_s=30)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_gguf.build(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
async def session(socket_enabled):
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def llama(model):
    """Start a real llama-server and yield its address and process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(Path(__file__).with_name("llama_server.py")), str(model), "4096",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with asyncio.timeout(60):
        url = (await process.stdout.readline()).decode().strip()
    yield url, process
    if process.returncode is None:
        process.kill()
    await process.wait()


@pytest.fixture
async def serve(socket_enabled):
    """Run small servers on free ports."""
    runners = []

    async def start(routes):
        app = web.Application()
        app.add_routes(routes)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        runners.append(runner)
        return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"

    yield start
    for runner in runners:
        await runner.cleanup()


async def drain(engine, grammar=CALL, limits=SHORT, prompt=PROMPT):
    items = [item async for item in engine.generate(prompt, grammar, limits)]
    assert isinstance(items[-1], Finished)
    return "".join(i.text for i in items if isinstance(i, Piece)), items[-1]


async def test_a_real_llama_server_obeys_our_grammar(llama, session):
    url, _ = llama
    engine = RemoteEngine(RemoteSettings(url=url), session)
    info = await engine.info()
    assert info.name == "tiny.gguf"
    assert "im_start" in info.template
    assert info.context_tokens == 4096
    assert info.eos == "<|im_end|>"
    text, finished = await drain(engine)
    assert re.fullmatch(r"<tool_call>\nturn_(on|off) (hall|kitchen)\n</tool_call>", text)
    assert finished.reason == "grammar"
    assert finished.prompt_tokens > 80
    again, finished = await drain(engine)
    assert again == text
    assert finished.prompt_tokens_evaluated < finished.prompt_tokens / 2


async def test_a_real_llama_server_scores_as_the_local_engine_does(llama, session, model):
    url, _ = llama
    remote, local = RemoteEngine(RemoteSettings(url=url + "/v1/"), session), LocalEngine(EngineSettings(model=model))
    try:
        await remote.prepare(PROMPT.prefix)
        likely = (await drain(local, None, Limits(max_tokens=1)))[0]
        there, here = await remote.score(PROMPT, [likely]), await local.score(PROMPT, [likely])
        assert there == pytest.approx(here, abs=0.05)
    finally:
        await local.close()


async def test_a_stream_that_nobody_reads_is_closed(llama, session):
    url, _ = llama
    engine = RemoteEngine(RemoteSettings(url=url), session)
    endless = Grammar(lark="start: /[a-z]{2000}/")
    async with aclosing(engine.generate(PROMPT, endless, Limits(max_tokens=3000))) as pieces:
        await anext(pieces)
    started = time.monotonic()
    await drain(engine)
    assert time.monotonic() - started < 5


async def test_a_server_that_dies_in_mid_sentence_is_one_failed_turn(llama, session):
    url, process = llama
    engine = RemoteEngine(RemoteSettings(url=url), session)
    endless = Grammar(lark="start: /[a-z]{2000}/")
    pieces = engine.generate(PROMPT, endless, Limits(max_tokens=3000))
    await anext(pieces)
    process.kill()
    with pytest.raises(EngineFailed, match=r"cannot be reached|broke off"):
        async for _ in pieces:
            pass
    with pytest.raises(EngineFailed, match="cannot be reached"):
        await engine.info()


async def test_a_time_limit_ends_an_answer(llama, session):
    url, _ = llama
    engine = RemoteEngine(RemoteSettings(url=url), session)
    await engine.info()
    endless = Grammar(lark="start: /[a-z]{2000}/")
    _, finished = await drain(engine, endless, Limits(max_tokens=3000, timeout_s=0.02))
    assert finished.reason == "timeout"


def openai_routes(*, owner, obeys=frozenset(), seen=None):
    """Return a server that serves completions and obeys the given ways of a grammar."""

    async def models(_):
        return web.json_response({"data": [{"id": "small", "owned_by": owner, "max_model_len": 2048}]})

    async def completions(request):
        asked = await request.json()
        if seen is not None:
            seen.append(asked)
        if asked.get("echo"):
            offsets, prompt = [0, len(asked["prompt"]) - 3, len(asked["prompt"])], -1.5
            return web.json_response(
                {
                    "choices": [
                        {"text": "", "logprobs": {"text_offset": offsets, "token_logprobs": [None, prompt, -9.0]}}
                    ]
                }
            )
        bounded = any(key in asked for key in obeys)
        text = "ok" if bounded else "whatever"
        usage = {"prompt_tokens": 40, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 30}}
        if not asked.get("stream"):
            return web.json_response({"choices": [{"text": text, "finish_reason": "stop"}], "usage": usage})
        reply = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await reply.prepare(request)
        for part in ('{"choices":[{"text":"turn_"}]}', '{"choices":[{"text":"on","finish_reason":"stop"}]}'):
            await reply.write(f"data: {part}\n\n".encode())
        await reply.write(b'data: {"choices":[],"usage":' + web.json_response(usage).body + b"}\n\ndata: [DONE]\n\n")
        return reply

    return [web.get("/v1/models", models), web.post("/v1/completions", completions)]


@pytest.mark.parametrize("way", ["structured_outputs", "guided_grammar"])
async def test_vllm_gets_the_grammar_in_the_way_that_it_obeys(serve, session, way):
    seen = []
    url = await serve(openai_routes(owner="vllm", obeys={way}, seen=seen))
    engine = RemoteEngine(RemoteSettings(url=url, template="{{ x }}"), session)
    assert (await engine.info()).context_tokens == 2048
    text, finished = await drain(engine)
    assert text == "turn_on"
    assert way in seen[-1]
    assert finished.reason == "grammar"
    assert (finished.prompt_tokens, finished.prompt_tokens_evaluated, finished.generated_tokens) == (40, 10, 3)
    assert await engine.score(PROMPT, ["yes"]) == (-1.5,)


async def test_a_plain_server_is_used_without_a_grammar_and_cannot_score(serve, session):
    seen = []
    url = await serve(openai_routes(owner="somebody", seen=seen))
    engine = RemoteEngine(RemoteSettings(url=url, template="{{ x }}", api_key="k"), session)
    text, finished = await drain(engine)
    assert text == "turn_on"
    assert finished.reason == "eos"
    assert not {"grammar", "structured_outputs", "guided_grammar"} & set(seen[-1])
    assert await engine.score(PROMPT, ["yes"]) is None


async def test_a_server_that_tells_no_template_needs_one(serve, session):
    url = await serve(openai_routes(owner="somebody"))
    with pytest.raises(EngineFailed, match="template"):
        await RemoteEngine(RemoteSettings(url=url), session).info()


async def test_ollama_is_spoken_to_in_its_own_way(serve, session):
    async def version(_):
        return web.json_response({"version": "0.30.0"})

    async def tags(_):
        return web.json_response({"models": [{"name": "small:latest"}]})

    async def show(_):
        facts = {"general.architecture": "qwen2", "qwen2.context_length": 1000, "tokenizer.chat_template": "{{ x }}"}
        return web.json_response({"model_info": facts})

    async def generate(request):
        asked = await request.json()
        assert asked["raw"] is True
        lines = (
            '{"response":"turn_","done":false}\n{"response":"on","done":true,"prompt_eval_count":7,"eval_count":2}\n'
        )
        return web.Response(text=lines)

    url = await serve(
        [
            web.get("/api/version", version),
            web.get("/api/tags", tags),
            web.post("/api/show", show),
            web.post("/api/generate", generate),
        ]
    )
    engine = RemoteEngine(RemoteSettings(url=url), session)
    info = await engine.info()
    assert (info.name, info.architecture, info.context_tokens) == ("small:latest", "qwen2", 1000)
    text, finished = await drain(engine)
    assert text == "turn_on"
    assert (finished.prompt_tokens, finished.generated_tokens) == (7, 2)


@pytest.mark.parametrize(
    ("status", "kind"), [(503, EngineBusy), (429, EngineBusy), (500, EngineFailed), (401, EngineFailed)]
)
async def test_a_refusal_is_told_apart_from_a_busy_server(serve, session, status, kind):
    async def refuse(_):
        return web.Response(status=status, text="no")

    url = await serve([*openai_routes(owner="x")[:1], web.post("/v1/completions", refuse)])
    engine = RemoteEngine(RemoteSettings(url=url, template="{{ x }}"), session)
    with pytest.raises(kind):
        await drain(engine)


async def test_a_server_that_is_not_there_is_told_within_seconds(session):
    engine = RemoteEngine(RemoteSettings(url="http://127.0.0.1:9"), session)
    started = time.monotonic()
    with pytest.raises(EngineFailed, match="cannot be reached"):
        await engine.info()
    assert time.monotonic() - started < 5


async def test_a_server_that_never_answers_is_given_up(serve, session):
    async def wait(_):
        await asyncio.sleep(5)

    url = await serve([web.get("/props", wait)])
    with pytest.raises(EngineFailed, match="does not answer"):
        await RemoteEngine(RemoteSettings(url=url, answer_s=0.2), session).info()


async def test_the_local_model_answers_while_the_far_one_is_gone():
    now = 0.0
    far = ScriptedEngine(["far", EngineFailed("gone"), "far again"])
    near = ScriptedEngine(["near", "near"])
    engine = FallbackEngine(far, near, clock=lambda: now)

    async def turn():
        await engine.info()
        return (await drain(engine))[0]

    assert await turn() == "far"
    with pytest.raises(EngineFailed, match="gone"):
        await turn()
    assert await turn() == "near"
    assert engine.on_second
    now = 31.0
    assert await turn() == "far again"
    assert not engine.on_second
    await engine.close()
    assert far.closed
    assert near.closed


async def test_a_server_that_left_between_two_turns_costs_no_turn(socket_enabled):
    async def complete(_):
        return web.json_response({"choices": [{"text": "ok", "finish_reason": "stop"}], "usage": {}})

    async def models(_):
        return web.json_response({"data": [{"id": "small"}]})

    app = web.Application()
    app.add_routes([web.get("/v1/models", models), web.post("/v1/completions", complete)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
    now = 0.0
    far = RemoteEngine(RemoteSettings(url=url, template="t"), clock=lambda: now)
    engine = FallbackEngine(far, ScriptedEngine(["near"]), clock=lambda: now)
    try:
        assert (await engine.info()).name == "small"
        await runner.cleanup()
        now = 100.0
        assert (await engine.info()).name == "scripted"
        assert (await drain(engine))[0] == "near"
        assert engine.on_second
    finally:
        await engine.close()
