"""`[target] env_file`: variables as a `.env` file has them, one `NAME=value` a line.

What shells and the common libraries agree on: `export` before a name, comments, values in single
quotes as they are, in double quotes with \\n, \\t, \\" and \\\\. Nothing is put in for `$NAME`.
"""

import re
from pathlib import Path
from typing import Final

_LINE: Final = re.compile(
    r"""\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)\s*=\s*
    (?:'(?P<raw>[^']*)'
    |"(?P<quoted>(?:[^"\\]|\\.)*)"
    |(?P<plain>(?!['"])(?:[^\s#'"]|(?<!\s)[#'"]|[ \t](?!\#))*))
    \s*(?:\#.*)?""",
    re.VERBOSE,
)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


class EnvFileError(ValueError):
    """A line that is no assignment: `line` counts from 1."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line} is no NAME=value: {text.strip()}")
        self.line = line


def read_env_file(file: Path) -> dict[str, str]:
    """The variables, the last of a name wins. Raises OSError, UnicodeDecodeError, EnvFileError."""
    found: dict[str, str] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise EnvFileError(number, line)
        found[match["name"]] = _value(match)
    return found


def _value(match: re.Match[str]) -> str:
    if match["raw"] is not None:
        return match["raw"]
    if match["quoted"] is not None:
        return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), match["quoted"])
    return (match["plain"] or "").strip()
