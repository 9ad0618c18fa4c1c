"""Each way in which a worker can be lost is one failed turn and nothing else; real child processes, really killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import aclosing
from pathlib import Path

import pytest

from botpsy_core.domain.engine import Finished, Grammar, Limits, Piece, Prompt
from botpsy_core.engine import EngineSettings, EngineState, LocalEngine, keeper
from botpsy_core.errors import EngineFailed, ModelFileInvalid
from tests.core import tiny_gguf

pytestmark = pytest.mark.model

PROMPT = Prompt(prefix="<|im_start|>system\nYou turn lights on and off.<|im_end|>\n", tail="turn the light on\n")
CALL = Grammar(lark='start: "turn_" ("on" | "off")')
ENDLESS = Grammar(lark="start: /[a-z]{2500}/")
LONG = Limits(max_tokens=3000, timeout_s=30)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_gguf.build(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
async def make(model):
    made = []

    def engine(**options):
        seen = []
        one = LocalEngine(
            EngineSettings(**{"model": model, **options}), on_state=lambda state, reason: seen.append((state, reason))
        )
        made.append(one)
        return one, seen

    yield engine
    for one in made:
        await one.close()


async def until(holds):
    """Wait for something that the engine does unasked."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)


async def works(engine):
    items = [item async for item in engine.generate(PROMPT, CALL, Limits())]
    assert isinstance(items[-1], Finished)
    assert "".join(i.text for i in items if isinstance(i, Piece)) in {"turn_on", "turn_off"}


async def begin(engine, act, limits=LONG):
    """Start a long generation, do something to the worker, and read on."""
    async with aclosing(engine.generate(PROMPT, ENDLESS, limits)) as pieces:
        await anext(pieces)
        act(engine.pid)
        async for _ in pieces:
            pass


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGKILL, r"killed \(signal 9\)$"),
        (signal.SIGSEGV, "crashed"),
        (signal.SIGABRT, "gave up"),
        (signal.SIGTERM, "signal 15"),
    ],
)
async def test_a_death_in_mid_sentence_says_why_and_the_next_turn_works(make, number, words):
    engine, seen = make()
    with pytest.raises(EngineFailed, match=words):
        await begin(engine, lambda pid: os.kill(pid, number))
    assert engine.state is EngineState.FAILED
    await works(engine)
    assert engine.state is EngineState.READY
    assert [state for state, _ in seen].count(EngineState.FAILED) == 1


async def test_a_death_between_turns_is_noticed_and_mended_unasked(make):
    engine, seen = make()
    await works(engine)
    first = engine.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: engine.pid not in {first, None} and engine.state is EngineState.READY)
    states = [state for state, _ in seen]
    assert states[2:] == [EngineState.FAILED, EngineState.STARTING, EngineState.READY]
    await works(engine)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
async def test_a_worker_that_died_unnoticed_costs_no_request(make, number):
    """The request comes before the loop has heard of the death."""
    engine, _ = make()
    await works(engine)
    first = engine.pid
    for _ in range(3):
        os.kill(engine.pid, number)
        await works(engine)
    assert engine.pid != first
    assert engine.state is EngineState.READY


async def test_a_hung_worker_is_ended_in_time(make):
    engine, _ = make(grace_s=0.5)
    await works(engine)
    started = time.monotonic()
    with pytest.raises(EngineFailed, match="hung"):
        await begin(engine, lambda pid: os.kill(pid, signal.SIGSTOP), Limits(max_tokens=3000, timeout_s=1))
    assert time.monotonic() - started < 4
    await works(engine)


async def test_a_worker_that_ignores_a_cancel_is_ended(make):
    engine, _ = make()
    async with aclosing(engine.generate(PROMPT, ENDLESS, LONG)) as pieces:
        await anext(pieces)
        os.kill(engine.pid, signal.SIGSTOP)
    await works(engine)


async def test_an_answer_ends_at_its_own_time_limit(make):
    engine, _ = make()
    await works(engine)
    items = [i async for i in engine.generate(PROMPT, ENDLESS, Limits(max_tokens=3000, timeout_s=0.3))]
    assert items[-1].reason == "timeout"
    assert items[-1].seconds < 0.6


