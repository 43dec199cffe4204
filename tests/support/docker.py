"""A Docker engine for system tests, where there is one, and what was left in it.

Counterpart: the fixtures `engine` and `temporary_folder` of `tests/system/conftest.py`.
"""

import tempfile
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
    """The names of everything that carries a label and is this test process's own.

    Others use the engine at the same time: a run is told by its folder, which is below the
    temporary folder of the process that started it.
    """
    filters = {"label": [label]}
    containers = client.containers(all=True, filters=filters)
    networks = client.networks(filters=filters)
    volumes = client.volumes(filters=filters).get("Volumes") or ()
    own = f"{tempfile.gettempdir()}/"
    return {
        str(one["Names"][0] if "Names" in one else one["Name"])
        for one in (*containers, *networks, *volumes)
        if str(one["Labels"][RUN]).startswith(own)
    }
