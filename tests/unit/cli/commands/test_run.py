"""What the options of `killpoint run` ask for, and what is refused before anything starts."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.commands import run as command
from killpoint.cli.commands.examine import Opened
from killpoint.cli.commands.run import RunOptions
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.init import write_project
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.session.session import Session
from killpoint.faults.depth import Depth
from tests.support import results

NO_OPTIONS = RunOptions()


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """A project in the current folder; the sessions that were to be held, none of which is."""
    held: list[Session] = []

    def hold(
        session: Session, opened: Opened, work: Callable[[Session], Awaitable[None]]
    ) -> VerdictGiven:
        held.append(session)
        return results.verdict("failed")

    write_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "hold", hold)
    return held


def run(
    at: list[str] | None = None,
    actions: list[str] | None = None,
    limit: int | None = None,
    require: str | None = None,
    options: RunOptions = NO_OPTIONS,
) -> ExitCode:
    moments, done = tuple(at or ()), tuple(actions or ())
    given = replace(options, at=moments, actions=done, require=require)
    return command.run(None, replace(given, limit=limit or options.limit), None, None)


def test_without_options_the_sweep_is_that_of_the_file(sessions: list[Session]) -> None:
    assert run() is ExitCode.NOT_MET
    (session,) = sessions
    assert session.wanted.scenarios == ()
    assert session.wanted.actions == session.subject.actions


def test_each_moment_and_action_is_a_scenario(sessions: list[Session]) -> None:
    run(at=["postgres.commit#1:after", "kafka.join:after"], actions=["kill", "kill"])
    (session,) = sessions
    texts = [str(s.faults[0]) for s in session.wanted.scenarios]
    assert texts == ["kill at postgres.commit#1:after", "kill at kafka.join:after"]
    assert [s.id for s in session.wanted.scenarios] == ["S01", "S02"]
    assert all(s.required for s in session.wanted.scenarios)


def test_a_scenario_of_two_moments_is_given_by_one_name(sessions: list[Session]) -> None:
    run(at=["postgres.commit#1:after, then kafka.join:after"])
    (session,) = sessions
    (one,) = session.wanted.scenarios
    assert [str(f) for f in one.faults] == [
        "kill at postgres.commit#1:after",
        "kill at kafka.join:after",
    ]
    assert session.bound.faults_per_scenario == 2


def test_limit_and_requirement_are_taken_over(sessions: list[Session]) -> None:
    run(limit=3, require="at least once")
    (session,) = sessions
    assert session.wanted.limit == 3
    assert session.wanted.depth is Depth.MOMENTS
    assert session.subject.requirement is Guarantee.AT_LEAST_ONCE


def test_the_depth_is_classes_unless_another_is_given(sessions: list[Session]) -> None:
    run()
    run(options=RunOptions(depth="states", limit=3))
    assert [session.wanted.depth for session in sessions] == [Depth.CLASSES, Depth.STATES]


def test_time_kills_and_seed_are_taken_over(sessions: list[Session]) -> None:
    run(options=RunOptions(within="1.5m", kills=2, seed="4f"))
    run()
    wanted, other = (session.wanted for session in sessions)
    assert (wanted.within, wanted.kills, wanted.seed) == (90.0, 2, "4f")
    assert sessions[0].bound.faults_per_scenario == 2
    assert (other.within, other.kills) == (None, 1)
    assert other.seed


def test_what_cannot_be_done_together_is_refused(sessions: list[Session]) -> None:
    with pytest.raises(UserError, match="kill is none of the actions"):
        run(actions=["terminate"], options=RunOptions(kills=2))
    with pytest.raises(UserError, match="--within must be a duration"):
        run(options=RunOptions(within="soon"))
    assert sessions == []


def test_work_is_held_at_a_moment_of_the_database_that_is_named(sessions: list[Session]) -> None:
    run(at=["postgres.commit#2:before"], actions=["overtake"])
    (session,) = sessions
    assert str(session.wanted.scenarios[0].faults[0]) == "overtake at postgres.commit#2:before"
    with pytest.raises(UserError, match="overtake needs --at"):
        run(actions=["kill", "overtake"])
    with pytest.raises(UserError, match="can't be overtaken"):
        run(at=["kafka.join:after"], actions=["overtake"])


def test_what_is_refused_says_what_would_be_right(sessions: list[Session]) -> None:
    with pytest.raises(UserError) as moment:
        run(at=["postgres.comit:after"])
    assert "commit" in (moment.value.why or "")
    with pytest.raises(UserError) as action:
        run(actions=["killl"])
    assert "kill" in (action.value.do or "")
    with pytest.raises(UserError) as guarantee:
        run(require="exactly once")
    assert "effectively once" in (guarantee.value.do or "")
    assert sessions == []
