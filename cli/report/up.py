"""What `killpoint up` prints: where the servers are, then each moment as it passes.

Counterpart: `cli/session/standing.py` tells it. Pure: data in, lines out.
"""

from collections.abc import Sequence
from typing import Protocol

from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, line, padded

LABEL = 12


class Door(Protocol):
    """How one server is reached: past the proxies, and through them."""

    @property
    def server(self) -> str: ...
    @property
    def direct(self) -> str: ...
    @property
    def through(self) -> str: ...


def door_lines(doors: Sequence[Door], page: Page) -> list[Text]:
    """Two lines a server: the address of its proxy, and its own."""
    lines: list[str] = []
    for door in doors:
        lines += page.fold(door.through, padded(door.server, LABEL))
        lines += page.fold(door.direct, padded("  direct", LABEL))
    text = "Moments that pass killpoint are printed, direct ones are not seen. Ctrl-C ends it."
    lines += ["", *page.fold(text), ""]
    return [line(text) for text in lines]


def moment_lines(seconds: float, moment: str, page: Page) -> list[Text]:
    """A moment that has passed, with the seconds since the stack stood."""
    return [line(text) for text in page.fold(moment, f"{seconds:>9.3f}  ")]


def closing_lines(page: Page) -> list[Text]:
    """The end: everything is gone."""
    return [line(page.clean(exit_line(ExitCode.MET, "the stack is gone")))]
