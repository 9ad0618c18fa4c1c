"""The journal is whole lines, bounded, without secrets, and survives what a crash leaves."""

import pytest

from botpsy_core.agent.journal import FileJournal
from botpsy_core.agent.pages import entry_at, page_of


def lines(journal):
    return list(journal.entries())


def test_entries_come_back_in_order(tmp_path):
    journal = FileJournal(tmp_path / "j" / "journal.jsonl")
    for n in range(5):
        journal.record({"n": n, "reply": "Ça va"})
    journal.close()
    assert [e["n"] for e in lines(journal)] == [0, 1, 2, 3, 4]


def test_secrets_are_not_written(tmp_path):
    journal = FileJournal(tmp_path / "journal.jsonl")
    journal.record({"pin": "4711", "calls": [{"args": {"code": "4711", "target": ["lock.front"]}}]})
    journal.close()
    assert "4711" not in (tmp_path / "journal.jsonl").read_text()
    assert lines(journal)[0]["calls"][0]["args"]["target"] == ["lock.front"]


def test_it_stays_small(tmp_path):
    journal = FileJournal(tmp_path / "journal.jsonl", max_bytes=2000)
    for n in range(300):
        journal.record({"n": n, "text": "x" * 50})
    journal.close()
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) <= 4000
    kept = [e["n"] for e in lines(journal)]
    assert kept == list(range(kept[0], 300))


def test_half_a_line_costs_itself_alone(tmp_path):
    file = tmp_path / "journal.jsonl"
    file.write_text('{"n": 0}\n{"n": 1, "te')
    journal = FileJournal(file)
    journal.record({"n": 2})
    journal.close()
    assert [e["n"] for e in lines(journal)] == [0, 2]


def test_a_full_disk_does_not_reach_the_turn(tmp_path, caplog):
    journal = FileJournal(tmp_path / "no" / "journal.jsonl")
    (tmp_path / "no").write_text("a file where a folder should be")
    journal.record({"n": 0})
    journal.close()
    assert "lost" in caplog.text


def filled(file, count, **more):
    written = []
    journal = FileJournal(file, written=lambda mark, entry: written.append((mark, entry["n"])), **more)
    for n in range(count):
        journal.record({"n": n, "user": "anna" if n % 3 else "ben", "text": "ü" * (n % 7)})
    journal.close()
    return written


def everything(entry):
    return True


def pages(file, keep=everything, count=7):
    before, rows = None, []
    while True:
        page = page_of(file, before=before, count=count, keep=keep)
        rows += page.rows
        if page.older is None:
            return rows
        before = page.older


@pytest.mark.parametrize("block", [16, 200, 65536])
def test_pages_tell_everything_once_newest_first(tmp_path, monkeypatch, block):
    monkeypatch.setattr("botpsy_core.agent.pages._BLOCK", block)
    file = tmp_path / "journal.jsonl"
    written = filled(file, 100)
    rows = pages(file)
    assert [r.entry["n"] for r in rows] == list(range(99, -1, -1))
    assert [r.mark for r in reversed(rows)] == [mark for mark, _ in written]


def test_pages_go_on_into_the_older_file(tmp_path):
    file = tmp_path / "journal.jsonl"
    filled(file, 100, max_bytes=3000)
    rows = [r.entry["n"] for r in pages(file)]
    assert rows == list(range(99, rows[-1] - 1, -1))
    assert len(rows) > 40


def test_a_page_holds_only_what_is_for_its_reader(tmp_path):
    file = tmp_path / "journal.jsonl"
    filled(file, 30)
    rows = pages(file, keep=lambda entry: entry["user"] == "ben")
    assert [r.entry["n"] for r in rows] == list(range(27, -1, -3))


def test_a_mark_holds_while_its_line_is_kept_and_never_means_another(tmp_path):
    file = tmp_path / "journal.jsonl"
    written = filled(file, 10)
    for mark, n in written:
        assert entry_at(file, mark)["n"] == n
    file.replace(tmp_path / "journal.jsonl.1")
    assert entry_at(file, written[3][0])["n"] == 3
    (tmp_path / "journal.jsonl.1").write_text('{"n": 77, "text": "something else"}\n' * 20)
    assert entry_at(file, written[0][0]) is None
    assert page_of(file, before=written[0][0], count=5, keep=everything).rows == ()


@pytest.mark.parametrize("mark", ["", "x", "1.2", "1.2.3", "../../etc/passwd", "-1.-5.0"])
def test_a_forged_mark_finds_nothing(tmp_path, mark):
    file = tmp_path / "journal.jsonl"
    filled(file, 3)
    assert entry_at(file, mark) is None


def test_nobody_else_on_the_machine_reads_it(tmp_path):
    file = tmp_path / "journal.jsonl"
    filled(file, 1)
    assert file.stat().st_mode & 0o077 == 0
