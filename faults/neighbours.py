"""The databases beside the main one: which there are, and what each is called in one run.

Counterpart: `[databases.KEY]` of the configuration. One that has no name of its own is called after
the main one, so that the runs of several lanes never share any.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Neighbours:
    """By key: the name that a target has built in; None: any will do."""

    names: Mapping[str, str | None] = field(default_factory=dict[str, str | None])

    def of(self, database: str, key: str | None) -> str:
        """The name of one beside a main `database`; without a key that of the main one itself."""
        if key is None:
            return database
        return self.names[key] or f"{database}_{key}"

    def all(self, database: str) -> list[str]:
        """The main database and everything beside it."""
        return [database, *(self.of(database, key) for key in self.names)]

    def copies(self, database: str, template: str) -> list[tuple[str, str]]:
        """Each database of a run, and the template that it is a copy of."""
        beside = ((self.of(database, key), template_of(template, key)) for key in self.names)
        return [(database, template), *beside]


def template_of(template: str, key: str | None) -> str:
    """The template of one beside the main database: never a name that a target has built in."""
    return template if key is None else f"{template}_{key}"
