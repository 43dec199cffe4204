"""A user's project in a folder of its own, and `killpoint` run on it as a user would.

The one place where system tests start the command: what it printed, its JSON held to the schema,
and proof that it has left no process and no folder behind.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from tests.support.schema import assert_is_result

KILLPOINT: Final = Path(sys.executable).with_name("killpoint")
TARGETS: Final = Path(__file__).parent.parent / "system" / "targets"
LIMIT_SECONDS: Final = 280
EMBEDDED: Final = {"KILLPOINT_STACK": "embedded"}
"""Whatever this machine has: a test that means another stack says so."""

SCHEMA: Final = "create table click_counts (code text primary key, clicks bigint not null);\n"
CLICKS: Final = {
    "name": "clicks per link",
    "expected": "select value->>'code', count(*) from events group by 1",
    "actual": "select code, clicks from click_counts",
}
VALUE: Final = '{"code": "link-{{ i }}"}'


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended. `stdout` and `stderr` as they were printed."""

    code: int
    stdout: str
    stderr: str
    json: Any = None

    @property
    def words(self) -> str:
        """All that was printed as one line: where lines were folded does not matter."""
        return " ".join(f"{self.stdout}\n{self.stderr}".split())

    @property
    def last_line(self) -> str:
        """The last line on whichever stream the result or the error went to."""
        lines = (self.stdout.strip() or self.stderr.strip()).splitlines()
        return lines[-1] if lines else ""


@dataclass(slots=True)
class Project:
    """`folder` is the user's; killpoint's own temporary files go to a short folder beside it."""

    folder: Path
    tables: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        if not self.tables:
            self.tables = {
                "target": {"command": ["{python}", "counter.py"], "start_timeout": "10s"},
                "source": [{"topic": "clicks", "generate": {"count": 6, "value": VALUE}}],
                "database": {"schema": "schema.sql"},
                "check": [dict(CLICKS)],
                "run": {"drain_timeout": "10s"},
            }
            self.write("schema.sql", SCHEMA)

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def copy(self, name: str) -> None:
        """Put one of tests/system/targets into the project."""
        self.write(f"{name}.py", (TARGETS / f"{name}.py").read_text(encoding="utf-8"))

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change keys of a table, or of the first of an array; a list stands for a whole array."""
        for name, keys in changes.items():
            if isinstance(keys, list):
                self.tables[name] = keys
                continue
            table = self.tables.setdefault(name, {})
            first = cast("dict[str, Any]", table[0] if isinstance(table, list) else table)
            first.update(keys)

    def configure(self) -> None:
        """Write the tables as killpoint.toml."""
        self.write("killpoint.toml", toml(self.tables))

    def run(self, *words: str, variables: Mapping[str, str] | None = None) -> Ran:
        """Run `killpoint` with these words; the configuration is written as it stands."""
        if self.tables:
            self.configure()
        return killpoint(self.folder, *words, variables=variables)

    def judged(self, *words: str, variables: Mapping[str, str] | None = None) -> Ran:
        """The same with `--json` to a file: a result that the schema allows."""
        file = self.folder / "result.json"
        ran = self.run(*words, "--json", str(file), variables=variables)
        assert file.exists(), f"no result: exit {ran.code}\n{ran.stdout}\n{ran.stderr}"
        data = json.loads(file.read_text(encoding="utf-8"))
        assert_is_result(data)
        return Ran(ran.code, ran.stdout, ran.stderr, data)


def killpoint(
    folder: Path,
    *words: str,
    variables: Mapping[str, str] | None = None,
    under: tuple[str, ...] = (),
) -> Ran:
    """Run the command in a folder; raises AssertionError if anything is left of it.

    `under`: a program that starts it, such as one that takes rights away.
    """
    # Unix sockets want a short path, which pytest's folders are not.
    with tempfile.TemporaryDirectory(prefix="kpt") as temporary:
        Path(temporary).chmod(0o711)  # of root, the servers of another user must enter it
        environment = {**os.environ, **EMBEDDED, **(variables or {}), "TMPDIR": temporary}
        done = subprocess.run(
            [*under, str(KILLPOINT), *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert processes_of(temporary) == []
        assert [path.name for path in Path(temporary).iterdir()] == []
    return Ran(done.returncode, done.stdout, done.stderr)


def processes_of(temporary: str) -> list[str]:
    """What still runs with that temporary folder, or with a mark of a run in it."""
    marks = (f"TMPDIR={temporary}\0", f"KILLPOINT_RUN={temporary}/")
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes().decode(errors="replace")
            command = (process / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it has ended, or is another user's
        if any(mark in f"{environment}\0" for mark in marks):
            found.append(f"{process.name} {command}".replace("\0", " "))
    return found


def toml(tables: Mapping[str, Any]) -> str:
    """Tables, and arrays of them, as TOML; what is deeper is written inline."""
    lines: list[str] = []
    for name, table in tables.items():
        many = isinstance(table, list)
        rows = cast("list[dict[str, Any]]", table if many else [table])
        for row in rows:
            lines += ["", f"[[{name}]]" if many else f"[{name}]"]
            lines += [f"{key} = {_inline(value)}" for key, value in row.items()]
    return "\n".join(lines).lstrip() + "\n"


def _inline(value: object) -> str:
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return "{ " + ", ".join(f"{key} = {_inline(item)}" for key, item in pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in cast("list[object]", value)) + "]"
    # Strings, numbers and truth values are written alike in JSON and TOML.
    return json.dumps(value)
