"""The base of the models: a table of the file, which knows its keys and takes no others."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1)]
"""A string that is not empty."""


class Table(BaseModel):
    """Frozen; unknown keys are errors, because a misspelt key would silently do nothing."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def tables(cls) -> Mapping[str, "type[Table]"]:
        """The keys that hold a table or an array of tables, with its model."""
        found = ((key, table_in(field.annotation)) for key, field in cls.keys().items())
        return {key: table for key, table in found if table is not None}

    @classmethod
    def keys(cls) -> Mapping[str, Any]:
        """The keys as the file spells them, with pydantic's description of each field."""
        return {field.alias or name: field for name, field in cls.model_fields.items()}


def table_in(annotation: Any) -> type[Table] | None:
    """The model inside `X | None`, `tuple[X, ...]` and the like."""
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    inner = (table_in(argument) for argument in get_args(annotation))
    return next((table for table in inner if table is not None), None)
