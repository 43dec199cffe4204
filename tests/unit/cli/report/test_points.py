"""The list of moments, as text and as JSON."""

import json

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import Page
from killpoint.cli.report.points import Point, Points, points_lines
from tests.support.results import COUNT_THEN_SAVE, LONG_MOMENT

POINTS = Points(
    COUNT_THEN_SAVE,
    (Point("kafka.offset_commit#1:after", False), Point("postgres.commit#1:after", True)),
)
TEXT = """\
cycle    fetched 0-2 → begin → 3 writes → commit → offset 3 saved

  1  kafka.offset_commit#1:after  not in every one: not required
  2  postgres.commit#1:after      in every clean run

2 moments, 1 of them required
Try      killpoint run --at 'postgres.commit#1:after' --action kill

exit 0   moments listed"""


def text_of(points: Points, code: ExitCode, page: Page | None = None) -> str:
    return "\n".join(line.plain for line in points_lines(points, code, page or Page()))


def test_the_whole_text() -> None:
    assert text_of(POINTS, ExitCode.MET) == TEXT


def test_no_moments_are_inconclusive_and_need_no_example() -> None:
    assert text_of(Points("nothing seen", ()), ExitCode.INCONCLUSIVE) == (
        "cycle    nothing seen\n\n0 moments, 0 of them required\n\nexit 3   inconclusive"
    )


def test_a_long_moment_stays_whole() -> None:
    points = Points("", (Point(LONG_MOMENT, True),))
    assert LONG_MOMENT in text_of(points, ExitCode.MET, Page(80)).splitlines()[2]


def test_the_json_of_the_contract() -> None:
    assert json.loads(POINTS.to_json()) == {
        "cycle": COUNT_THEN_SAVE,
        "moments": [
            {"at": "kafka.offset_commit#1:after", "required": False},
            {"at": "postgres.commit#1:after", "required": True},
        ],
    }
