#!/usr/bin/env python3
"""Writes the part of ARCHITECTURE.md that has one paragraph a file, from each file's own words.

What stands above the marker is written by hand and kept. With `--check` nothing is written; the
exit code is 1 if the page is not what would be written.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "ARCHITECTURE.md"
MARKER = "<!-- From here on: scripts/architecture.py, from the first lines of each file. -->\n"
ROOMS = ("cli", "faults", "checks", "compose")


def main() -> int:
    """Write the page, or compare it."""
    page = PAGE.read_text(encoding="utf-8")
    head, marker, _ = page.partition(MARKER)
    if not marker:
        raise SystemExit(f"{PAGE.name} has no marker; put it back: {MARKER.strip()}")
    wanted = head + marker + "".join(room(name) for name in ROOMS)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
    elif wanted != page:
        print(f"{PAGE.name} does not say what the files say. Write it: scripts/architecture.py")
        return 1
    return 0


def room(name: str) -> str:
    """One room: its folders in order, each with its files."""
    top = ROOT / name
    below = (path for path in top.rglob("*") if path.is_dir() and path.name != "__pycache__")
    return "".join(folder(path) for path in [top, *sorted(below)])


def folder(path: Path) -> str:
    """One folder: a heading, then a paragraph a file. A folder without programs has no heading."""
    if not (path / "__init__.py").exists():
        return ""
    place = path.relative_to(ROOT)
    return f"\n## {place}/\n\n{described(path / '__init__.py')}\n" + "".join(paragraphs(path))


def paragraphs(path: Path) -> Iterator[str]:
    for file in sorted(path.glob("*.py")):
        if file.name != "__init__.py":
            yield f"\n**{file.name}** {described(file)}\n"


def described(file: Path) -> str:
    """The file's docstring as one paragraph."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    if text is None:
        raise SystemExit(
            f"{file.relative_to(ROOT)} does not say what it is: begin with a docstring"
        )
    return " ".join(text.split())


if __name__ == "__main__":
    raise SystemExit(main())
