"""What the options of `killpoint run` ask for, and what is refused before anything starts."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from killpoint.checks.guarantee import Guarantee
from killpoint.cli.commands import run as command
from killpoint.cli.commands.examine import Opened
from killpoint.cli.errors import UserError
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.init import write_project
from killpoint.cli.progress import VerdictGiven
from killpoint.cli.session.session import Session
from tests.support import results


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
) -> ExitCode:
    return command.run(None, at or [], actions or [], "moments", limit, require, None, None)


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


def test_limit_and_requirement_are_taken_over(sessions: list[Session]) -> None:
    run(limit=3, require="at least once")
    (session,) = sessions
    assert session.wanted.limit == 3
    assert session.subject.requirement is Guarantee.AT_LEAST_ONCE


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
