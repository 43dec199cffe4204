"""`[[source]]`: a topic that the target reads, and the events that are produced into it."""

from typing import Annotated, Literal, Self

from pydantic import Field, StrictInt, model_validator

from killpoint.cli.config.table import Table, Text
from killpoint.cli.config.target import Command


class GenerateTable(Table):
    """Events made from Jinja templates. Variables: `i` from 0, `uuid(i)`, `amount`."""

    count: Annotated[StrictInt, Field(ge=1)] = Field(description="how many events", examples=["12"])
    key: str | None = Field(
        default=None,
        description="template of the key; absent: no key",
        examples=['"link-{{ i }}"'],
    )
    value: str = Field(
        description="template of the value; i from 0, uuid(i), amount: different for each event",
        examples=['\'{"code": "link-{{ i }}", "amount": {{ amount }}}\''],
    )
    headers: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="templates of the headers' values",
        examples=['{ trace = "{{ uuid(i) }}" }'],
    )


class SourceTable(Table):
    """Exactly one of `events`, `generate` and `produce` says where its events come from."""

    topic: Text = Field(description="the topic's name", examples=['"clicks"'])
    partitions: Annotated[StrictInt, Field(ge=1)] = Field(
        default=1, description="how many partitions the topic has"
    )
    group_start: Literal["committed", "none"] = Field(
        default="committed",
        description="the group's offset before the first start; none: a new group",
    )
    events: Text | None = Field(
        default=None,
        description="a file, one JSON object a line: key, value, headers, partition, timestamp; "
        "or what kcat -J prints",
        examples=['"clicks.jsonl"'],
    )
    generate: GenerateTable | None = Field(default=None, description="events made from templates")
    produce: Command | None = Field(
        default=None,
        description="a program that produces the events itself, at the direct address",
        examples=['["{python}", "produce.py"]'],
    )
    late: Annotated[StrictInt, Field(ge=0)] = Field(
        default=0,
        description="so many of the last events come later: while the target is down after the "
        "first fault, or, where none has come by then, as soon as it has done the others",
        examples=["6"],
    )

    format: Literal["avro", "protobuf", "json-schema"] | None = Field(
        default=None,
        description="of the values: encoded by a schema that {schema_registry} serves; absent: "
        "as they are",
    )
    schema_file: Text | None = Field(
        default=None,
        alias="schema",
        description="the file of that schema, for the subject TOPIC-value",
        examples=['"click.avsc"'],
    )
    message: Text | None = Field(
        default=None,
        description="the message of a .proto file; absent: its first",
        examples=['"acme.Click"'],
    )

    @model_validator(mode="after")
    def _whole_format(self) -> Self:
        if (self.format is None) != (self.schema_file is None):
            given, other = ("format", "schema") if self.format else ("schema", "format")
            raise ValueError(f"has {given} without {other}, but values are encoded by both")
        if self.message is not None and self.format != "protobuf":
            raise ValueError('has message, which is for format = "protobuf"')
        return self

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = {"events": self.events, "generate": self.generate, "produce": self.produce}
        given = [name for name, origin in origins.items() if origin is not None]
        if len(given) > 1:
            raise ValueError(f"has {' and '.join(given)}, but its events come from one of them")
        if not given:
            raise ValueError("says nothing of its events: one of events, generate, produce")
        if self.late and self.produce is not None:
            raise ValueError("has produce and late, but its program alone says when events come")
        if self.generate is not None and self.late > self.generate.count:
            raise ValueError(f"has late = {self.late}, but there are {self.generate.count} events")
        return self
