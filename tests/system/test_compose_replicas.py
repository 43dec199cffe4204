"""Replicas of a compose service, whose names and ports are the same for all, are told apart."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from killpoint.compose.compose_cli import ComposeMissing, compose_version
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.docker_client import Client
from killpoint.compose.housing import housing
from tests.support.planted import CONSUMERS
from tests.support.project import SCHEMA, Project

PAIR: Final = Path(__file__).parent / "pair"
LIMIT_SECONDS: Final = 60
OFFSETS: Final = """
create table consumer_offsets (
    topic text, partition integer, next_offset bigint not null, primary key (topic, partition)
);
"""
SAY: Final = """
import os, socket
for place in (("kafka", 9092), ("db", 5432)):
    with socket.create_connection(place) as connection:
        connection.sendall(os.environ["REPLICA"].encode())
"""
LOGS: Final = ("target.log", "target-2.log")
FIRST_COMMIT: Final = "postgres.commit{replica=1}#1:after"


@pytest.fixture
def pair(engine: Client, tmp_path: Path) -> Project:
    """The project in a folder of its own: a queue in memory that outlives a rebalance."""
    try:
        asyncio.run(compose_version())
    except ComposeMissing as missing:
        pytest.skip(f"compose projects are not tested: {missing.short}")
    folder = tmp_path / "pair"
    shutil.copytree(PAIR, folder)
    shutil.copy(CONSUMERS / "queue_kept.py", folder)
    project = Project(folder)
    project.write("schema.sql", SCHEMA + OFFSETS)
    clicks = ({"value": {"code": f"link-{n % 4}"}, "partition": n % 2} for n in range(24))
    project.write("clicks.jsonl", "".join(f"{json.dumps(click)}\n" for click in clicks))
    project.tables["target"] = {"compose": "compose.yaml", "service": "counter", "replicas": 2}
    project.change(
        {
            "source": [{"topic": "clicks", "partitions": 2, "events": "clicks.jsonl"}],
            "database": {"position": "select topic, partition, next_offset from consumer_offsets"},
        }
    )
    return project


@pytest.mark.timeout(180)
def test_what_a_container_says_comes_to_the_proxies_of_its_replica(pair: Project) -> None:
    heard = asyncio.run(said_by_two(pair.folder))
    # Each says its number to Kafka and to Postgres; the second one is started twice.
    assert heard == Counter({(1, "1"): 2, (2, "2"): 4})


async def said_by_two(folder: Path) -> Counter[tuple[int, str]]:
    """Which replica's address heard what, once both have spoken, and the second once more."""
    heard: Counter[tuple[int, str]] = Counter()

    def hearing(replica: int) -> Callable[..., Awaitable[None]]:
        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard[replica, (await reader.read()).decode()] += 1
            writer.close()

        return hear

    wish = ComposeWish(folder / "compose.yaml", "counter")
    async with housing(wish, lambda words: None, replicas=2) as house:
        assert house.tells_apart
        ports = [house.listens(edge).port for edge in ("kafka", "postgres")]
        places = [(replica, port) for replica in (1, 2) for port in ports]
        servers = [
            await asyncio.start_server(hearing(replica), house.host_of(replica), port)
            for replica, port in places
        ]
        targets = {n: house.target(folder, folder / f"{n}.log", n) for n in (1, 2)}
        try:
            for replica in (1, 2, 2):
                await targets[replica].start(("python3", "-c", SAY), {"REPLICA": str(replica)})
                async with asyncio.timeout(LIMIT_SECONDS):
                    assert (await targets[replica].exited()).code == 0
                await targets[replica].kill()
        finally:
            for target in targets.values():
                await target.close()
            for server in servers:
                server.close()
                await server.wait_closed()
    return heard


@pytest.mark.timeout(300)
def test_one_container_dies_and_the_other_counts_twice(pair: Project) -> None:
    ran = pair.judged("run", "--at", FIRST_COMMIT, "--dies", "one")
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "counted twice", ran.words
    (fault,) = scenario["faults"]
    assert (fault["at"], fault["replica"], fault["survivors"]) == (FIRST_COMMIT, 1, 1)
    assert ran.json["bound"]["dies"] == "one"
    assert ran.json["guarantee"] == "at least once"
    first, second = (lives(pair.folder / scenario["evidence"] / log) for log in LOGS)
    assert (len(first), len(second)) == (2, 1)
    # They share the service's volume, and the third life finds what the two before it have left.
    assert first[1] == "life 3"
    all_die = pair.judged("run", "--at", FIRST_COMMIT)
    assert [one["outcome"] for one in all_die.json["scenarios"]] == ["clean"], all_die.words


def lives(log: Path) -> list[str]:
    """What each life of a replica said at its start."""
    return [line for line in log.read_text("utf-8").splitlines() if line.startswith("life ")]
