"""`[[scenario]]`: faults of the user's own choice, in order."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, PlainValidator, model_validator

from killpoint.cli.config.table import Table, Text
from killpoint.faults.moment import Moment
from killpoint.faults.moment_parser import parse_moment
from killpoint.faults.scenario import Fault, Scenario

Action = Literal["kill", "terminate", "overtake"]
NO_OVERTAKING: Final = "{at} can't be overtaken: overtake holds the work, at a moment of postgres"


def _moment(text: object) -> Moment:
    if not isinstance(text, str):
        raise ValueError('must be the name of a moment such as "postgres.commit#2:after"')
    return parse_moment(text)


class FaultTable(Table):
    """What is done at which moment."""

    at: Annotated[Moment, PlainValidator(_moment, json_schema_input_type=str)] = Field(
        description="the moment's name, as killpoint points prints it",
        examples=['"postgres.commit#2:after"'],
    )
    action: Action = Field(
        description="what is done there: SIGKILL; SIGTERM and a grace; or SIGKILL once an offset "
        "has passed what is held, as a timer saves it (overtake, at a moment of postgres)",
        examples=['"kill"'],
    )

    @model_validator(mode="after")
    def _feasible(self) -> Self:
        if not self.as_fault().feasible:
            raise ValueError(NO_OVERTAKING.format(at=self.at))
        return self

    def as_fault(self) -> Fault:
        """The same as data of `faults`."""
        return Fault(self.at, self.action)


class ScenarioTable(Table):
    """A later fault is met after the restart that the earlier one caused."""

    name: Text | None = Field(
        default=None, description="for the report", examples=['"deploy in the middle"']
    )
    faults: Annotated[tuple[FaultTable, ...], Field(min_length=1)] = Field(
        description="moment and action, in order",
        examples=['[ { at = "postgres.commit#2:after", action = "kill" } ]'],
    )

    def as_scenario(self, id: str) -> Scenario:
        """The same as data of `faults`; named by the user, so required."""
        faults = tuple(fault.as_fault() for fault in self.faults)
        return Scenario(id, faults, self.name, required=True)
