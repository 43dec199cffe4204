"""What the clean runs left in the database, and every later image compared with it.

Counterpart: `audit.py` asks here for the checks against the clean run. The first clean run is
recorded, the second one says what can be compared; the sequences of its database are moved on
before, so that ids taken from them differ.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from killpoint.checks.baseline import ROWS_LIMIT, BaseTable, CleanRunCheck, baseline, unmatched
from killpoint.checks.comparison import CheckOutcome
from killpoint.checks.image_comparison import comparable, compare_image, refusals
from killpoint.checks.outcome import Outcome
from killpoint.checks.row_comparison import DO
from killpoint.cli.result import REMEDY_FOLLOWS
from killpoint.faults.environment import DatabaseServer, QueryFailed
from killpoint.faults.neighbours import Neighbours, template_of
from killpoint.faults.table_image import Image

CLEAN = CheckOutcome(Outcome.CLEAN, 0, 0)
SEQUENCE_STEPS = 1000
"""How far sequences are moved on for the second clean run."""


Images = Mapping[str | None, Image]
"""The image of each database that is looked at, by its key; None is the main one."""


class CleanImages:
    """One for each stack. `keep` is due after each clean run; the second ends the recording."""

    def __init__(
        self, checks: Sequence[CleanRunCheck], database: DatabaseServer, neighbours: Neighbours
    ) -> None:
        self.checks = checks
        self._database = database
        self._neighbours = neighbours
        self._keys = tuple(dict.fromkeys(check.database for check in checks))
        self._before: Images = {}
        self._first: Images | None = None
        self._latest: Images | None = None
        self._tables: list[tuple[BaseTable, ...]] = []
        self._recording = bool(checks)

    async def begin(self, template: str) -> None:
        """Read what every run begins with."""
        self._before = {key: await self._image(template_of(template, key)) for key in self._keys}

    async def made(self, database: str) -> None:
        """The databases of a run have been made; those of the second clean run are prepared."""
        if self._recording and self._first is not None:
            for key in self._keys:
                beside = self._neighbours.of(database, key)
                await self._database.advance_sequences(beside, SEQUENCE_STEPS)

    async def audit(self, database: str) -> tuple[list[CheckOutcome], bytes]:
        """What each check finds, and a digest of what was read while recording, else b""."""
        if not self.checks:
            return [], b""
        try:
            images = {
                key: await self._image(self._neighbours.of(database, key), key)
                for key in self._keys
            }
        except QueryFailed as error:
            reason = f"the tables could not be read: {error}{REMEDY_FOLLOWS}{DO}"
            return [CheckOutcome.failed(reason) for _ in self.checks], b""
        if not self._recording:
            pairs = zip(self.checks, self._tables, strict=True)
            return [_compared(tables, images[check.database]) for check, tables in pairs], b""
        self._latest = images
        return self._recorded(images), _digest(images)

    def keep(self) -> None:
        """A clean run is over, and what its last audit read is what it left."""
        if self._latest is None:
            return
        if self._first is None:
            self._first, self._latest = self._latest, None
            return
        self._tables = [self._base(check, self._latest) for check in self.checks]
        self._recording = False
        self._before, self._first, self._latest = {}, None, None

    def adopt(self, other: "CleanImages") -> None:
        """Compare with the clean runs that were made on another stack of the same subject."""
        self._tables, self._recording = other._tables, other._recording

    def tables(self) -> Iterator[tuple[CleanRunCheck, tuple[BaseTable, ...]]]:
        """What each check compares; nothing before the second clean run is over."""
        if not self._recording:
            yield from zip(self.checks, self._tables, strict=True)

    def _recorded(self, images: Images) -> list[CheckOutcome]:
        if self._first is None:
            return [_told(_misspelt(check, images[check.database])) for check in self.checks]
        tables = [self._base(check, images) for check in self.checks]
        return [_told(None if comparable(each) else _nothing(each)) for each in tables]

    def _base(self, check: CleanRunCheck, second: Images) -> tuple[BaseTable, ...]:
        assert self._first is not None, "there was no clean run"
        key = check.database
        return baseline(check, self._before[key], self._first[key], second[key])

    async def _image(self, database: str, key: str | None = None) -> Image:
        """All tables while recording, then those that are compared."""
        wanted = None
        if not self._recording:
            wanted = {
                table.name
                for check, tables in self.tables()
                for table in tables
                if check.database == key and table.refusal is None
            }
        return await self._database.image(database, wanted, ROWS_LIMIT)


def _compared(tables: tuple[BaseTable, ...], image: Image) -> CheckOutcome:
    outcome = compare_image(tables, image)
    if outcome.reason is None:
        return outcome
    return dataclasses.replace(outcome, reason=f"{outcome.reason}{REMEDY_FOLLOWS}{DO}")


def _told(reason: str | None) -> CheckOutcome:
    return CLEAN if reason is None else CheckOutcome.failed(reason)


def _misspelt(check: CleanRunCheck, image: Image) -> str | None:
    """A pattern that names nothing would silently do nothing."""
    patterns = unmatched(check, image)
    if not patterns:
        return None
    what = f'check "{check.name}": ignore names no column: {", ".join(patterns)}'
    tables = ", ".join(image) or "none"
    return f"{what}{REMEDY_FOLLOWS}mend or remove it (tables after the clean run: {tables})"


def _nothing(tables: tuple[BaseTable, ...]) -> str:
    what = f"nothing can be compared with the clean run: {refusals(tables)}"
    return f"{what}{REMEDY_FOLLOWS}write the check in SQL: expected and actual totals"


def _digest(images: Images) -> bytes:
    """The same for the same rows, whatever their order."""
    digest = blake2b(digest_size=16)
    for image in images.values():
        for name, table in sorted(image.items()):
            rows = sum(hash((row, count)) for row, count in (table.rows or {}).items())
            digest.update(f"{name} {table.count} {rows}".encode())
    return digest.digest()
