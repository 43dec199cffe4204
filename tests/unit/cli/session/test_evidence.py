"""The evidence on disk: one folder a scenario, one JSON object a line, ignored by git."""

import json
from pathlib import Path

from killpoint.cli.session.evidence import Evidence, new_run_id
from killpoint.faults.events import RecordsFetched, WriteAsked
from killpoint.faults.history import Entry, History, Note
from killpoint.faults.moment import Side, Sighting
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.position import Span


def test_nothing_is_made_before_it_is_used(tmp_path: Path) -> None:
    Evidence(tmp_path, "r1")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_for_each_scenario_below_one_that_git_ignores(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, "r1")
    assert evidence.folder("S01") == tmp_path / ".killpoint" / "runs" / "r1" / "S01"
    assert evidence.folder("S01").is_dir()
    assert (tmp_path / ".killpoint" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_the_users_own_gitignore_stays(tmp_path: Path) -> None:
    (tmp_path / ".killpoint").mkdir()
    (tmp_path / ".killpoint" / ".gitignore").write_text("mine\n", encoding="utf-8")
    Evidence(tmp_path, "r1").folder("S01")
    assert (tmp_path / ".killpoint" / ".gitignore").read_text(encoding="utf-8") == "mine\n"


def test_the_history_is_one_object_a_line(tmp_path: Path) -> None:
    history = History()
    history.add(Note(0.25, 1, "started"))
    sighting = Sighting("postgres", "commit", Side.AFTER, 2)
    events = (
        RecordsFetched(1, (Span("clicks", 0, 0, 6),)),
        WriteAsked(2, 1, frozenset({"b", "a"})),
    )
    history.add(Entry(0.5, 1, "postgres", 3, events, (sighting,)))
    Evidence(tmp_path, "r1").write("S01", history)
    file = tmp_path / ".killpoint" / "runs" / "r1" / "S01" / "history.jsonl"
    note, entry = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert note == {"seconds": 0.25, "life": 1, "note": "started"}
    assert (entry["edge"], entry["connection"]) == ("postgres", 3)
    fetched, wrote = entry["events"]
    assert (fetched["event"], fetched["spans"][0]["next"]) == ("RecordsFetched", 6)
    assert wrote["tables"] == ["a", "b"]
    assert [parse_moment(moment).number for moment in entry["moments"]] == [2]


def test_two_runs_of_a_day_have_names_of_their_own() -> None:
    assert len({new_run_id() for _ in range(50)}) > 45
