"""The verdict: every rule of "The guarantee" in the design, by the exit code that a gate sees."""

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.checks.outcome import Outcome
from killpoint.checks.verdict import (
    WRONG_WITHOUT_FAULT,
    ExitCode,
    Judged,
    Verdict,
    audited,
    verdict,
)

NONE, MOST, LEAST, ONCE = Guarantee
CLEAN, LOST, TWICE, BOTH = (
    Judged(Outcome.CLEAN),
    Judged(Outcome.LOST),
    Judged(Outcome.COUNTED_TWICE),
    Judged(Outcome.BOTH),
)
STUCK = Judged(Outcome.STUCK, "6 restarts in a row without progress")
OPEN = Judged(Outcome.INCONCLUSIVE, "still progressing after 30 s")
VARIES = Judged(Outcome.INCONCLUSIVE, "the moment was not reached", required=False)

Case = tuple[list[Judged], Guarantee | None, Guarantee | None, bool | None, int]
CASES: list[Case] = [
    # scenarios, required, given, met, exit code
    ([CLEAN, CLEAN], ONCE, ONCE, True, 0),
    ([CLEAN, CLEAN], NONE, ONCE, True, 0),
    ([CLEAN, CLEAN], None, ONCE, None, 0),
    ([CLEAN, LOST], MOST, MOST, True, 0),
    ([CLEAN, LOST], ONCE, MOST, False, 1),
    ([CLEAN, LOST], LEAST, MOST, False, 1),
    ([CLEAN, LOST], None, MOST, None, 0),
    ([CLEAN, TWICE], LEAST, LEAST, True, 0),
    ([CLEAN, TWICE], MOST, LEAST, False, 1),
    ([LOST, TWICE], None, NONE, None, 0),
    ([LOST, TWICE], LEAST, NONE, False, 1),
    ([BOTH], NONE, NONE, True, 0),
    # Some required scenario is inconclusive.
    ([CLEAN, OPEN], ONCE, None, None, 3),
    ([CLEAN, OPEN], NONE, None, None, 3),
    ([CLEAN, OPEN], None, None, None, 3),
    ([OPEN], ONCE, None, None, 3),
    ([TWICE, OPEN], ONCE, LEAST, False, 1),
    ([TWICE, OPEN], LEAST, LEAST, None, 3),
    ([TWICE, OPEN], NONE, LEAST, None, 3),
    ([TWICE, OPEN], None, LEAST, None, 3),
    ([BOTH, OPEN], NONE, NONE, None, 3),
    # Scenarios that depend on time are not required; a refutation by one stands all the same.
    ([CLEAN, VARIES], ONCE, ONCE, True, 0),
    ([CLEAN, VARIES], None, ONCE, None, 0),
    ([TWICE, VARIES], LEAST, LEAST, True, 0),
    ([CLEAN, Judged(Outcome.LOST, required=False)], ONCE, MOST, False, 1),
    ([Judged(Outcome.CLEAN, required=False), VARIES], ONCE, ONCE, True, 0),
    # Nothing was exercised.
    ([], ONCE, None, None, 3),
    ([], None, None, None, 3),
    ([], NONE, None, None, 3),
    ([VARIES, VARIES], None, None, None, 3),
    ([VARIES], ONCE, None, None, 3),
    # Stuck is conclusive, and never met.
    ([CLEAN, STUCK], None, None, False, 1),
    ([CLEAN, STUCK], NONE, None, False, 1),
    ([STUCK, OPEN], ONCE, None, False, 1),
    ([CLEAN, Judged(Outcome.STUCK, "a crash loop", required=False)], None, None, False, 1),
    ([STUCK, LOST], None, MOST, False, 1),
    ([STUCK, LOST], MOST, MOST, False, 1),
    ([STUCK, LOST, TWICE, OPEN], NONE, NONE, False, 1),
]


@pytest.mark.parametrize(("scenarios", "required", "given", "met", "code"), CASES)
def test_scenarios(
    scenarios: list[Judged],
    required: Guarantee | None,
    given: Guarantee | None,
    met: bool | None,
    code: int,
) -> None:
    found = verdict([CLEAN, CLEAN], scenarios, required)
    assert (found.guarantee, found.met, found.exit_code) == (given, met, code)
    assert (found.reason is None) == (code == 0)


@pytest.mark.parametrize("required", [None, *Guarantee])
@pytest.mark.parametrize("scenarios", [[], [CLEAN], [LOST], [OPEN], [STUCK]])
@pytest.mark.parametrize("clean", [[LOST, LOST], [CLEAN, TWICE], [OPEN, BOTH]])
def test_wrong_in_a_clean_run(
    clean: list[Judged], scenarios: list[Judged], required: Guarantee | None
) -> None:
    assert verdict(clean, scenarios, required) == Verdict(
        None, False, WRONG_WITHOUT_FAULT, ExitCode.NOT_MET
    )


@pytest.mark.parametrize("clean", [[], [CLEAN, OPEN]])
def test_without_good_clean_runs_nothing_passes(clean: list[Judged]) -> None:
    for scenarios in ([CLEAN], [], [VARIES]):
        found = verdict(clean, scenarios, ONCE)
        assert (found.guarantee, found.met, found.exit_code) == (None, None, 3)


def test_a_crash_loop_needs_no_fault() -> None:
    found = verdict([STUCK], [], None)
    assert (found.guarantee, found.met, found.exit_code) == (None, False, 1)
    assert found.reason is not None and "stuck without any fault" in found.reason


def test_a_refutation_stands_beside_an_inconclusive_clean_run() -> None:
    found = verdict([CLEAN, OPEN], [LOST], ONCE)
    assert (found.guarantee, found.met, found.exit_code) == (MOST, False, 1)


@pytest.mark.parametrize(
    ("clean", "scenarios", "required", "reason"),
    [
        ([CLEAN], [TWICE], ONCE, "required: effectively once, given: at least once"),
        (
            [CLEAN],
            [TWICE, OPEN],
            LEAST,
            "at least once is an upper bound: 1 of 2 required scenarios inconclusive: "
            "still progressing after 30 s",
        ),
        (
            [CLEAN],
            [CLEAN, OPEN, VARIES],
            None,
            "1 of 2 required scenarios inconclusive: still progressing after 30 s",
        ),
        (
            [CLEAN],
            [STUCK, CLEAN],
            None,
            "stuck in 1 of 2 scenarios: 6 restarts in a row without progress",
        ),
        ([CLEAN], [], ONCE, "no scenario was run: there was no moment to stop at"),
        (
            [CLEAN],
            [VARIES],
            None,
            "none of 1 scenarios was conclusive: the moment was not reached",
        ),
        ([OPEN], [], None, "the clean run was inconclusive: still progressing after 30 s"),
        ([], [CLEAN], None, "no clean run was made"),
    ],
)
def test_reasons(
    clean: list[Judged], scenarios: list[Judged], required: Guarantee | None, reason: str
) -> None:
    assert verdict(clean, scenarios, required).reason == reason


@pytest.mark.parametrize(
    ("clean", "met", "code"),
    [
        ([CLEAN], None, 0),
        ([TWICE], False, 1),
        ([OPEN, LOST], False, 1),
        ([OPEN], None, 3),
        ([STUCK], False, 1),
        ([], None, 3),
    ],
)
def test_audit(clean: list[Judged], met: bool | None, code: int) -> None:
    found = audited(clean)
    assert (found.guarantee, found.met, found.exit_code) == (None, met, code)
