"""Committed text: nothing in it holds only on one machine or only beside one package registry."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

# In pieces, or this file would name them.
REGISTRIES = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("maven", "apache", "org"),
        ("repo1", "maven", "org"),
        ("proxy", "golang", "org"),
        ("deb", "debian", "org"),
        ("ghcr", "io"),
        ("quay", "io"),
    )
)
HOMES = re.compile(r"(?<![\w.}*~-])/(?:home|root|Users)/[\w.]")


def lines(files: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    """Each line of each text, with its place."""
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            yield f"{path}:{number}", line


def test_no_registry_is_named(files: tuple[Path, ...]) -> None:
    named = [
        place for place, line in lines(files) if any(registry in line for registry in REGISTRIES)
    ]
    assert named == []


def test_no_absolute_path_of_a_machine(root: Path, files: tuple[Path, ...]) -> None:
    paths = [place for place, line in lines(files) if HOMES.search(line) or f"{root}/" in line]
    assert paths == []


@pytest.mark.parametrize("text", ["see /" + "home/me/x", "'/" + "Users/me'", "=/" + "root/.cache"])
def test_absolute_paths_are_recognised(text: str) -> None:
    assert HOMES.search(text)


@pytest.mark.parametrize("text", ["~/.cache/killpoint", "docs/" + "home/plan", "https://x/y"])
def test_other_paths_are_not(text: str) -> None:
    assert not HOMES.search(text)
