"""`[[check]]`: what is compared after each run.

Expected totals, a query over the events or a program, with actual ones, a query over the database;
or the database's tables with what the clean run left in them.
"""

from typing import Any, Literal, Self, cast

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails

from killpoint.cli.config.table import Table, Text
from killpoint.cli.config.target import Command

AGAINST = "against the clean run"
_TOTALS = ("expected", "expected_command", "actual")


class CheckTable(Table):
    """The last column of both queries is the number compared, the others are the key."""

    name: Text = Field(
        default=AGAINST,
        description="what is counted, for the report; needed unless against is given",
        examples=['"clicks per link"'],
    )
    expected: Text | None = Field(
        default=None,
        description="DuckDB SQL over the table events, or a .sql file; the last column counts",
        examples=["\"select value->>'code', count(*) from events group by 1\""],
    )
    expected_command: Command | None = Field(
        default=None,
        description="or a program: the events come in, rows go out, one JSON object a line each",
        examples=['["{python}", "expected.py"]'],
    )
    actual: Text | None = Field(
        default=None,
        description="SQL on the target's database, or a .sql file; the last column counts",
        examples=['"select code, clicks from click_counts"'],
    )
    database: Text | None = Field(
        default=None,
        description="which of [databases] is asked; absent: the main one",
        examples=['"orders"'],
    )
    against: Literal["clean run"] | None = Field(
        default=None,
        description="instead: compare tables with what the clean run left; without any check too",
        examples=['"clean run"'],
    )
    named_tables: tuple[Text, ...] = Field(
        default=(),
        alias="tables",
        description="with against: these tables; otherwise those that the clean run changed",
        examples=['["click_counts", "shop.orders"]'],
    )
    ignore: tuple[Text, ...] = Field(
        default=(),
        description="with against: columns that may differ, of all tables or of one",
        examples=['["id", "created_on", "*.modified_on", "click_counts.last_seen"]'],
    )

    @model_validator(mode="wrap")
    @classmethod
    def _with_its_keys(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """The keys that its kind needs, missed in the same breath as all else that is wrong."""
        missing = [_missing(key, data) for key in _missing_keys(data)]
        try:
            table = handler(data)
        except ValidationError as error:
            found = [_again(details) for details in error.errors()]
            raise ValidationError.from_exception_data("check", [*found, *missing]) from None
        if missing:
            raise ValidationError.from_exception_data("check", missing)
        return table

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        totals = [key for key in _TOTALS if getattr(self, key) is not None]
        if self.against is not None and totals:
            raise ValueError(f"has against and {totals[0]}: it is of one kind or the other")
        if self.expected is not None and self.expected_command is not None:
            raise ValueError("has expected and expected_command: what is expected is one of them")
        if self.against is None and (self.named_tables or self.ignore):
            key = "tables" if self.named_tables else "ignore"
            raise ValueError(f'has {key}, which goes with  against = "clean run"')
        return self


def _missing_keys(data: Any) -> list[str]:
    if not isinstance(data, dict) or "against" in data:
        return []
    given = cast(dict[str, Any], data)
    origin = "expected_command" if "expected_command" in given else "expected"
    return [key for key in ("name", origin, "actual") if key not in given]


def _missing(key: str, data: Any) -> InitErrorDetails:
    return {"type": "missing", "loc": (key,), "input": data}


def _again(details: ErrorDetails) -> InitErrorDetails:
    place, given, context = details["loc"], details["input"], details.get("ctx", {})
    return {"type": details["type"], "loc": place, "input": given, "ctx": context}
