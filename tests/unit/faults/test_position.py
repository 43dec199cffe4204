"""Places: their order and their names."""

from killpoint.faults.position import Position, Span, TopicPartition


def test_a_position_and_a_span_lie_in_their_partition() -> None:
    place = TopicPartition("clicks", 3)
    assert Position("clicks", 3, 7).place == place
    assert Span("clicks", 3, 7, 9).place == place


def test_partitions_are_named_as_kafka_names_them_and_sorted_by_number() -> None:
    places = [TopicPartition("b", 1), TopicPartition("a", 10), TopicPartition("a", 2)]
    assert [str(place) for place in sorted(places)] == ["a-2", "a-10", "b-1"]
