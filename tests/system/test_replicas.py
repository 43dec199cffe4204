"""Two instances of a consumer in one group, killed together."""

from pathlib import Path

from tests.support.project import Project

SAYING = 'echo "port $HEALTH"; exec "$PYTHON" counter.py'


def test_two_share_the_work_and_die_together(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.change(
        {
            "target": {
                "command": ["sh", "-c", SAYING],
                "env": {"HEALTH": "{port:health}", "PYTHON": "{python}"},
                "replicas": 2,
            },
            "source": {"partitions": 2},
        }
    )
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


def test_a_spare_of_several_is_refused(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.change({"target": {"replicas": 2, "spare": True}})
    ran = project.run("run")
    assert ran.code == 2
    assert "has spare, which replaces one instance, and replicas" in ran.words
