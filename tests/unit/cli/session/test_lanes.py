"""How many lanes there are, and why: the machine, what targets share, what the user insists on."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from killpoint.cli.session.lanes import (
    LANE_BYTES,
    MIB,
    MOST_LANES,
    SERVERS_BYTES,
    Lanes,
    LaneWish,
    Meeting,
    default_lanes,
    disturbed,
    lanes_of,
    meeting,
)
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.environment import Account
from killpoint.faults.progress import Progress
from tests.support.examined import subject_in

PLENTY = 64 * 1024 * MIB
LONG = 600.0


@pytest.mark.parametrize(
    ("processors", "memory", "lanes"),
    [
        (1, PLENTY, 2),
        (2, PLENTY, 4),
        (64, PLENTY, MOST_LANES),
        (4, 3 * LANE_BYTES, 3),
        (4, MIB, 1),
    ],
)
def test_lanes_by_the_machine(processors: int, memory: int, lanes: int) -> None:
    assert default_lanes(processors, memory) == lanes


@dataclass(frozen=True, slots=True)
class Clean:
    groups: tuple[str, ...] = ()
    ports: frozenset[int] = frozenset()
    unseen: tuple[str, ...] = ()
    progress: Progress = field(default_factory=Progress)


def wrote_to(topic: str) -> Progress:
    progress = Progress()
    progress.topics_written.add(topic)
    return progress


def test_targets_with_groups_and_ports_of_their_own_do_not_meet(tmp_path: Path) -> None:
    clean = [Clean(("run-1",), frozenset({4001})), Clean(("run-2",), frozenset({4002}))]
    assert meeting(subject_in(tmp_path), clean) == Meeting(harmless=True)


def test_a_group_learnt_to_be_the_same_is_met_at_the_servers(tmp_path: Path) -> None:
    clean = [Clean(("own-1", "billing")), Clean(("own-2", "billing"))]
    found = meeting(subject_in(tmp_path), clean)
    assert 'the group "billing" in every run' in found.at_servers
    assert not found.beside


def test_so_are_a_group_and_a_database_that_are_given_and_a_topic_written(tmp_path: Path) -> None:
    subject, clean = subject_in(tmp_path), [Clean(("a",)), Clean(("b",))]
    assert '"billing"' in meeting(replace(subject, group="billing"), clean).at_servers
    shop = subject_in(tmp_path, account=Account("shop"))
    assert 'database is always "shop"' in meeting(shop, clean).at_servers
    assert "events come late" in meeting(subject, clean, late=True).at_servers
    retries = [Clean(("a",)), Clean(("b",), progress=wrote_to("retry"))]
    assert 'the topic "retry"' in meeting(subject, retries).at_servers


def test_a_port_of_every_run_leaves_no_choice(tmp_path: Path) -> None:
    clean = [Clean(ports=frozenset({8126, 4001})), Clean(ports=frozenset({8126, 4002}))]
    found = meeting(subject_in(tmp_path), clean)
    assert "port 8126" in found.beside and "{port:NAME}" in found.beside
    assert not found.harmless


def test_files_and_systems_past_killpoint_are_shared(tmp_path: Path) -> None:
    subject = subject_in(tmp_path)
    changed = meeting(subject, [Clean()], ["state.txt"])
    assert "state.txt" in changed.beside and not changed.harmless
    redis = meeting(subject, [Clean(unseen=("a connection to redis:6379",))])
    assert "a connection to redis:6379" in redis.beside and redis.harmless


def test_the_open_files_of_containers_are_their_own(tmp_path: Path) -> None:
    clean = [Clean(unseen=("the open file /var/state",))]
    subject = subject_in(tmp_path)
    assert "/var/state" in meeting(subject, clean).beside
    contained = replace(subject, container=ContainerWish(image="acme/clicks:1.4"))
    assert not meeting(contained, clean).beside


AUTOMATIC = LaneWish(4, insisted=False, memory=PLENTY)
INSISTED = LaneWish(3, insisted=True, memory=MIB)
AT_SERVERS = Meeting("its group is fixed", harmless=True)
HARMLESS = Meeting(beside="lanes would share a connection", harmless=True)
PORT = Meeting(beside="a port")


@pytest.mark.parametrize(
    ("wish", "met", "scenarios", "seconds", "count", "own"),
    [
        (AUTOMATIC, Meeting(), 12, LONG, 4, False),
        (AUTOMATIC, Meeting(), 3, LONG, 3, False),
        (AUTOMATIC, AT_SERVERS, 12, LONG, 4, True),
        (AUTOMATIC, AT_SERVERS, 12, 5.0, 1, False),
        (replace(AUTOMATIC, memory=SERVERS_BYTES), AT_SERVERS, 12, LONG, 1, False),
        (replace(AUTOMATIC, memory=3 * SERVERS_BYTES), AT_SERVERS, 12, LONG, 2, True),
        (AUTOMATIC, HARMLESS, 12, LONG, 1, False),
        (AUTOMATIC, PORT, 12, LONG, 1, False),
        (INSISTED, Meeting(), 12, LONG, 3, False),
        (INSISTED, AT_SERVERS, 12, 5.0, 3, True),
        (INSISTED, HARMLESS, 12, LONG, 3, False),
        (INSISTED, PORT, 12, LONG, 1, False),
    ],
)
def test_lanes_of_a_sweep(
    wish: LaneWish, met: Meeting, scenarios: int, seconds: float, count: int, own: bool
) -> None:
    found = lanes_of(wish, met, scenarios, seconds)
    assert (found.count, found.own_servers) == (count, own)
    assert found.why.startswith(f"{count}")
    assert (met.at_servers or met.beside or "of its own") in found.why or wish is INSISTED


def test_one_lane_that_was_asked_for_or_is_enough_needs_no_words() -> None:
    assert lanes_of(LaneWish(1, insisted=True, memory=PLENTY), PORT, 12, LONG) == Lanes(1)
    assert lanes_of(AUTOMATIC, PORT, 1, LONG) == Lanes(1)


def test_what_is_said_when_a_run_has_disturbed_others() -> None:
    text = disturbed("S05", "retry", 3)
    assert "S05" in text and '"retry"' in text and text.endswith("3 scenarios are run again")
    assert disturbed("S05", "retry", 1).endswith("1 scenario is run again")
