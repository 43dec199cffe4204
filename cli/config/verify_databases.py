"""Several databases of the configuration: keys that can be written, names that differ, checks.

Counterpart: `verify_commands` looks at the placeholders that name them.
"""

import re
from collections.abc import Iterator
from typing import Final

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.database import TARGET
from killpoint.cli.config.document import Document
from killpoint.cli.config.problem import Problem, did_you_mean, do

_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,15}")


def verify_databases(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of `[databases.KEY]` and of the checks that name one."""
    seen = {configuration.database.name: "[database]"} if configuration.database.name else {}
    for key, table in configuration.databases.items():
        if _KEY.fullmatch(key) is None:
            remedy = do("write small letters, digits or _, at most 16:  [databases.orders]")
            yield document.problem(("databases", key), "cannot be a key", remedy)
        if table.migrate == TARGET:
            what = 'is "target", but one start of it makes the tables of all databases'
            remedy = do('write  migrate = "target"  in [database], and nothing here')
            yield document.problem(("databases", key, "migrate"), what, remedy)
        if table.name in seen:
            what = f'has the name of {seen[table.name]}, "{table.name}"'
            remedy = do("leave one of the tables out, or give each a name of its own")
            yield document.problem(("databases", key, "name"), what, remedy)
        elif table.name is not None:
            seen[table.name] = f"[databases.{key}]"
    known = list(configuration.databases)
    for index, check in enumerate(configuration.check):
        if check.database is not None and check.database not in known:
            otherwise = do(f"add  [databases.{check.database}], or leave this key out")
            what = f'names no database: "{check.database}"'
            hint = did_you_mean(check.database, known, otherwise)
            yield document.problem(("check", index, "database"), what, hint)
