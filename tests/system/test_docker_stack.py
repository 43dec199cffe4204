"""Kafka and Postgres in containers: the measured table with targets on this machine, and the ends.

What is measured on the embedded stack must come out of this one cell by cell.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from killpoint.cli.session.session import opened_stack
from killpoint.cli.session.stack import Stack
from killpoint.cli.session.stack_choice import StackWish, chosen_stack
from killpoint.compose.docker_client import Client
from killpoint.compose.docker_environment import DockerEnvironment
from killpoint.compose.docker_image import ImageMissing
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_servers import KAFKA_IMAGE, POSTGRES_IMAGE, ServerWish, ServerWishes
from killpoint.faults.environment import Environment, EnvironmentFailed
from tests.support.docker import labelled
from tests.support.exact_table import CONSUMERS, ExactTable, Silence, cells
from tests.support.reading import read_whole

DOCKER = StackWish("docker")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(engine: Client) -> AsyncIterator[Stack]:
    before = labelled(engine)
    async with opened_stack(1, Silence(), DOCKER) as stack:
        yield stack
    assert labelled(engine) <= before


@pytest.fixture(scope="module")
def table(opened: Stack) -> ExactTable:
    return ExactTable(opened)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("consumer", CONSUMERS)
async def test_every_cell_is_as_measured(opened: Stack, table: ExactTable, consumer: str) -> None:
    assert opened.environment.stack == "docker"
    consumed = await table.consume(opened.lanes[0], consumer)
    assert [one.cell for one in consumed.shown] == list(cells(consumer))
    assert consumed.wrong == []


async def test_ports_are_published_on_the_loopback_only(opened: Stack, engine: Client) -> None:
    found = engine.containers(all=True, filters={"label": [RUN]})
    published = [port for one in found for port in one["Ports"] if "PublicPort" in port]
    assert len(published) >= 3  # Kafka's own and its lane, Postgres
    assert {port["IP"] for port in published} == {"127.0.0.1"}


async def test_two_stacks_at_once_do_not_disturb_each_other(opened: Stack, name: str) -> None:
    second: Environment = DockerEnvironment()
    try:
        await second.start([])
        for environment in (opened.environment, second):
            await environment.broker.create_topics({name: 1})
            await environment.database.create(name)
        assert second.broker.direct != opened.environment.broker.direct
    finally:
        await second.stop()
    assert await read_whole(opened.environment.broker, name) == []
    await opened.environment.database.drop(name)


async def test_auto_takes_docker_where_the_images_are(engine: Client) -> None:
    choice = await chosen_stack(StackWish("auto"), lambda words: None)
    assert choice.environment.stack == "docker"
    assert choice.reason == "chosen since Docker answers and has the images"


async def test_auto_takes_the_embedded_stack_where_an_image_cannot_be_had(engine: Client) -> None:
    wishes = ServerWishes(kafka=ServerWish("killpoint-no-such-image:1"))
    choice = await chosen_stack(StackWish("auto", wishes), lambda words: None)
    assert choice.environment.stack == "embedded"
    assert "Docker has no image killpoint-no-such-image:1" in choice.reason


async def test_an_image_that_cannot_be_had_is_said_with_what_to_do(engine: Client) -> None:
    said: list[str] = []
    wishes = ServerWishes(postgres=ServerWish("killpoint-no-such-image:1"))
    with pytest.raises(ImageMissing, match="killpoint-no-such-image:1") as caught:
        await failing(DockerEnvironment(wishes, said.append), engine)
    assert said == ["pulling killpoint-no-such-image:1"]
    for remedy in ("docker load", "[stack] postgres_image", "--stack embedded"):
        assert remedy in str(caught.value)


async def test_a_server_that_ends_shows_the_end_of_its_log(engine: Client) -> None:
    wishes = ServerWishes(kafka=ServerWish(KAFKA_IMAGE, {"KAFKA_PROCESS_ROLES": "nonsense"}))
    with pytest.raises(EnvironmentFailed, match="Kafka ended while it started") as caught:
        await failing(DockerEnvironment(wishes), engine)
    assert "nonsense" in str(caught.value)


async def test_a_server_without_enough_memory_is_said_to_be(engine: Client) -> None:
    wishes = ServerWishes(postgres=ServerWish(POSTGRES_IMAGE, memory=8 << 20))
    with pytest.raises(EnvironmentFailed, match="Postgres") as caught:
        await failing(DockerEnvironment(wishes), engine)
    assert "raise its memory in [stack]" in str(caught.value)


async def failing(environment: DockerEnvironment, engine: Client) -> None:
    """Start a stack that fails; nothing of it may be left."""
    before = labelled(engine)
    try:
        await environment.start([])
    finally:
        await environment.stop()
        assert labelled(engine) <= before
