"""`killpoint points`: the consumer's cycle in words, and the moments it can be stopped at.

Counterpart: the session makes the clean runs and orders the moments as `--limit` takes them. Pure:
data in, lines or JSON out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from killpoint.cli.exit_codes import ExitCode, exit_line
from killpoint.cli.report.page import Page, line, padded
from killpoint.cli.report.words import count
from killpoint.cli.result import as_json

REQUIRED = "in every clean run"
VARIES = "not in every one: not required"


@dataclass(frozen=True, slots=True)
class Point:
    """A moment by the name that `--at` and a configuration take."""

    at: str
    required: bool


@dataclass(frozen=True, slots=True)
class Points:
    """What the clean runs showed; `moments` in the order of a sweep."""

    cycle: str
    moments: tuple[Point, ...]

    def to_json(self) -> str:
        """`{"cycle", "moments": [{"at", "required"}]}`"""
        return as_json(self)


def points_lines(points: Points, code: ExitCode, page: Page) -> list[Text]:
    """The cycle, one line a moment, and an example of the command that stops at one."""
    required = sum(point.required for point in points.moments)
    total = f"{count(len(points.moments), 'moment')}, {required} of them required"
    texts = [
        *page.fold(points.cycle, "cycle    "),
        "",
        *_moments(points.moments, page),
        *([""] if points.moments else []),
        total,
        *_example(points.moments, page),
        "",
        exit_line(code, "moments listed" if code is ExitCode.MET else None),
    ]
    return [line(text) for text in texts]


def _moments(moments: Sequence[Point], page: Page) -> list[str]:
    digits = len(str(len(moments)))
    room = page.width - digits - 6 - len(VARIES)
    width = min(max((cell_len(point.at) for point in moments), default=0), room)
    lines: list[str] = []
    for i, point in enumerate(moments, 1):
        lead, note = f"  {i:>{digits}}  ", REQUIRED if point.required else VARIES
        name = page.clean(point.at)
        if cell_len(name) > width:
            lines += [*page.fold(name, lead), " " * (len(lead) + width + 2) + note]
        else:
            lines.append(f"{lead}{padded(name, width)}  {note}")
    return lines


def _example(moments: Sequence[Point], page: Page) -> list[str]:
    """How one of them is tried: the first required one, else the first."""
    chosen = next((point for point in moments if point.required), None) or next(iter(moments), None)
    if chosen is None:
        return []
    return page.fold(f"killpoint run --at '{chosen.at}' --action kill", "Try      ")
