"""What was read stays read, and nothing of it changes the answer; on a plain transformer and on a hybrid."""

import random
from pathlib import Path

import pytest

from botpsy_core.engine.batch import Aborted
from botpsy_core.engine.llama import Context, Model
from botpsy_core.engine.prefix import Snapshots
from botpsy_core.engine.stream import LEAST, Stream
from botpsy_core.engine.threads import Governor
from tests.core import tiny_gguf


@pytest.fixture(scope="module", params=["qwen2", "qwen35"])
def model(request, tmp_path_factory):
    path = tiny_gguf.build(tmp_path_factory.mktemp("models") / "m.gguf", architecture=request.param)
    model = Model(path)
    yield model
    model.close()


class Desk:
    """A context, its stream and a switch to abort it."""

    def __init__(self, model, folder=None, *, reuse=True, tokens=1024, identity="same"):
        self.abort_after = None
        self.context = Context(model, tokens=tokens, sequences=3, governor=Governor((1,)), abort=self._abort)
        self.snapshots = Snapshots(identity=identity, folder=folder)
        self.stream = Stream(
            context=self.context,
            cuts=model.rolls_back,
            snapshots=self.snapshots,
            progress=lambda: None,
            reuse=reuse,
        )

    def _abort(self):
        if self.abort_after is None:
            return False
        self.abort_after -= 1
        return self.abort_after < 0

    def ask(self, prefix, tail, then=()):
        before = self.stream.counted
        self.stream.read(prefix, tail, then=then)
        return self.stream.logits().copy(), self.stream.counted - before

    def write(self, count):
        for _ in range(count):
            self.stream.append([int(self.stream.logits().argmax())])

    def close(self):
        self.snapshots.flush()
        self.context.close()


