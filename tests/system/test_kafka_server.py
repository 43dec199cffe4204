"""A real broker: what it tells its clients, and how it fails to start."""

from pathlib import Path

import pytest
from kio.schema.metadata.v12 import MetadataRequest, MetadataResponse

from killpoint.compose.kafka_files import KafkaFiles, prepare_kafka
from killpoint.compose.kafka_rpc import ask
from killpoint.compose.kafka_server import start_kafka
from killpoint.compose.workplace import workplace
from killpoint.faults.environment import Address, EnvironmentFailed
from tests.support.stack import Stack


async def told(broker: Address) -> list[str]:
    request = MetadataRequest(topics=(), include_topic_authorized_operations=False)
    answer = await ask(broker, request, MetadataResponse, limit=10)
    return [f"{node.host}:{node.port}" for node in answer.brokers]


async def test_each_lane_is_told_the_address_of_its_proxy(stack: Stack) -> None:
    for lane in stack.lanes:
        assert await told(lane.upstream.kafka) == [str(lane.proxy)]
    assert await told(stack.broker.direct) == [str(stack.broker.direct)]


async def test_a_broker_that_ends_while_it_starts_is_told_with_its_log(tmp_path: Path) -> None:
    async with workplace() as (folder, supervisor):
        files = await prepare_kafka(supervisor, lambda words: None)
        empty = tmp_path / "data"
        empty.mkdir()
        unformatted = KafkaFiles(files.java, files.jars, files.manifest, empty, files.aot)
        with pytest.raises(EnvironmentFailed, match=r"(?s)Kafka ended.*meta.properties"):
            await start_kafka(supervisor, unformatted, folder.path / "kafka", [])
