import os
from pathlib import Path

import pytest

from killpoint.compose.manifest import (
    MANIFEST,
    Manifest,
    manifest_of,
    read_manifest,
    write_manifest,
)


@pytest.fixture
def jars(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "org" / "b.jar", tmp_path / "a.jar"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(path.name.encode())
    return paths


@pytest.fixture
def manifest(tmp_path: Path, jars: list[Path]) -> Manifest:
    return manifest_of(tmp_path, jars)


def test_it_is_read_as_written(tmp_path: Path, manifest: Manifest) -> None:
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"jars": [{"path": "a"}]}', "\xff"])
def test_what_cannot_be_read_is_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / MANIFEST).write_text(content, encoding="latin-1")
    assert read_manifest(tmp_path) is None


def test_the_class_path_names_each_jar_in_order(tmp_path: Path, manifest: Manifest) -> None:
    assert manifest.class_path(tmp_path) == f"{tmp_path}/org/b.jar:{tmp_path}/a.jar"


def test_nothing_has_changed(tmp_path: Path, manifest: Manifest) -> None:
    assert manifest.changed(tmp_path) == []
    assert manifest.damaged(tmp_path) == []


def test_another_time_alone_is_no_change(
    tmp_path: Path, manifest: Manifest, jars: list[Path]
) -> None:
    os.utime(jars[0], (1, 1))
    assert manifest.changed(tmp_path) == []


@pytest.mark.parametrize("content", [b"longer than before", None])
def test_a_change_is_seen(
    tmp_path: Path, manifest: Manifest, jars: list[Path], content: bytes | None
) -> None:
    if content is None:
        jars[0].unlink()
    else:
        jars[0].write_bytes(content)
    assert manifest.changed(tmp_path) == ["org/b.jar"]
    assert manifest.damaged(tmp_path) == ["org/b.jar"]


def test_a_change_that_keeps_size_and_time_is_seen_by_the_sums_alone(
    tmp_path: Path, manifest: Manifest, jars: list[Path]
) -> None:
    state = jars[1].stat()
    jars[1].write_bytes(b"A.jar")
    os.utime(jars[1], ns=(state.st_atime_ns, state.st_mtime_ns))
    assert manifest.changed(tmp_path) == []
    assert manifest.damaged(tmp_path) == ["a.jar"]


def test_the_sum_of_the_set_depends_on_order_and_content(
    tmp_path: Path, manifest: Manifest, jars: list[Path]
) -> None:
    assert manifest_of(tmp_path, reversed(jars)).sum != manifest.sum
    jars[0].write_bytes(b"other")
    assert manifest_of(tmp_path, jars).sum != manifest.sum
