"""Files of variables, as shells and libraries read them."""

from pathlib import Path

import pytest

from killpoint.cli.config.env_file import EnvFileError, read_env_file

TEXT = r"""
# of the developer's machine
BROKERS=localhost:9092
export NAME = two words   # a comment
RAW='as it is $HOME # and this'
QUOTED="a\tb \"c\" \\"
EMPTY=
URL=http://host/#part
NAME=last
Section__Key=it's
"""


def test_every_usual_form_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(TEXT, encoding="utf-8")
    assert read_env_file(tmp_path / ".env") == {
        "BROKERS": "localhost:9092",
        "NAME": "last",
        "RAW": "as it is $HOME # and this",
        "QUOTED": 'a\tb "c" \\',
        "EMPTY": "",
        "URL": "http://host/#part",
        "Section__Key": "it's",
    }


@pytest.mark.parametrize("line", ["no assignment", "A='open", '1A="x"', 'A="x" y'])
def test_what_is_no_assignment_has_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / ".env").write_text(f"A=1\n{line}\n", encoding="utf-8")
    with pytest.raises(EnvFileError, match="line 2 is no NAME=value") as caught:
        read_env_file(tmp_path / ".env")
    assert caught.value.line == 2
