"""Targets in other languages, from images: what they are written in changes no verdict."""

import os
from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Language:
    """`hits`: how many of SECOND_BATCH, from the end: a Java runtime takes long to start."""

    image: Callable[[Client, Path, str], None]
    stack: str
    hits: int


LANGUAGES = {"go": Language(go_image, "docker", 4), "java": Language(java_image, "embedded", 3)}


@pytest.mark.parametrize("name", LANGUAGES)
def test_an_image_gets_the_right_verdict(
    engine: Client, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    language, image = LANGUAGES[name], f"killpoint-test-{name}:{os.getpid()}"
    wanted = dict([*SECOND_BATCH.items()][-language.hits :])
    language.image(engine, tmp_path_factory.mktemp(name), image)
    try:
        project = Project(tmp_path)
        project.tables["target"] = {"image": image, "env": {"ORDER": "count-then-save"}}
        project.change({"source": {"generate": {"count": 8, "value": VALUE}}})
        places = [word for at in wanted for word in ("--at", at)]
        ran = project.judged("run", "--stack", language.stack, *places)
    finally:
        remove_image(image)
    found = {one["faults"][0]["at"]: one["outcome"] for one in ran.json["scenarios"]}
    assert (ran.code, found) == (0, wanted), ran.words
    assert ran.json["guarantee"] == "at least once"
