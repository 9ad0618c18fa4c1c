"""A bad file is refused in words that say what to do."""

import gguf as reference
import pytest

from botpsy_core.engine import gguf
from botpsy_core.errors import ModelFileInvalid
from tests.core import tiny_gguf


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_gguf.build(tmp_path_factory.mktemp("models") / "tiny.gguf")


def test_a_good_file_tells_what_it_is(model):
    header = gguf.read_header(model)
    assert header.text("general.architecture") == "qwen2"
    assert header.number("qwen2.context_length") == 4096
    assert header.size_bytes == model.stat().st_size


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no GGUF"),
        (b"GG", "no GGUF"),
        (b"<html>not found</html>", "no GGUF"),
        (b"GGUF", "truncated"),
        (b"GGUF\x63\x00\x00\x00" + bytes(64), "version 99"),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 64, "damaged"),
        (b"GGUF\x03\x00\x00\x00" + bytes(16), "without a model"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path, content, words):
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelFileInvalid, match=words):
        gguf.read_header(path)


@pytest.mark.parametrize("part", [0.001, 0.01, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path, model, part):
    whole = model.read_bytes()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(ModelFileInvalid, match="truncated"):
        gguf.read_header(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.gguf", tmp_path):
        with pytest.raises(ModelFileInvalid, match="cannot read"):
            gguf.read_header(path)


def test_the_sizes_of_all_tensor_types_are_known():
    sizes = {int(kind): size for kind, size in reference.GGML_QUANT_SIZES.items() if kind.name != "Q8_1"}
    assert {kind: gguf._BLOCKS[kind] for kind in sizes} == sizes
