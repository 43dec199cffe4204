"""Projects of frameworks: each folder is whole, short to configure, and knows nothing of killpoint.

Counterpart: `scripts/soak --what projects` builds and runs them.
"""

import os
from pathlib import Path

import pytest

from killpoint.checks.guarantee import Guarantee
from tests.support.framework_projects import (
    CONFIGURATIONS,
    FILES,
    MOST_LINES,
    FrameworkProject,
    framework_projects,
)

each_project = pytest.mark.parametrize("project", framework_projects(), ids=lambda one: one.name)
each_configuration = pytest.mark.parametrize("which", CONFIGURATIONS)


@each_project
def test_a_project_has_every_file_of_the_frame(project: FrameworkProject) -> None:
    assert [name for name in FILES if not (project.folder / name).is_file()] == []
    assert os.access(project.folder / "build", os.X_OK)


@each_project
@each_configuration
def test_its_configurations_are_short_and_valid(project: FrameworkProject, which: str) -> None:
    assert 0 < project.lines(which) <= MOST_LINES
    assert project.configuration(which).source


@each_project
@each_configuration
def test_its_right_verdicts_are_reasoned(project: FrameworkProject, which: str) -> None:
    assert project.expected(which) in set(Guarantee)
    assert len(project.reason(which).split()) > 5


@each_project
def test_its_draft_leaves_little_to_write(project: FrameworkProject) -> None:
    assert len(project.left_after_init()) <= 3


@each_project
def test_its_sources_know_nothing_of_killpoint(
    project: FrameworkProject, files: tuple[Path, ...]
) -> None:
    own = [project.folder / name for name in (*CONFIGURATIONS.values(), "expected.toml")]
    sources = [path for path in files if path.is_relative_to(project.folder) and path not in own]
    assert sources
    assert [path for path in sources if b"killpoint" in path.read_bytes().lower()] == []
