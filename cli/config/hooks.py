"""`[hooks]`: programs around each scenario, such as the reset of a system beside Postgres."""

from pydantic import Field

from killpoint.cli.config.table import Table
from killpoint.cli.config.target import Command


class HooksTable(Table):
    """Run with the direct addresses; one that fails makes its scenario inconclusive."""

    before_scenario: Command | None = Field(
        default=None,
        description="before the target's first start in each clean run and scenario",
        examples=['["redis-cli", "flushall"]'],
    )
    after_scenario: Command | None = Field(
        default=None,
        description="after its last end, while the database is still there",
        examples=['["{python}", "collect.py"]'],
    )
