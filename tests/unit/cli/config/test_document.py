"""Files that are no TOML, and the names of places."""

from pathlib import Path

import pytest

from killpoint.cli.config.document import key_path, read_document
from killpoint.cli.config.problem import ConfigError


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'a = 1\nb = "x\n', "killpoint.toml:2: is not valid TOML"),
        (b"a = 1\n\n[a]\n", "killpoint.toml:3: is not valid TOML"),
        (b"a = [1,\n2", "killpoint.toml:2: is not valid TOML"),
        (b"a = 1\r\nb =\r\n", "killpoint.toml:2: is not valid TOML"),
        (b"a = 1\nb = '\xff'\n", "killpoint.toml:2: is not UTF-8"),
    ],
)
def test_no_toml(folder: Path, content: bytes, message: str) -> None:
    (folder / "killpoint.toml").write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        read_document(folder / "killpoint.toml")
    assert str(caught.value).splitlines()[0] == f"error: {message}"


def test_a_file_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read\n  why    Is a directory"):
        read_document(folder)


def test_a_single_source_has_no_index_in_the_file(folder: Path) -> None:
    document = read_document(folder / "killpoint.toml")
    assert document.line(("source", 0, "partitions")) == 7
    problem = document.problem(("source", 0, "partitions"), "is bad")
    assert (problem.what, problem.line) == ("[source] partitions is bad", 7)


def test_what_is_not_written_has_the_line_of_what_is_around_it(folder: Path) -> None:
    document = read_document(folder / "killpoint.toml")
    assert document.line(("check", 0, "absent", 3)) == 13
    assert document.line(("absent",)) == 1


def test_places_read_as_in_toml() -> None:
    assert key_path(("faults", 0, "at")) == "faults[0].at"
    assert key_path(("env", "a b")) == 'env."a b"'