async def test_a_cancel_is_obeyed_within_200_ms(make):
    engine, _ = make()
    await works(engine)
    long_tail = Prompt(prefix=PROMPT.prefix, tail="turn the light on and off again, " * 90)

    async def read_on():
        async for _ in engine.generate(long_tail, ENDLESS, Limits(max_tokens=600)):
            pass

    for wait in (0.0, 0.02, 0.05, 0.1):
        asking = asyncio.create_task(read_on())
        await asyncio.sleep(wait)
        asking.cancel()
        started = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with engine._turnstile.inside(5):
            taken = time.monotonic() - started
        assert taken < 0.2
    await works(engine)


async def test_memory_beyond_the_limit_is_refused_in_words(make):
    engine, _ = make(memory_limit_mb=1)
    with pytest.raises(EngineFailed, match="memory"):
        await works(engine)


def broken_library(folder, body):
    package = folder / "llama_cpp"
    package.mkdir()
    (package / "__init__.py").write_text(body)


async def test_a_processor_without_the_instructions_gives_up_with_a_reason(make, tmp_path, monkeypatch):
    broken_library(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(keeper, "BACK_OFF_S", (0.0, 0.0, 300.0))
    engine, _ = make()
    for _ in range(3):
        with pytest.raises(EngineFailed, match="lacks instructions"):
            await works(engine)
    started = time.monotonic()
    with pytest.raises(EngineFailed, match=r"lacks instructions.*next try in"):
        await works(engine)
    assert time.monotonic() - started < 0.1
    assert engine.state is EngineState.FAILED
    (tmp_path / "llama_cpp" / "__init__.py").unlink()
    (tmp_path / "llama_cpp").rmdir()
    await engine.close()
    await works(engine)


async def test_a_missing_library_is_named(make, tmp_path, monkeypatch):
    broken_library(tmp_path, "raise ImportError('libllama.so: cannot open shared object file')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    engine, _ = make()
    with pytest.raises(EngineFailed, match=r"libllama\.so"):
        await works(engine)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw[: len(raw) // 2], "truncated"),
        (lambda raw: b"<html>" + raw, "no GGUF"),
        (lambda raw: raw.replace(b"qwen2", b"qwenX"), "cannot load"),
        (lambda raw: raw.replace(b"blk.0.attn_q.weight", b"blk.0.attn_X.weight"), "cannot load"),
    ],
)
async def test_a_corrupt_file_is_named_and_a_whole_one_in_its_place_works(make, model, tmp_path, change, words):
    path = tmp_path / "model.gguf"
    path.write_bytes(change(model.read_bytes()))
    engine, _ = make(model=path)
    with pytest.raises(ModelFileInvalid, match=words):
        await works(engine)
    path.write_bytes(model.read_bytes())
    await works(engine)


async def test_an_idle_model_is_unloaded_and_comes_back(make):
    engine, seen = make(idle_unload_s=0.2)
    await works(engine)
    await until(lambda: engine.state is EngineState.STOPPED)
    assert not any(state is EngineState.FAILED for state, _ in seen)
    await works(engine)


async def test_noise_on_the_pipe_is_a_lost_worker(make, tmp_path, monkeypatch):
    broken_library(
        tmp_path,
        "import contextlib, os\n"
        "for fd in range(3, 12):\n"
        "    with contextlib.suppress(OSError):\n"
        "        os.write(fd, b'x' * 64)\n",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    engine, _ = make()
    with pytest.raises(EngineFailed, match="could not be started"):
        await works(engine)


async def test_the_worker_ends_with_its_parent(model):
    code = (
        "import asyncio, sys, pathlib\n"
        "from botpsy_core.engine import EngineSettings, LocalEngine\n"
        "async def main():\n"
        "    engine = LocalEngine(EngineSettings(model=pathlib.Path(sys.argv[1])))\n"
        "    await engine.info()\n"
        "    print(engine.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(model), stdout=asyncio.subprocess.PIPE
    )
    pid = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()
    await until(lambda: not _alive(pid))


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_parent_never_loads_the_library():
    code = (
        "import sys, botpsy_core.engine\n"
        "heavy = {'llama_cpp', 'numpy', 'llguidance', 'huggingface_hub'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or None)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
