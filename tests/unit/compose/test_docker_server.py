from killpoint.compose.docker_server import telling_lines


def test_a_javas_stack_trace_does_not_hide_its_reason() -> None:
    frames = "\n".join(f"\tat org.example.Class.method{n}(Class.java)" for n in range(50))
    assert telling_lines(f"starting\nException: wrong port\n{frames}\n\n") == [
        "starting",
        "Exception: wrong port",
    ]


def test_only_the_last_lines_are_shown() -> None:
    assert telling_lines("\n".join(map(str, range(100)))) == [str(n) for n in range(85, 100)]


def test_an_empty_log_is_said_to_be() -> None:
    assert telling_lines("\n\n") == ["(its log is empty)"]
