"""Outside a session the first signal interrupts, and the later ones do nothing."""

import os
import signal
from collections.abc import Iterator

import pytest

from killpoint.cli.signals import SIGNALS, heeded, ignore_signals, interrupt_on_signals


@pytest.fixture(autouse=True)
def handlers_stay() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_interrupts_and_the_next_does_nothing(number: signal.Signals) -> None:
    interrupt_on_signals()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    os.kill(os.getpid(), number)
    assert heeded() == []


def test_what_was_ignored_at_the_start_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupt_on_signals()
    os.kill(os.getpid(), signal.SIGHUP)
    assert signal.SIGHUP not in heeded()
    ignore_signals()
    assert heeded() == []