@pytest.fixture
def desk(model):
    made = []

    def make(**options):
        made.append(Desk(model, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def words(seed, count):
    chance = random.Random(seed)
    return [chance.randrange(33, 120) for _ in range(count)]


def close_to(left, right):
    return float(abs(left - right).max()) < 1e-3


def test_a_restored_prefix_gives_bit_for_bit_the_same_logits(desk, tmp_path):
    prefix, tail = words(1, 300), words(2, 40)
    cold = desk(folder=tmp_path)
    first, read = cold.ask(prefix, tail)
    assert read == 340
    cold.snapshots.flush()
    warm = desk(folder=tmp_path)
    second, read = warm.ask(prefix, tail)
    assert read == 40
    assert (first == second).all()
    cold.write(20)
    warm.write(20)
    assert cold.stream.tokens == warm.stream.tokens
    assert (cold.stream.logits() == warm.stream.logits()).all()


def test_an_answer_leaves_no_trace_in_the_next_one(desk):
    prefix, tails = words(1, 200), [words(seed, 30) for seed in range(2, 6)]
    fresh = [desk(reuse=False).ask(prefix, tail)[0] for tail in tails]
    used = desk()
    for _ in range(2):
        for tail, expected in zip(tails, fresh, strict=True):
            logits, _ = used.ask(prefix, tail)
            assert close_to(logits, expected)
            used.write(7)


def test_a_random_life_agrees_with_a_fresh_start_each_time(desk):
    chance = random.Random(7)
    used, fresh = desk(), desk(reuse=False)
    prefixes = [words(1, 130), words(2, 260), words(1, 130)[:100] + words(3, 40)]
    history = words(9, 150)
    for _ in range(60):
        prefix = chance.choice(prefixes)
        tail = history[: chance.randrange(1, 150)] + words(chance.randrange(3), chance.randrange(1, 30))
        used.abort_after = chance.choice([None, None, None, chance.randrange(400)])
        try:
            logits, read = used.ask(prefix, tail)
        except Aborted:
            continue
        finally:
            used.abort_after = None
        assert used.stream.tokens == [*prefix, *tail]
        assert read <= len(prefix) + len(tail)
        assert close_to(logits, fresh.ask(prefix, tail)[0])
        used.write(chance.randrange(6))


def test_a_common_beginning_of_the_tail_is_not_read_again(desk, model):
    prefix, history = words(1, 100), words(2, 200)
    used = desk()
    used.ask(prefix, history + words(3, 20))
    _, read = used.ask(prefix, history + words(4, 20))
    assert read <= (20 + LEAST + 4 if model.rolls_back else 64 + 20)


def test_going_back_to_an_earlier_prefix_reads_only_the_tail(desk):
    one, two, tail = words(1, 200), words(2, 200), words(3, 20)
    used = desk()
    used.ask(one, tail)
    used.ask(two, tail)
    _, read = used.ask(one, tail)
    assert read == 20


def test_a_long_prefix_that_was_stopped_goes_on_where_it_was(desk, model):
    prefix, tail = words(1, 600), words(2, 20)
    used = desk()
    used.abort_after = 300
    with pytest.raises(Aborted):
        used.ask(prefix, tail)
    kept = len(used.stream.tokens)
    used.abort_after = None
    logits, read = used.ask(prefix, tail)
    assert kept % 128 == 0
    assert read == 620 - kept
    assert close_to(logits, desk(reuse=False).ask(prefix, tail)[0])


def test_a_prefix_can_be_read_ahead_in_parts(desk):
    prefix, tail = words(1, 300), words(2, 20)
    used = desk()
    lefts = []
    while left := used.stream.advance(prefix):
        lefts.append(left)
    assert lefts == [300 - 128, 300 - 256]
    logits, read = used.ask(prefix, tail)
    assert read == 20
    assert close_to(logits, desk(reuse=False).ask(prefix, tail)[0])


@pytest.mark.parametrize("flip", [0, 20, 60, 100, -1])
def test_a_damaged_snapshot_is_read_anew(desk, tmp_path, flip):
    prefix, tail = words(1, 100), words(2, 20)
    first = desk(folder=tmp_path)
    expected, _ = first.ask(prefix, tail)
    first.snapshots.flush()
    path = next(Path(tmp_path).glob("*.state"))
    raw = bytearray(path.read_bytes())
    raw[flip] ^= 1
    path.write_bytes(raw)
    logits, read = desk(folder=tmp_path).ask(prefix, tail)
    assert read == 120
    assert (logits == expected).all()


def test_a_cut_off_snapshot_is_read_anew(desk, tmp_path):
    prefix, tail = words(1, 100), words(2, 20)
    first = desk(folder=tmp_path)
    first.ask(prefix, tail)
    first.snapshots.flush()
    path = next(Path(tmp_path).glob("*.state"))
    path.write_bytes(path.read_bytes()[:-100])
    _, read = desk(folder=tmp_path).ask(prefix, tail)
    assert read == 120


def test_the_snapshot_of_another_model_is_not_taken(desk, tmp_path):
    prefix, tail = words(1, 100), words(2, 20)
    first = desk(folder=tmp_path)
    first.ask(prefix, tail)
    first.snapshots.flush()
    _, read = desk(folder=tmp_path, identity="another").ask(prefix, tail)
    assert read == 120


def test_the_disk_is_not_written_every_turn_and_not_without_end(desk, tmp_path):
    used = desk(folder=tmp_path)
    for seed in range(20):
        used.ask(words(seed, 100), words(50, 10))
    used.snapshots.flush()
    assert 0 < len(list(tmp_path.glob("*.state"))) <= 4
    assert list(tmp_path.glob("*.part")) == []


def test_a_disk_that_cannot_be_written_costs_nothing_but_time(desk, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    used = desk(folder=blocked)
    used.ask(words(1, 100), words(2, 20))
    used.ask(words(3, 100), words(2, 20))
    _, read = used.ask(words(1, 100), words(2, 20))
    assert read == 20
