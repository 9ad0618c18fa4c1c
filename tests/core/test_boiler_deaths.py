"""Why a worker was killed is told by what the kernel counted, not by a guess."""

import pytest

from botpsy_core.engine.process import death_by_abort, death_by_kill, oom_kills


@pytest.mark.parametrize(
    ("before", "after", "memory"),
    [(3, 4, True), (0, 2, True), (3, 3, False), (None, 4, False), (3, None, False), (None, None, False)],
)
def test_memory_is_blamed_only_where_the_kernel_counted_a_kill(before, after, memory):
    words = death_by_kill(before, after)
    assert words.startswith("it was killed (signal 9)")
    assert ("memory" in words) is memory


@pytest.mark.parametrize(
    ("text", "count"),
    [("pgfault 12\noom_kill 7\nswap_ra 1\n", 7), ("oom_kill_other 9\noom_kill 2\n", 2), ("pgfault 12\n", None)],
)
def test_the_kernels_count_is_read(tmp_path, text, count):
    file = tmp_path / "vmstat"
    file.write_text(text)
    assert oom_kills(file) == count


def test_a_system_without_the_count_tells_none(tmp_path):
    assert oom_kills(tmp_path / "vmstat") is None


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ([], False),
        (["GGML_ASSERT(n_tokens <= n_batch) failed"], False),
        (["terminate called after throwing an instance of 'std::bad_alloc'", "  what():  std::bad_alloc"], True),
        (["ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 4096"], True),
    ],
)
def test_giving_up_is_blamed_on_memory_only_where_the_library_said_so(said, memory):
    words = death_by_abort(said)
    assert words.startswith("llama.cpp gave up")
    assert ("memory" in words) is memory
