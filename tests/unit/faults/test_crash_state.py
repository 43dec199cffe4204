"""What a crash leaves, as data and in words."""

from killpoint.faults.crash_state import NO_NUMBERS, NOTHING, CrashState, Numbers, OpenTransaction
from killpoint.faults.position import Position, TopicPartition

PLACE = TopicPartition("out", 0)


def test_later_offsets_take_the_place_of_earlier_ones() -> None:
    state = NOTHING.saving([Position("clicks", 1, 3), Position("clicks", 0, 3)])
    state = state.saving([Position("clicks", 1, 6)])
    assert state.saved == (Position("clicks", 0, 3), Position("clicks", 1, 6))


def test_numbers_close_their_gaps() -> None:
    numbers = NO_NUMBERS
    for number in (2, 4, 1, 5, 3):
        numbers = numbers.with_one(number)
    assert (numbers, len(numbers), str(numbers)) == (Numbers(5), 5, "1–5")
    assert str(Numbers(1, (3, 7))) == "1, 3, 7"


def test_in_words_only_what_is_there() -> None:
    assert str(NOTHING) == "nothing"
    state = CrashState(
        saved=(Position("clicks", 0, 3),),
        transactions=Numbers(2),
        sequence=7,
        log=((PLACE, 5),),
        visible=((PLACE, 2),),
        open=(OpenTransaction("tx", (), ((PLACE, 3),)),),
        epochs=(("tx", 1),),
        files=(("position", "3f2a"),),
    )
    assert str(state) == (
        "offsets clicks-0:3; transactions 1–2; sequence 7; produced out-0:5; "
        "3 of them not visible; open in Kafka tx; producer starts tx:1; files position 3f2a"
    )
