"""A journal read back page by page, newest first, without reading what is not shown."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from botpsy_core.agent.journal import mark_of, older_of
from botpsy_core.domain.values import JsonObject, JsonValue

_BLOCK = 65536
MOST_READ = 4000
"""Lines that one page may look at where most of them are not for its reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry and the mark by which it is found again."""

    mark: str
    entry: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some entries, newest first."""

    rows: tuple[Row, ...]
    older: str | None
    """Where the next page begins; None where nothing is left."""


def page_of(file: Path, *, before: str | None, count: int, keep: Callable[[JsonObject], bool]) -> Page:
    """Return up to `count` entries before a mark that are for this reader; blocks."""
    rows: list[Row] = []
    for read, (mark, line) in enumerate(_lines(file, before), 1):
        entry = _entry(line)
        if entry is not None and keep(entry):
            rows.append(Row(mark=mark, entry=entry))
        if len(rows) >= count or read >= MOST_READ:
            return Page(rows=tuple(rows), older=mark)
    return Page(rows=tuple(rows), older=None)


def entry_at(file: Path, mark: str) -> JsonObject | None:
    """Return one entry, or None where it is there no more; blocks."""
    place = _place(file, mark)
    if place is None:
        return None
    with place[0].open("rb") as lines:
        lines.seek(place[1])
        return _entry(lines.readline().rstrip(b"\n"))


def entries_since(file: Path, since: datetime, keep: Callable[[JsonObject], bool]) -> tuple[JsonObject, ...]:
    """Return the entries from a time on that are for this reader, newest first; blocks."""
    found = []
    for _, line in _lines(file, None):
        entry = _entry(line)
        at = None if entry is None else _moment(entry.get("at"))
        if entry is None or at is None:
            continue
        if at < since:
            break
        if keep(entry):
            found.append(entry)
    return tuple(found)


def _moment(value: JsonValue) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def _lines(file: Path, before: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the lines before a mark with theirs, newest first, through both files."""
    place = None if before is None else _place(file, before)
    if before is not None and place is None:
        return
    files = [each for each in (file, older_of(file)) if each.exists()]
    if place is not None:
        files = files[files.index(place[0]) :]
    for each in files:
        with each.open("rb") as opened:
            inode = os.fstat(opened.fileno()).st_ino
            end = place[1] if place is not None and each == place[0] else opened.seek(0, os.SEEK_END)
            while end > 0:
                # Blocks end where a line begins, so each is cut at its first whole line.
                begins, block = _block(opened, end)
                at = end
                for line in reversed(block.split(b"\n")[:-1]):
                    at -= len(line) + 1
                    yield mark_of(inode, at, line), line
                end = begins


def _block(opened: BinaryIO, end: int) -> tuple[int, bytes]:
    """Return whole lines that end at `end`, and where they begin."""
    size = _BLOCK
    while True:
        begins = max(0, end - size)
        opened.seek(begins)
        block = opened.read(end - begins)
        if begins == 0:
            return 0, block
        cut = block.find(b"\n", 0, -1)
        if cut >= 0:
            return begins + cut + 1, block[cut + 1 :]
        size *= 4


def _place(file: Path, mark: str) -> tuple[Path, int] | None:
    """Return the file and the offset of a mark's line, where that very line still stands there."""
    try:
        inode, begins = (int(part, 16) for part in mark.split(".")[:2])
    except ValueError:
        return None
    for each in (file, older_of(file)) if begins >= 0 else ():
        if each.exists() and each.stat().st_ino == inode:
            with each.open("rb") as opened:
                opened.seek(begins)
                line = opened.readline().rstrip(b"\n")
            return (each, begins) if mark_of(inode, begins, line) == mark else None
    return None


def _entry(line: bytes) -> JsonObject | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
