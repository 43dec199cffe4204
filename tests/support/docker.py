"""A Docker engine for system tests, where there is one, and what was left in it.

Counterpart: the fixtures `engine` and `labelled` of `tests/system/conftest.py`.
"""

from collections.abc import Iterator

import pytest

from killpoint.compose.docker_client import Client, EngineMissing, connect
from killpoint.compose.docker_labels import RUN
from killpoint.compose.docker_servers import ServerWishes
from killpoint.compose.samples_image import SAMPLES_IMAGE


def usable_engine() -> Iterator[Client]:
    """A client of the engine; the test is skipped without an engine, or without the images."""
    try:
        client = connect()
    except EngineMissing as missing:
        pytest.skip(f"containers are not tested: {missing.short}")
    try:
        wanted = [*ServerWishes().images.values(), SAMPLES_IMAGE]
        there = {tag for image in images(client) for tag in image}
        if absent := [image for image in wanted if image not in there]:
            pytest.skip(f"containers are not tested: no {', '.join(absent)} (compose/images/build)")
        yield client
    finally:
        client.close()


def images(client: Client) -> Iterator[list[str]]:
    """The names of each image."""
    for image in client.images():
        yield image["RepoTags"] or []


def labelled(client: Client, label: str = RUN) -> set[str]:
    """The names of everything that carries a label."""
    filters = {"label": [label]}
    containers = client.containers(all=True, filters=filters)
    networks = client.networks(filters=filters)
    volumes = client.volumes(filters=filters).get("Volumes") or ()
    return {
        *(str(one["Names"][0]) for one in containers),
        *(str(one["Name"]) for one in (*networks, *volumes)),
    }
