from dataclasses import dataclass

from killpoint.cli.report.page import Page
from killpoint.cli.report.up import closing_lines, door_lines, moment_lines


@dataclass(frozen=True)
class Door:
    server: str
    direct: str
    through: str


def test_each_server_has_both_addresses() -> None:
    lines = [str(line) for line in door_lines([Door("kafka", "h:1", "h:2")], Page())]
    assert lines[:2] == [
        "kafka       h:2",
        "  direct    h:1",
    ]
    assert any("Ctrl-C" in line for line in lines)


def test_a_moment_has_its_time() -> None:
    lines = [str(line) for line in moment_lines(1.23456, "postgres.commit#1:after", Page())]
    assert lines == ["    1.235  postgres.commit#1:after"]


def test_the_last_line_is_the_exit_code() -> None:
    assert str(closing_lines(Page())[-1]).startswith("exit 0   ")
