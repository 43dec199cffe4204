"""The demo's result: which verdicts are right, the exit code, the JSON."""

import json
from dataclasses import replace

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.demo_result import (
    Judgement,
    Sample,
    demo_exit_code,
    demo_json,
    demo_meaning,
)
from killpoint.cli.exit_codes import ExitCode
from tests.support.results import verdict
from tests.support.schema import assert_is_result

RIGHT = Judgement(Sample("save-then-count", Guarantee.AT_MOST_ONCE), verdict("lost"))
WRONG = Judgement(Sample("set-state", Guarantee.EFFECTIVELY_ONCE), verdict("lost"))
OPEN = Judgement(Sample("message-id", Guarantee.EFFECTIVELY_ONCE), verdict("inconclusive"))
STOPPED = Judgement(Sample("auto-commit", Guarantee.NONE), verdict("interrupted"))


def test_right_is_the_right_guarantee() -> None:
    assert [RIGHT.right, WRONG.right, OPEN.right] == [True, False, False]


def test_the_right_guarantee_without_a_conclusion_is_not_right() -> None:
    last = replace(RIGHT.verdict, exit_code=ExitCode.INCONCLUSIVE)
    assert not replace(RIGHT, verdict=last).right


@pytest.mark.parametrize(
    ("judgements", "samples", "code"),
    [
        ([RIGHT, RIGHT], 2, ExitCode.MET),
        ([RIGHT], 2, ExitCode.INCONCLUSIVE),
        ([], 0, ExitCode.INCONCLUSIVE),
        ([RIGHT, OPEN], 2, ExitCode.INCONCLUSIVE),
        ([OPEN, WRONG], 2, ExitCode.NOT_MET),
        ([WRONG, STOPPED], 2, ExitCode.INTERRUPTED),
    ],
)
def test_the_exit_code(judgements: list[Judgement], samples: int, code: ExitCode) -> None:
    assert demo_exit_code(judgements, samples) is code


def test_the_exit_code_in_words() -> None:
    assert demo_meaning(ExitCode.MET) == "every verdict is the right one"
    assert demo_meaning(ExitCode.ENVIRONMENT) == "the environment failed"


def test_the_json_has_a_whole_result_for_each_consumer() -> None:
    consumers = json.loads(demo_json([RIGHT, WRONG]))["consumers"]
    assert [(one["name"], one["right"]) for one in consumers] == [
        ("save-then-count", True),
        ("set-state", False),
    ]
    for one in consumers:
        assert_is_result(one)
