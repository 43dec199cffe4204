"""Why a scenario failed, in one sentence, and what cures it.

Pure: from the outcome, the moment it was killed at and the order of the consumer's steps. What is
said is what the order on the wire shows; where the order shows nothing, the sentence says only what
the outcome proves.
"""

from dataclasses import dataclass
from typing import Final

from killpoint.checks.outcome import Outcome
from killpoint.cli.result import ScenarioResult
from killpoint.faults.cycle import ARROW
from killpoint.faults.scenario import OVERTAKE

GOES_ON: Final = " \N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Cause:
    """What happened in one sentence or two, the same in a few words, and the cure in one line."""

    sentence: str
    short: str
    cure: str


IN_TRANSACTION = "Store the offset in the same transaction, or reject known message IDs."
SAVE_LATER = "Save the offset after COMMIT (at least once), or in the same transaction."
TAKE_OVER = "Switch automatic offsets off; save the offset in the transaction of the rows."
OVERTAKEN: Final = Cause(
    "An offset was saved, by a timer or another worker, while work up to it was still under way. "
    "A crash right then skips that work.",
    "a crash loses events whose offset was saved before their work was done",
    "Switch automatic offsets off, or let them pass a record only once all up to it is committed.",
)
AFTER_RESTART: Final = Cause(
    "What the target did after its restart cost more than the crash: it took for done what was "
    "not, or took away what was there.",
    "a restart skips events, or takes away what was counted",
    "Record what is done in the transaction that does it, and keep at a start what is there.",
)


def steps_of(cycle: str) -> tuple[str, ...]:
    """The steps of a cycle in words, in short: fetch, begin, write, commit, offset, …

    "fetched 0-2 → begin → 3 writes → commit → offset 3 saved …" gives
    ("fetch", "begin", "write", "commit", "offset").
    """
    steps = cycle.removesuffix(GOES_ON).split(ARROW.strip())
    return tuple(_step(words.split()) for words in steps if words.strip())


def _step(words: list[str]) -> str:
    names = {"fetched": "fetch", "offset": "offset", "offsets": "offset"}
    for word in words:
        if word in names:
            return names[word]
    plural = {"writes": "write", "commits": "commit", "rollbacks": "rollback", "begins": "begin"}
    kept = [plural.get(word, word) for word in words if not word.isdigit()]
    return " ".join(kept)


def cause_of(scenario: ScenarioResult, cycle: str) -> Cause | None:
    """The cause of an outcome that is not clean; None if there is nothing to explain."""
    outcome = scenario.outcome
    if outcome in (Outcome.CLEAN, Outcome.INCONCLUSIVE):
        return None
    if outcome is Outcome.STUCK:
        return _stuck(scenario)
    if scenario.explained_by:
        return AFTER_RESTART
    if outcome is Outcome.LOST and any(fault.action == OVERTAKE for fault in scenario.faults):
        return OVERTAKEN
    return _order_cause(outcome, steps_of(cycle)) or _outcome_cause(outcome)


def _stuck(scenario: ScenarioResult) -> Cause:
    reason = (scenario.reason or "no progress, with work left").rstrip(".")
    where = f" ({scenario.evidence})" if scenario.evidence else ""
    return Cause(
        f"The target did not recover from the crash: {reason}.",
        "a crash stops the target for good",
        f"Read what the target printed after its restart{where}.",
    )


def _order_cause(outcome: Outcome, steps: tuple[str, ...]) -> Cause | None:
    """What the order explains: the offset's place beside the (last) commit."""
    if "commit" not in steps or "offset" not in steps:
        return None
    offset_last = steps.index("offset") > steps.index("commit")
    if offset_last and outcome is Outcome.COUNTED_TWICE:
        return Cause(
            "The offset is saved after COMMIT. A crash between the two repeats the batch.",
            "a crash between COMMIT and the saved offset counts a batch again",
            IN_TRANSACTION,
        )
    if not offset_last and outcome is Outcome.LOST:
        return Cause(
            "The offset is saved before COMMIT. A crash between the two skips the batch.",
            "a crash between the saved offset and COMMIT loses a batch",
            SAVE_LATER,
        )
    return None


def _outcome_cause(outcome: Outcome) -> Cause:
    """What the outcome alone proves, whatever order was seen."""
    if outcome is Outcome.LOST:
        return Cause(
            "An offset was saved for events that were not yet in the database. "
            "The restart skips them.",
            "a crash loses events whose offset was already saved",
            SAVE_LATER,
        )
    if outcome is Outcome.COUNTED_TWICE:
        return Cause(
            "Events were in the database before their offset was saved. The restart repeats them.",
            "a crash repeats events whose offset was not yet saved",
            IN_TRANSACTION,
        )
    if outcome is Outcome.BOTH:
        return Cause(
            "Offsets are saved apart from the rows. One crash skipped events and repeated others.",
            "a crash loses some events and repeats others",
            TAKE_OVER,
        )
    return Cause(
        f"The totals are wrong after the crash: {outcome}.",
        f"a crash leaves {outcome} totals",
        IN_TRANSACTION,
    )
