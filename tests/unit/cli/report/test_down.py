from killpoint.cli.report.down import down_lines
from killpoint.cli.report.page import Page


def said(removed: list[str], kept: list[str], no_engine: str = "") -> list[str]:
    return [str(line) for line in down_lines(removed, kept, no_engine, Page())]


def test_everything_is_named() -> None:
    assert said(["container a", "network b"], ["container c"]) == [
        "removed  container a",
        "removed  network b",
        "kept     container c: its run lives",
        "exit 0   2 removed",
    ]


def test_nothing_is_said_to_be_nothing() -> None:
    assert said([], []) == ["exit 0   nothing was left behind"]


def test_an_engine_that_could_not_be_asked_is_said() -> None:
    assert said([], [], "no Docker engine answers")[0] == (
        "Docker was not asked: no Docker engine answers"
    )
