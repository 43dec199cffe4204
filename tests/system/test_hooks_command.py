"""Hooks, topics beside the sources, and a target that reads another topic, as a user runs them."""

import os
from pathlib import Path

import pytest

from tests.support.project import Project

FIRST_COMMIT = "postgres.commit#1:after"
TELL = """
import os, sys
with open(os.environ["TOLD"], "a") as file:
    file.write(" ".join(sys.argv[1:]) + "\\n")
"""
RETRYING = """
import json, os, time
import counter, psycopg
from confluent_kafka import Consumer, Producer

port = os.environ["REST"]
servers = {"bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"]}
group = {"group.id": os.environ["KILLPOINT_GROUP"], "auto.offset.reset": "earliest"}
consumer = Consumer({**servers, **group, "enable.auto.commit": False})
producer = Producer(servers)
partitions = consumer.list_topics(timeout=10).topics["retry"].partitions
assert len(partitions) == 2, partitions
with open(os.environ["TOLD"], "a") as file:
    file.write(f"target {port}\\n")
def assigned(_, places):
    consumer.assign(places)
    consumer.pause([place for place in places if place.topic == "retry"])


late = os.environ.get("LATE")
began = time.monotonic()
consumer.subscribe(["clicks", "retry"], **({"on_assign": assigned} if late else {}))
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    while True:
        if late and time.monotonic() - began > float(late):
            late = consumer.resume(consumer.assignment())
        for click in consumer.consume(3, timeout=0.2):
            if click.topic() == "clicks":
                producer.produce("retry", click.value(), partition=click.offset() % 2)
                producer.flush()
            else:
                connection.execute(counter.COUNT, [json.loads(click.value())["code"]])
            consumer.commit(click, asynchronous=False)
"""

ELSEWHERE = """
import os
from confluent_kafka import Consumer

servers = {"bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"]}
consumer = Consumer({**servers, "group.id": os.environ["KILLPOINT_GROUP"]})
consumer.subscribe(["click"])
while True:
    consumer.poll(0.2)
"""

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Six clicks in batches of three, counted and then saved."""
    project = Project(tmp_path)
    project.copy("counter")
    return project


def test_hooks_and_a_retry_topic(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # Not in the project, where what a run has changed is brought back before the next.
    told = tmp_path_factory.mktemp("told") / "told"
    project.write("tell.py", TELL)
    project.write("retrying.py", RETRYING)
    tell = ["{python}", "tell.py"]
    project.change(
        {
            "target": {
                "command": ["{python}", "retrying.py"],
                "env": {"REST": "{port:rest}", "TOLD": str(told)},
                "after_start": [*tell, "started", "{port:rest}"],
            },
            "hooks": {
                "before_scenario": [*tell, "before"],
                "after_scenario": [*tell, "after", "{postgres_db}"],
            },
            "stack": {"topics": ["retry:2", "audit"]},
        }
    )
    ran = project.judged("run", "--at", FIRST_COMMIT)
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean", "clean"], ran
    assert [one["outcome"] for one in ran.json["scenarios"]] == ["counted twice"]
    assert "unfilled_topics" not in [warning["name"] for warning in ran.json["warnings"]]
    lines = told.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line == "before"] == ["before"] * 3
    assert len({line for line in lines if line.startswith("after ")}) == 3
    started = [line.removeprefix("started ") for line in lines if line.startswith("started")]
    ports = [line.removeprefix("target ") for line in lines if line.startswith("target")]
    assert sorted(started) == sorted(ports)
    assert len(started) == 4  # two clean runs, and two lives of the scenario


def test_a_retry_topic_that_is_read_late_is_waited_for(project: Project) -> None:
    project.write("retrying.py", RETRYING)
    environment = {"REST": "", "TOLD": os.devnull, "LATE": "9"}
    project.change(
        {
            "target": {"command": ["{python}", "retrying.py"], "env": environment},
            "stack": {"topics": ["retry:2"]},
            # Nothing happens for longer than any quiet time, of which this limits the longest.
            "run": {"drain_timeout": "15s"},
        }
    )
    ran = project.judged("audit")
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean"], ran


def test_a_hook_that_fails_is_shown_and_makes_the_run_inconclusive(project: Project) -> None:
    project.change({"hooks": {"before_scenario": ["{python}", "-c", "exit('no such key')"]}})
    ran = project.run("run")
    assert ran.code == 3, ran
    assert "[hooks] before_scenario failed: exit 1: no such key" in ran.words


def test_a_target_that_reads_another_topic_is_told_which(project: Project) -> None:
    project.write("elsewhere.py", ELSEWHERE)
    target = {"command": ["{python}", "elsewhere.py"], "start_timeout": "4s"}
    project.change({"target": target, "run": {"drain_timeout": "2s"}})
    ran = project.run("run")
    assert ran.code == 3, ran
    assert "asked for: click; events are in clicks" in ran.words
