"""How an error is printed: what, why, do, and the exit line; never wider than the page."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from killpoint.cli.config.problem import ConfigError, Problem, did_you_mean, do, why
from killpoint.cli.errors import UserError, error_lines, problem_lines
from killpoint.cli.exit_codes import ExitCode
from killpoint.cli.report.page import Page

READ_NOTHING = """\
error: the target read nothing: 0 of 24 events
  why    group "billing-worker" had no offset, and the target asked for the END of the topic
         (auto.offset.reset=latest). The 24 events were already there.
  do     [source]
           group_start = "committed"
exit 3   inconclusive"""

UNKNOWN_KEY = """\
error: killpoint.toml:14: [source] unknown key "event"
  do     did you mean "events"?
exit 2   usage or configuration"""


PROBLEMS = """\
error: killpoint.toml:14: [source] unknown key "event"
  did you mean "events"?            all keys: killpoint help config
error: killpoint.toml: [[check]] is missing
  why    one word after the other, until there are so many of them that the line is wider than
         the page
  do     add it
exit 2   usage or configuration"""


def text_of(error: UserError, page: Page | None = None) -> str:
    return "\n".join(error_lines(error, page or Page()))


def test_what_why_do_and_the_code() -> None:
    error = UserError(
        "the target read nothing: 0 of 24 events",
        'group "billing-worker" had no offset, and the target asked for the END of the topic '
        "(auto.offset.reset=latest). The 24 events were already there.",
        '[source]\n  group_start = "committed"',
        ExitCode.INCONCLUSIVE,
    )
    assert text_of(error) == READ_NOTHING


def test_a_part_that_says_nothing_is_left_out() -> None:
    what = 'killpoint.toml:14: [source] unknown key "event"'
    assert text_of(UserError(what, do='did you mean "events"?')) == UNKNOWN_KEY


def test_it_is_an_exception_with_its_first_sentence() -> None:
    assert str(UserError("no file killpoint.toml")) == "no file killpoint.toml"


def test_long_words_and_control_characters_stay_within_the_page() -> None:
    error = UserError("x" * 300, "\x1b[31m" + "y" * 300, "a\tb")
    lines = error_lines(error, Page(80))
    assert max(cell_len(line) for line in lines) <= 80
    assert "\\x1b[31m" in "\n".join(lines)
    assert not any("\x1b" in line for line in lines)


def test_problems_of_a_configuration_are_folded_below_their_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "killpoint.toml"
    near = did_you_mean("event", ["events"], "all keys: killpoint help config")
    reason = "one word after the other, until there are so many of them that the line is wider"
    error = ConfigError(
        [
            Problem('[source] unknown key "event"', (near,), file, 14),
            Problem("[[check]] is missing", (why(f"{reason} than the page"), do("add it")), file),
        ]
    )
    assert "\n".join(problem_lines(error, Page(96))) == PROBLEMS
    wide = ConfigError([Problem("x " * 100, (why("\x1b[31m" + "y" * 300),), file, 1)])
    lines = problem_lines(wide, Page(80))
    assert max(cell_len(line) for line in lines) <= 80
    assert not any("\x1b" in line for line in lines)
