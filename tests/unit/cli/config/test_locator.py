"""The lines of keys in each spelling that TOML has."""

import pytest

from killpoint.cli.config.locator import Place, locate

DOCUMENT = "\n".join(
    [
        '# a comment with [brackets] and = and """',
        'title = "a" # after',
        "",
        "[target]",
        "command = [",
        '  "python",   # the first ]',
        '  "-c", "x = [1]",',
        "]",
        'env = { A = "}", "b.c" = \'its\' }',
        "text = '''",
        "[not.a.table]",
        "key = 1'''''",
        'run.limits . "max age" = 3',
        "",
        "[[check]]",
        'name = "one"',
        "[check.inner]",
        "x = 1",
        "[[check]]",
        'name = "two"',
        "[[check.list]]",
        "y = 1",
        "[[check.list]]",
        "y = 2",
        "[a.b]",
        "z = 1",
    ]
)

PLACES: list[tuple[Place, int]] = [
    (("title",), 2),
    (("target",), 4),
    (("target", "command"), 5),
    (("target", "command", 0), 6),
    (("target", "command", 2), 7),
    (("target", "env", "b.c"), 9),
    (("target", "text"), 10),
    (("target", "run", "limits", "max age"), 13),
    (("check",), 15),
    (("check", 0, "name"), 16),
    (("check", 0, "inner", "x"), 18),
    (("check", 1), 19),
    (("check", 1, "name"), 20),
    (("check", 1, "list", 0, "y"), 22),
    (("check", 1, "list", 1), 23),
    (("check", 1, "list", 1, "y"), 24),
    (("a",), 25),
    (("a", "b", "z"), 26),
]


@pytest.mark.parametrize(("place", "line"), PLACES)
def test_a_place_is_on_its_line(place: Place, line: int) -> None:
    assert locate(DOCUMENT)[place] == line


def test_what_stands_in_strings_and_comments_is_no_key() -> None:
    assert ("not",) not in locate(DOCUMENT)
    assert ("target", "key") not in locate(DOCUMENT)


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "\r\n\t"])
def test_nothing(text: str) -> None:
    assert locate(text) == {}
