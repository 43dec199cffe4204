"""The plan as it is printed: what would run, what is missing, how long it would take."""

from dataclasses import replace

from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import Page
from killpoint.cli.report.plan import plan_code, plan_lines
from killpoint.cli.session.lanes import LaneWish, Meeting
from killpoint.cli.session.plan import Plan
from killpoint.cli.session.session import Wanted
from killpoint.cli.session.shown import LastRun, Shown
from killpoint.compose.facts import Fact
from killpoint.faults.depth import Depth

NO_IMAGE = Fact("Kafka's image", False, "apache/kafka is not here", "docker pull apache/kafka")
PULLED = Fact("Postgres's image", False, "postgres:18 will be pulled", needed=False)
PLAN = Plan(
    stack="docker",
    reason="",
    facts=(NO_IMAGE, PULLED),
    scenarios=0,
    wanted=Wanted(depth=Depth.CLASSES),
    lanes=LaneWish(4, insisted=False, memory=2**33),
    meeting=Meeting(),
    requirement="at least once",
    events=12,
    last=None,
)
SHOWN = Shown(
    31,
    0.5,
    {
        Depth.CLASSES: {"kill": 12, "terminate": 20},
        Depth.STATES: {"kill": 16, "terminate": 31},
        Depth.MOMENTS: {"kill": 31, "terminate": 31},
    },
    {Depth.CLASSES: 3, Depth.STATES: 9, Depth.MOMENTS: 31},
    Meeting(),
)
LAST = LastRun("3011-4bf2", SHOWN)
TEXT = """\
stack       docker
missing     Kafka's image: apache/kafka is not here
            do: docker pull apache/kafka
will do     Postgres's image: postgres:18 will be pulled
plan        2 clean runs, then kill at the first, a middle and the last place of each class of crash
            states
            required: at least once
lanes       up to 4; fewer if the clean runs show that targets would meet
time        a guess, as nothing has run here yet: 4 s to 20 s (4 to 12 scenarios), if a run takes
            1.0 s; a slow starter adds its start to each, and a second one to each kill

exit 4   the environment failed"""


def text_of(plan: Plan) -> str:
    return "\n".join(line.plain for line in plan_lines(plan, Page()))


def words_of(plan: Plan) -> str:
    return " ".join(text_of(replace(plan, facts=())).split())


def test_the_whole_text() -> None:
    assert text_of(PLAN) == TEXT
    assert plan_code(PLAN) is ExitCode.ENVIRONMENT


def test_the_last_run_gives_the_estimate_for_the_depth_and_its_lanes() -> None:
    plan = replace(PLAN, last=LAST)
    words = words_of(plan)
    assert "lanes 4, each with a group and a database of its own" in words
    shown = "as run 3011-4bf2 showed 31 moments and a clean run of 0.5 s"
    assert f"time about 3 s (12 scenarios), {shown}" in words
    assert words.endswith("exit 0 nothing is wrong that can be known before a start")
    both = replace(plan, wanted=Wanted(depth=Depth.MOMENTS, actions=("kill", "terminate")))
    assert "kill and terminate at every moment that they show" in words_of(both)
    assert "about 13 s (62 scenarios)" in words_of(both)


def test_where_targets_meet_there_is_one_lane_and_it_takes_longer() -> None:
    meeting = Meeting(beside="the target listens on port 80 in every run")
    words = words_of(replace(PLAN, last=LAST, meeting=meeting))
    assert "lanes 1: the target listens on port 80 in every run" in words
    assert "about 10 s (12 scenarios)" in words
    known = words_of(replace(PLAN, meeting=meeting))
    assert "lanes 1: the target listens on port 80 in every run" in known


def test_second_kills_are_a_range() -> None:
    words = words_of(replace(PLAN, last=LAST, wanted=Wanted(depth=Depth.CLASSES, kills=2)))
    assert "of each class of crash states, and again in each recovery" in words
    assert "about 3 s to 5 s (12 to 21 scenarios)" in words


def test_the_guess_depends_on_the_depth() -> None:
    states = words_of(replace(PLAN, wanted=Wanted(depth=Depth.STATES)))
    assert "kill once in each crash state" in states and "(4 to 30 scenarios)" in states
    moments = replace(PLAN, wanted=Wanted(depth=Depth.MOMENTS))
    assert "(11 to 99 scenarios)" in words_of(moments)
    assert "not known before the first clean run" in words_of(replace(moments, events=None))
    assert "(4 to 12 scenarios)" in words_of(replace(PLAN, events=None))


def test_scenarios_of_the_file_are_counted_and_need_no_guess() -> None:
    words = words_of(replace(PLAN, scenarios=3, last=LAST))
    assert "2 clean runs, then the 3 scenarios of the file" in words
    assert "lanes 3, each with" in words and "(3 scenarios)" in words
