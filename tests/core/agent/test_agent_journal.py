"""The journal is whole lines, bounded, without secrets, and survives what a crash leaves."""

from botpsy_core.agent.journal import FileJournal


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
