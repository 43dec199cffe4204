"""Files that the configuration names: that they are there, and that the events in them are events.

The events of templates are made once, so that a template that fails does so before anything starts.
"""

from collections.abc import Iterator

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.database import OriginTable
from killpoint.cli.config.document import Document
from killpoint.cli.config.locator import Place
from killpoint.cli.config.problem import ConfigError, Problem, do, why
from killpoint.cli.events.generated import GenerateError
from killpoint.cli.events.origin import events_of


def verify_files(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of files and templates."""
    yield from _unbuildable(configuration.target.build, document)
    yield from _of_database(configuration.database, ("database",), document)
    for key, table in configuration.databases.items():
        yield from _of_database(table, ("databases", key), document)
    for index, source in enumerate(configuration.source):
        place: Place = ("source", index)
        missing = list(_missing(source.events, (*place, "events"), document))
        yield from missing
        if missing:
            continue
        try:
            events_of(source, document.folder, seed="")
        except ConfigError as error:
            yield from error.problems
        except GenerateError as error:
            inner = tuple(error.key.split(".", 1))
            remedy = do("mend the template: it knows i, uuid(i) and amount")
            yield document.problem(
                (*place, "generate", *inner), "is a template that fails", why(str(error)), remedy
            )


def _of_database(table: OriginTable, place: Place, document: Document) -> Iterator[Problem]:
    yield from _missing(table.schema_file, (*place, "schema"), document)
    for index, name in enumerate(table.seed):
        yield from _missing(name, (*place, "seed", index), document)


def _missing(name: str | None, place: Place, document: Document) -> Iterator[Problem]:
    if name is None or (document.folder / name).is_file():
        return
    what = f'names a file that does not exist: "{name}"'
    remedy = do(f"write {(document.folder / name).absolute()}, or mend the name")
    yield document.problem(place, what, remedy)


def _unbuildable(name: str | None, document: Document) -> Iterator[Problem]:
    if name is None or (document.folder / name / "Dockerfile").is_file():
        return
    what = f'names a folder without a Dockerfile: "{name}"'
    remedy = do(f"write {(document.folder / name / 'Dockerfile').absolute()}, or mend the name")
    yield document.problem(("target", "build"), what, remedy)
