"""Expected totals by a program of the user's: the events go in, rows come out, both as NDJSON.

Counterpart: `[[check]] expected_command`; `checks.check` runs queries instead. The last name of a
row is the number compared, the others are the key, as with a query.
"""

import json
from decimal import Decimal
from typing import Any, cast

from killpoint.checks.check import Check
from killpoint.checks.ledger import Ledger
from killpoint.checks.totals import Totals, TotalsError
from killpoint.cli.errors import UserError
from killpoint.cli.session.subject import Subject
from killpoint.compose.program import ProgramFailed, run_filter
from killpoint.faults.environment import Environment

SHOWN_CHARACTERS = 80


class ExpectedPrograms:
    """Runs the programs of one subject; they get killpoint's own addresses, past the proxies."""

    def __init__(self, subject: Subject, environment: Environment) -> None:
        self._subject = subject
        self._environment = environment

    async def totals(self, check: Check, ledger: Ledger) -> Totals:
        """The totals that the program expects of the ledger. Raises UserError if it fails."""
        login = self._environment.database.login("postgres")
        direct = self._environment.broker.direct
        launch = self._subject.launch(check.command, direct, login, "killpoint-expected")
        try:
            folder, events = self._subject.folder, ledger.lines()
            output = await run_filter(launch.command, launch.environment, folder, events)
            return read_totals(output)
        except (ProgramFailed, TotalsError) as error:
            what = f'[[check]] expected_command of "{check.name}" failed'
            remedy = (
                f"run it by hand, an event as a JSON object a line:  {' '.join(launch.command)}"
            )
            raise UserError(what, str(error), remedy) from error


def read_totals(output: bytes) -> Totals:
    """Rows as NDJSON, read as the rows of a query. Raises TotalsError."""
    lines = enumerate(output.splitlines(), 1)
    rows = [_row(line, number) for number, line in lines if line.strip()]
    if not rows:
        raise TotalsError("it wrote no rows on standard output: one JSON object a line is wanted")
    names = [*rows[0]]
    for row in rows:
        if sorted(row) != sorted(names):
            raise TotalsError(f"its rows have different names: {names} and {[*row]}")
    return Totals.of(names, ([row[name] for name in names] for row in rows))


def _row(line: bytes, number: int) -> dict[str, Any]:
    shown = line.decode(errors="replace").strip()[:SHOWN_CHARACTERS]
    try:
        row: object = json.loads(line, parse_float=Decimal)
    except ValueError as error:
        raise TotalsError(f"line {number} of its output is not JSON: {shown}") from error
    if not isinstance(row, dict):
        raise TotalsError(f"line {number} of its output is no JSON object: {shown}")
    return cast(dict[str, Any], row)
