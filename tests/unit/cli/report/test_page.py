"""The page: width, characters, folding, and what reaches a terminal or a log."""

import io

import pytest
from rich.cells import cell_len

from killpoint.cli.report.page import Page, console_for, line, padded, page_for, seconds, show


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_that_steers_a_terminal_is_shown() -> None:
    assert Page().clean("a\x1b[2Jb\r\n\x00\u202e") == "a\\x1b[2Jb\\r\\n\\x00\\u202e"


def test_ascii_where_the_encoding_has_no_more() -> None:
    page = Page(ascii=True)
    assert page.clean("begin → commit · 3 … caf\u00e9") == "begin -> commit - 3 ... caf\\xe9"


def test_folding_keeps_indents_and_newlines() -> None:
    assert Page(80).fold("[run]\n  drain = 1", "do  ") == ["do  [run]", "      drain = 1"]


def test_folding_breaks_at_spaces_and_within_long_words() -> None:
    lines = Page(20).fold("one two three four " + "x" * 20, "- ")
    assert lines == ["- one two three four", "  xxxxxxxxxxxxxxxxxx", "  xx"]


def test_wide_characters_count_twice() -> None:
    assert all(cell_len(part) <= 20 for part in Page(20).fold("\u8a08" * 50))
    assert padded("\u8a08", 4) == "\u8a08  "


def test_a_log_has_no_escape_sequences_and_is_never_wrapped() -> None:
    log = io.StringIO()
    show(console_for(log, {}), [line(("x" * 95, "red")), "[bold]:smile: 1"])
    assert log.getvalue() == "x" * 95 + "\n[bold]:smile: 1\n"


def test_colours_are_forced_and_forbidden_by_the_environment() -> None:
    forced, forbidden = io.StringIO(), Terminal()
    show(console_for(forced, {"FORCE_COLOR": "1"}), [line(("lost", "red"))])
    terminal = {"NO_COLOR": "1", "TERM": "xterm"}
    show(console_for(forbidden, terminal), [line(("lost", "red"))])
    assert forced.getvalue() == "\x1b[31mlost\x1b[0m\n"
    assert forbidden.getvalue() == "lost\n"


def test_a_log_is_a_hundred_columns_wide_and_a_terminal_not_wider() -> None:
    env = {"COLUMNS": "80", "LINES": "25", "TERM": "xterm"}
    assert page_for(console_for(io.StringIO(), {})).width == 100
    assert page_for(console_for(Terminal(), env)).width == 80
    assert page_for(console_for(Terminal(), {**env, "COLUMNS": "200"})).width == 100


@pytest.mark.parametrize(("encoding", "plain"), [("utf-8", False), ("latin-1", True)])
def test_the_page_knows_the_encoding(encoding: str, plain: bool) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert page_for(console_for(stream, {})).ascii is plain


@pytest.mark.parametrize(
    ("number", "words"),
    [(0.04, "0.0 s"), (59.94, "59.9 s"), (59.96, "1 min"), (112.4, "1 min 52 s"), (120, "2 min")],
)
def test_times_in_words(number: float, words: str) -> None:
    assert seconds(number) == words
