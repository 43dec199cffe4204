"""Two instances of a consumer in one group, killed together or one alone."""

import json
from pathlib import Path

from tests.support.project import Project

SAYING = 'echo "port $HEALTH"; exec "$PYTHON" counter.py'


def two_counters(folder: Path) -> Project:
    project = Project(folder)
    project.copy("counter")
    # By turns: records without a key may all come to one partition, and one replica has no work.
    clicks = ({"value": {"code": f"link-{number}"}, "partition": number % 2} for number in range(6))
    project.write("clicks.jsonl", "".join(f"{json.dumps(click)}\n" for click in clicks))
    project.change(
        {
            "target": {
                "command": ["sh", "-c", SAYING],
                "env": {"HEALTH": "{port:health}", "PYTHON": "{python}"},
                "replicas": 2,
                "start_timeout": "60s",
            },
            "source": [{"topic": "clicks", "partitions": 2, "events": "clicks.jsonl"}],
        }
    )
    return project


def test_two_share_the_work_and_die_together(tmp_path: Path) -> None:
    project = two_counters(tmp_path)
    ran = project.judged("run", "--at", "postgres.commit#1:after")
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice", ran.words
    assert ran.json["guarantee"] == "at least once"
    folder = tmp_path / scenario["evidence"]
    ports = [
        {line for line in (folder / name).read_text("utf-8").splitlines() if "port" in line}
        for name in ("target.log", "target-2.log")
    ]
    # Each was started twice, every time on a port of its own.
    assert len(ports[0] | ports[1]) >= 3, ports


def test_one_dies_and_the_other_goes_on(tmp_path: Path) -> None:
    project = two_counters(tmp_path)
    at = "postgres.commit{replica=2}#1:after"
    ran = project.judged("run", "--at", at, "--dies", "one")
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice", ran.words
    (fault,) = scenario["faults"]
    assert (fault["at"], fault["replica"], fault["survivors"]) == (at, 2, 1)
    assert ran.json["bound"]["dies"] == "one"
    assert "what the replicas that live on hold in memory" in ran.json["unseen"]
    assert "under one kill of one replica" in ran.words
    assert f"--at '{at}' --action kill --dies one" in ran.words
    assert starts(tmp_path / scenario["evidence"]) == [1, 2]


def starts(evidence: Path) -> list[int]:
    """How often each replica was started in a scenario."""
    logs = (evidence / name for name in ("target.log", "target-2.log"))
    return [log.read_text("utf-8").count("port ") for log in logs]


def test_after_one_the_same_dies_again_or_the_other(tmp_path: Path) -> None:
    project = two_counters(tmp_path)
    same = ("postgres.commit{replica=2}#1:after", "kafka.join{replica=2}#1:after")
    other = ("kafka.join{replica=2}#1:after", "postgres.commit{replica=1}#1:after")
    words = [word for pair in (same, other) for word in ("--at", ", then ".join(pair))]
    ran = project.judged("run", *words, "--dies", "one")
    assert "under up to two kills, each of one replica" in ran.words
    first, second = ran.json["scenarios"]
    for scenario, pair, died, started in (
        (first, same, [2, 2], [1, 3]),
        (second, other, [2, 1], [2, 2]),
    ):
        found = [(fault["at"], fault["reached"], fault["replica"]) for fault in scenario["faults"]]
        assert found == [(at, True, who) for at, who in zip(pair, died, strict=True)], ran.words
        # One batch was counted and its offset not saved, once.
        assert scenario["outcome"] == "counted twice", ran.words
        assert starts(tmp_path / scenario["evidence"]) == started
    assert [fault["survivors"] for fault in first["faults"]] == [1, 1]


def test_one_of_one_cannot_die_alone(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    ran = project.run("run", "--dies", "one")
    assert ran.code == 2
    assert "lets one of several die, but there is one" in ran.words
    ran = project.run("run", "--at", "postgres.commit{replica=2}#1:after")
    assert ran.code == 2
    assert "names a replica, but there is one" in ran.words


def test_a_spare_of_several_is_refused(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.change({"target": {"replicas": 2, "spare": True}})
    ran = project.run("run")
    assert ran.code == 2
    assert "has spare, which replaces one instance, and replicas" in ran.words
