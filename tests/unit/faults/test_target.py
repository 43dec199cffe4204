"""How the end of a target reads."""

from killpoint.faults.target import Exit


def test_an_end_is_a_code_or_a_signal() -> None:
    assert str(Exit(0)) == "exit 0"
    assert str(Exit(None, 9)) == "signal 9"
