"""A turn: steps taken by their answers, and what answers mean."""

import pytest

from killpoint.faults.events import (
    BeginAnswered,
    CommitAnswered,
    Event,
    RollbackAnswered,
    WriteAnswered,
)
from killpoint.faults.wire.postgres_extended import Undo
from killpoint.faults.wire.postgres_transaction import Said
from killpoint.faults.wire.postgres_turn import CLOSED, DONE, PARSED, Step, Turn


@pytest.mark.parametrize(
    ("said", "tag", "event"),
    [
        (Said.BEGIN, "BEGIN", BeginAnswered(1, 2)),
        (Said.WRITE, "INSERT 0 5", WriteAnswered(1, 2, 5)),
        (Said.WRITE, "CREATE TABLE", WriteAnswered(1, 2, None)),
        (Said.WRITE, "", WriteAnswered(1, 2, None)),
        (Said.WRITE, "ROLLBACK", RollbackAnswered(1, 2)),
        (Said.COMMIT, "COMMIT", CommitAnswered(1, 2, auto=False)),
        (Said.COMMIT, "ROLLBACK", RollbackAnswered(1, 2)),
        (Said.ROLLBACK, "ROLLBACK", RollbackAnswered(1, 2)),
        (Said.ROLLBACK, "COMMIT", CommitAnswered(1, 2, auto=False)),
    ],
)
def test_answers(said: Said, tag: str, event: Event) -> None:
    assert list(Step(DONE, said, exchange=1, transaction=2).answered(tag)) == [event]


def test_the_implicit_commit_follows_its_last_step() -> None:
    commit = CommitAnswered(3, 1, auto=True)
    step = Step(DONE, Said.WRITE, exchange=2, transaction=1, commit=commit)
    assert list(step.answered("UPDATE 1")) == [WriteAnswered(2, 1, 1), commit]
    assert list(Step(DONE).answered("SELECT 1")) == []


def test_an_answer_completes_the_next_step_of_its_type() -> None:
    turn = Turn()
    steps = [Step(PARSED), Step(CLOSED), Step(DONE)]
    turn.steps.extend(steps)
    assert turn.take(ord("1")) is steps[0]
    assert turn.take(ord("C")) is steps[2]
    assert turn.take(ord("C")) is None


def test_an_error_takes_back_the_names_in_reverse() -> None:
    turn = Turn(commit=CommitAnswered(1, 1, auto=True))
    undone = [Undo("a", None), Undo("b", None)]
    turn.steps.extend([Step(PARSED, undo=undone[0]), Step(DONE, transaction=4, undo=undone[1])])
    failing, back = turn.fail()
    assert failing is not None
    assert failing.transaction == turn.failed_transaction == 4
    assert back == undone[::-1]
    assert turn.failed
    assert list(turn.ready()) == []


def test_ready_shows_commits_that_no_answer_has_shown() -> None:
    commits = [CommitAnswered(number, 1, auto=True) for number in (1, 2)]
    turn = Turn(commit=commits[1])
    turn.steps.append(Step(DONE, commit=commits[0]))
    assert list(turn.ready()) == commits
