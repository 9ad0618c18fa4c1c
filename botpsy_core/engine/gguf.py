"""Read a GGUF file's header without any other library, to refuse a bad file in clear words."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from botpsy_core.domain.values import JsonValue
from botpsy_core.errors import ModelFileInvalid

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_STRING = 64 << 20
MAX_COUNT = 16 << 20

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9

# ggml type: (elements in a block, bytes of a block)
_BLOCKS: Mapping[int, tuple[int, int]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 40),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a GGUF file says of itself."""

    version: int
    metadata: Mapping[str, JsonValue]
    """Scalars and strings; an array stands as its length."""
    tensors: int
    size_bytes: int
    """The whole file."""

    def text(self, key: str) -> str:
        """Return a string of the metadata, empty where there is none."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> int:
        """Return a whole number of the metadata, 0 where there is none."""
        value = self.metadata.get(key)
        return value if isinstance(value, int) else 0


class _Cursor:
    """Reads typed values one after another and never past the end."""

    def __init__(self, file: BufferedReader, path: Path) -> None:
        self._file = file
        self._path = path

    def raw(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) < size:
            raise ModelFileInvalid(f"{str(self._path)!r} is truncated: it ends inside its header")
        return data

    def scalar(self, code: str) -> int | float | bool:
        layout = struct.Struct("<" + code)
        value: int | float | bool = layout.unpack(self.raw(layout.size))[0]
        return value

    def count(self, limit: int) -> int:
        value = int(self.scalar("Q"))
        if value > limit:
            raise ModelFileInvalid(f"{str(self._path)!r} is damaged: its header claims {value} items in one place")
        return value

    def string(self) -> str:
        return self.raw(self.count(MAX_STRING)).decode("utf-8", "replace")

    def value(self, kind: int) -> JsonValue:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            return self._skip_array()
        if kind not in _SCALARS:
            raise ModelFileInvalid(f"{str(self._path)!r} is damaged: its header holds a value of unknown type {kind}")
        return self.scalar(_SCALARS[kind])

    def _skip_array(self) -> int:
        kind, length = int(self.scalar("I")), self.count(MAX_COUNT)
        if kind in _SCALARS:
            self.raw(length * struct.calcsize("<" + _SCALARS[kind]))
        else:
            for _ in range(length):
                self.value(kind)
        return length


def read_header(path: Path) -> Header:
    """Return the file's header; raise ModelFileInvalid where it is missing, no GGUF, damaged or truncated."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            return _read(_Cursor(file, path), path, size, file)
    except OSError as error:
        raise ModelFileInvalid(f"cannot read {str(path)!r}: {error.strerror or error}") from error


def _read(cursor: _Cursor, path: Path, size: int, file: BufferedReader) -> Header:
    if size < 4 or cursor.raw(4) != MAGIC:
        raise ModelFileInvalid(f"{str(path)!r} is no GGUF file: it does not begin with the letters GGUF")
    version = int(cursor.scalar("I"))
    if version not in VERSIONS:
        raise ModelFileInvalid(f"{str(path)!r} is GGUF version {version}; versions 2 and 3 can be read")
    tensors, pairs = cursor.count(MAX_COUNT), cursor.count(MAX_COUNT)
    metadata: dict[str, JsonValue] = {}
    for _ in range(pairs):
        key = cursor.string()
        metadata[key] = cursor.value(int(cursor.scalar("I")))
    needed = max((_tensor_end(cursor, path) for _ in range(tensors)), default=0)
    alignment = metadata.get("general.alignment", 32)
    step = alignment if isinstance(alignment, int) and alignment > 0 else 32
    start = -(-file.tell() // step) * step
    if tensors and start + needed > size:
        raise ModelFileInvalid(
            f"{str(path)!r} is truncated: its tensors need {start + needed} bytes and the file has {size}; load it anew"
        )
    if not metadata.get("general.architecture") or not tensors:
        raise ModelFileInvalid(f"{str(path)!r} is a GGUF file without a model in it")
    return Header(version=version, metadata=metadata, tensors=tensors, size_bytes=size)


def _tensor_end(cursor: _Cursor, path: Path) -> int:
    name = cursor.string()
    rank = int(cursor.scalar("I"))
    if rank > 8:
        raise ModelFileInvalid(f"{str(path)!r} is damaged: tensor {name!r} claims {rank} dimensions")
    elements = 1
    for _ in range(rank):
        elements *= int(cursor.scalar("Q"))
    kind, offset = int(cursor.scalar("I")), int(cursor.scalar("Q"))
    per_block, block_bytes = _BLOCKS.get(kind, (1, 0))
    return offset + -(-elements // per_block) * block_bytes
