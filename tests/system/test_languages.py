"""Targets in other languages, from images: what they are written in changes no verdict."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from killpoint.compose.docker_client import Client
from tests.support.languages import go_image, java_image, remove_image
from tests.support.project import Project

pytestmark = pytest.mark.timeout(600)

VALUE = '{"code": "link-{{ i % 4 }}"}'
SECOND_BATCH = {
    "postgres.commit#2:before": "clean",
    "postgres.commit#2:after": "counted twice",
    "kafka.offset_commit#2:before": "counted twice",
    "kafka.offset_commit#2:after": "clean",
}
"""The commit sides of one batch, where the offset is saved after the totals."""


@pytest.fixture(scope="module", params=["go", "java"])
def image(
    request: pytest.FixtureRequest, engine: Client, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An image of the consumer in one language; it is removed afterwards."""
    language = str(request.param)
    name = f"killpoint-test-{language}:{os.getpid()}"
    folder = tmp_path_factory.mktemp(language)
    if language == "go":
        go_image(folder, name)
    else:
        java_image(engine, folder, name)
    yield name
    remove_image(name)


def test_an_image_gets_the_right_verdict(tmp_path: Path, image: str) -> None:
    project = Project(tmp_path)
    project.tables["target"] = {"image": image, "env": {"ORDER": "count-then-save"}}
    project.change({"source": {"generate": {"count": 8, "value": VALUE}}})
    places = [word for at in SECOND_BATCH for word in ("--at", at)]
    ran = project.judged("run", "--stack", "docker", *places)
    found = {one["faults"][0]["at"]: one["outcome"] for one in ran.json["scenarios"]}
    assert (ran.code, found) == (0, SECOND_BATCH), ran.words
    assert ran.json["guarantee"] == "at least once"
