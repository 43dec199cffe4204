"""The subject: what a configuration and a sample ask for."""

from pathlib import Path

import pytest

from killpoint.cli.config.load import load_project
from killpoint.cli.init import write_project
from killpoint.cli.session.subject import Source, sample_subject, subject_of
from killpoint.compose.consumers.catalogue import SAMPLES, Sample
from killpoint.faults.environment import Address, Login
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.stage import Restart
from tests.support.examined import subject_in

KAFKA = Address("127.0.0.1", 19092)
LOGIN = Login("127.0.0.1", 15432, "user", "secret", "db")

MORE = """
[[scenario]]
name = "both"
faults = [
  { at = "postgres.commit#1:after", action = "kill" },
  { at = "kafka.join:after", action = "kill" },
]
"""


def test_a_configuration_is_taken_over(tmp_path: Path) -> None:
    write_project(tmp_path)
    file = tmp_path / "killpoint.toml"
    with file.open("a", encoding="utf-8") as text:
        text.write(MORE)
    subject = subject_of(load_project(file), seed="seed")
    assert subject.folder == tmp_path
    assert subject.restart is Restart.ALWAYS
    assert subject.database.schema == (tmp_path / "schema.sql").read_text(encoding="utf-8")
    (scenario,) = subject.scenarios
    assert (scenario.id, scenario.name) == ("S01", "both")
    assert [fault.at for fault in scenario.faults] == [
        parse_moment("postgres.commit#1:after"),
        parse_moment("kafka.join:after"),
    ]


def test_the_same_seed_gives_the_same_events(tmp_path: Path) -> None:
    write_project(tmp_path)
    project = load_project(tmp_path / "killpoint.toml")
    first, second = subject_of(project, "a"), subject_of(project, "a")
    assert first.sources == second.sources
    assert first.sources[0].records


def test_a_launch_has_the_programs_own_variables_over_killpoints(tmp_path: Path) -> None:
    subject = subject_in(tmp_path)
    launch = subject.launch(subject.command, KAFKA, LOGIN, "group-1")
    assert launch.command[1:] == ("counter.py",)
    assert Path(launch.command[0]).is_absolute()
    assert launch.environment["DATABASE"] == "db"
    assert launch.environment["KAFKA_BOOTSTRAP_SERVERS"] == "127.0.0.1:19092"
    assert launch.environment["KILLPOINT_GROUP"] == "group-1"


def test_topics_are_those_of_the_sources(tmp_path: Path) -> None:
    subject = subject_in(tmp_path, sources=(Source("a", 2, True), Source("b", 1, False)))
    assert subject.topics == {"a": 2, "b": 1}


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_every_sample_is_a_subject_with_one_check_and_events(sample: Sample) -> None:
    subject = sample_subject(sample)
    assert (subject.folder / subject.command[1]).is_file()
    assert len(subject.checks) == 1
    assert subject.sources[0].records
