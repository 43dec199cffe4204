"""The plan as it is printed: what would run, what is missing, how long it would take."""

from dataclasses import replace

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import Page
from killpoint.cli.report.plan import plan_code, plan_lines
from killpoint.cli.session.estimate import LastRun
from killpoint.cli.session.plan import Plan
from killpoint.compose.facts import Fact

NO_IMAGE = Fact("Kafka's image", False, "apache/kafka is not here", "docker pull apache/kafka")
PULLED = Fact("Postgres's image", False, "postgres:18 will be pulled", needed=False)
PLAN = Plan("docker", "", (NO_IMAGE, PULLED), 0, ("kill",), "at least once", 12, None)
TEXT = """\
stack       docker
missing     Kafka's image: apache/kafka is not here
            do: docker pull apache/kafka
will do     Postgres's image: postgres:18 will be pulled
plan        2 clean runs, then kill at every moment that they show, one at a time
            required: at least once
time        a guess, as nothing has run here yet: 16 s (11 moments, all 12 events in one batch) to 2
            min 28 s (99 moments, each in a batch of its own), if the target starts within a second

exit 4   the environment failed"""


def text_of(plan: Plan) -> str:
    return "\n".join(line.plain for line in plan_lines(plan, Page()))


def test_the_whole_text() -> None:
    assert text_of(PLAN) == TEXT
    assert plan_code(PLAN) is ExitCode.ENVIRONMENT


def test_the_last_run_gives_the_estimate() -> None:
    plan = replace(PLAN, facts=(), last=LastRun("3011-4bf2", 31, 0.5), actions=("kill", "cut"))
    words = " ".join(text_of(plan).split())
    assert "about 48 s, as run 3011-4bf2 showed 31 moments and a clean run of 0.5 s" in words
    assert words.endswith("exit 0 nothing is wrong that can be known before a start")


def test_what_cannot_be_guessed_is_not() -> None:
    for plan in (replace(PLAN, scenarios=3), replace(PLAN, events=None)):
        assert "not known before the first clean run" in text_of(plan)
    assert "the 3 scenarios of the file" in text_of(replace(PLAN, scenarios=3))
