"""Members that still waited to join when the target died: the group must not wait for them."""

from pathlib import Path

import pytest

from tests.support.project import Project

PROGRAM = """
import json, os
import counter, psycopg
from confluent_kafka import Consumer

settings = {
    "bootstrap.servers": os.environ["KAFKA_BOOTSTRAP_SERVERS"],
    "group.id": os.environ["KILLPOINT_GROUP"],
    "auto.offset.reset": "earliest",
    "enable.auto.commit": False,
}
if os.environ["OLD"] == "yes":
    settings.update({"api.version.request": False, "broker.version.fallback": "1.0.0"})
first, second = Consumer(settings), Consumer(settings)
first.subscribe([os.environ["KILLPOINT_TOPIC"]])
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    while True:
        clicks = first.consume(3, timeout=0.2)
        if clicks and second is not None:
            # It waits to join: the first one will only agree when it polls again.
            second.subscribe([os.environ["KILLPOINT_TOPIC"]])
            assert second.poll(1.0) is None
        with connection.transaction():
            for click in clicks:
                connection.execute(counter.COUNT, [json.loads(click.value())["code"]])
        if clicks:
            first.commit(asynchronous=False)
        if clicks and second is not None:
            second = second.close()
"""
pytestmark = pytest.mark.timeout(180)


@pytest.mark.parametrize("old", ["no", "yes"], ids=["an id", "no id yet"])
def test_a_restart_does_not_wait_for_them(tmp_path: Path, old: str) -> None:
    project = Project(tmp_path)
    project.copy("counter")
    project.write("program.py", PROGRAM)
    project.change(
        {
            "target": {"command": ["{python}", "program.py"], "env": {"OLD": old}},
            # Closing the second one takes the client five seconds: half of that time must be more.
            "run": {"drain_timeout": "14s"},
        }
    )
    ran = project.judged("run", "--at", "postgres.commit#1:after")
    assert ran.json["scenarios"], ran.words
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice", ran.words
