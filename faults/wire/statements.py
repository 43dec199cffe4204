"""What a SQL text asks for: transaction control, a write and its tables, or nothing of interest.

Counterpart: `statement_tree` reads Postgres's own parse tree, `statement_scan` the tokens of what
is too long or does not parse; the Postgres machine asks here and nowhere else. Nothing is known of
names in a database: a view with a rule, a trigger or a function that writes behind a SELECT is not
seen, unless the function is named in `writing_functions`.
"""

from functools import lru_cache
from typing import Final

from killpoint.faults.wire.statement import Statement
from killpoint.faults.wire.statement_scan import scanned
from killpoint.faults.wire.statement_tree import parsed

PARSE_LIMIT: Final = 8 * 1024
"""Characters that are parsed in full. The tree is walked by recursion in C without a bound: a chain
of 8,000 operators (16 KB) overflows a stack of 2 MiB and ends the process. Scanning is flat."""
CACHE_LIMIT: Final = 2 * 1024
"""Characters of a text that is kept with its meaning: longer ones seldom come twice."""


def classify(sql: str, writing_functions: frozenset[str] = frozenset()) -> tuple[Statement, ...]:
    """The statements of a text, in order; never raises, whatever the text is.

    A function is matched by its name or its dotted name, lower case. Parsing takes 8 µs (BEGIN) to
    50 µs (an upsert); a text that came before costs a look-up.
    """
    if len(sql) > CACHE_LIMIT:
        return _classify(sql, writing_functions)
    return _remembered(sql, writing_functions)


@lru_cache(maxsize=4096)
def _remembered(sql: str, writing_functions: frozenset[str]) -> tuple[Statement, ...]:
    return _classify(sql, writing_functions)


def _classify(sql: str, writing_functions: frozenset[str]) -> tuple[Statement, ...]:
    statements = parsed(sql, writing_functions) if len(sql) <= PARSE_LIMIT else None
    return scanned(sql, writing_functions) if statements is None else statements
