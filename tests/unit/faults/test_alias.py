"""Topics called after a run's group have one name in every run."""

from killpoint.faults.alias import told
from killpoint.faults.events import (
    CommitAsked,
    Event,
    OffsetCommitAsked,
    ProduceAsked,
    ProducerStarted,
    RecordsFetched,
)
from killpoint.faults.position import Position, Span

GROUP = "killpoint-7f-3"


def test_topics_and_transactions_of_the_group_are_renamed() -> None:
    events: tuple[Event, ...] = (
        RecordsFetched(1, (Span(f"{GROUP}-configs", 0, 0, 3), Span("clicks", 0, 0, 3))),
        OffsetCommitAsked(2, GROUP, (Position(f"a-{GROUP}-b", 0, 3),)),
        ProduceAsked(3, f"{GROUP}-0", (Span(f"{GROUP}-status", 0, 0, 1),)),
        ProducerStarted(f"{GROUP}-0", 7, 1),
    )
    assert told(events, GROUP) == (
        RecordsFetched(1, (Span("{group}-configs", 0, 0, 3), Span("clicks", 0, 0, 3))),
        OffsetCommitAsked(2, GROUP, (Position("a-{group}-b", 0, 3),)),
        ProduceAsked(3, "{group}-0", (Span("{group}-status", 0, 0, 1),)),
        ProducerStarted("{group}-0", 7, 1),
    )


def test_all_else_stays_the_same_object() -> None:
    plain: tuple[Event, ...] = (
        RecordsFetched(1, (Span("clicks", 0, 0, 3),)),
        ProduceAsked(3, None, (Span("out", 0, 0, 1),)),
        CommitAsked(2, 1, auto=False),
    )
    assert all(one is other for one, other in zip(told(plain, GROUP), plain, strict=True))
