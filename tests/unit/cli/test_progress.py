"""Several readers as one."""

from killpoint.cli.progress import Interrupted, Preparing, ProgressEvent, Reporters


class Recorder:
    def __init__(self, name: str, heard: list[tuple[str, ProgressEvent]]) -> None:
        self.name = name
        self.heard = heard

    def on(self, event: ProgressEvent) -> None:
        self.heard.append((self.name, event))


def test_each_reader_gets_each_event_in_order() -> None:
    heard: list[tuple[str, ProgressEvent]] = []
    readers = Reporters(Recorder(name, heard) for name in "ab")
    readers.on(Preparing("jars"))
    readers.on(Interrupted())
    assert heard == [
        ("a", Preparing("jars")),
        ("b", Preparing("jars")),
        ("a", Interrupted()),
        ("b", Interrupted()),
    ]
