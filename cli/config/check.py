"""`[[check]]`: expected totals, a query over the events, and actual ones, over the database."""

from pydantic import Field

from killpoint.cli.config.table import Table, Text


class CheckTable(Table):
    """The last column of both queries is the number compared, the others are the key."""

    name: Text = Field(
        description="what is counted, for the report", examples=['"clicks per link"']
    )
    expected: Text = Field(
        description="DuckDB SQL over the table events, or a .sql file; the last column counts",
        examples=["\"select value->>'code', count(*) from events group by 1\""],
    )
    actual: Text = Field(
        description="SQL on the target's database, or a .sql file; the last column counts",
        examples=['"select code, clicks from click_counts"'],
    )
    database: Text | None = Field(
        default=None,
        description="which of [databases] is asked; absent: the main one",
        examples=['"orders"'],
    )
