"""Files that the configuration names: that they are there, and that the events in them are events.

The events of templates are made once, so that a template that fails does so before anything starts.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.database import OriginTable
from killpoint.cli.config.document import Document
from killpoint.cli.config.env_file import EnvFileError, read_env_file
from killpoint.cli.config.locator import Place
from killpoint.cli.config.problem import ConfigError, Problem, do, why
from killpoint.cli.config.rendering import FileTemplate, RenderError, example_places, render
from killpoint.cli.config.source import SourceTable
from killpoint.cli.config.target import FileTable
from killpoint.cli.events.generated import GenerateError
from killpoint.cli.events.origin import events_of, schema_of
from killpoint.cli.formats.choice import codec_of
from killpoint.cli.formats.codec import FormatError, value_of
from killpoint.faults.record import Record


def verify_files(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of files and templates."""
    yield from _unbuildable(configuration.target.build, document)
    yield from _env_file(configuration.target.env_file, document)
    yield from _templates(configuration, document)
    yield from _missing(configuration.target.compose, ("target", "compose"), document)
    yield from _postgres_of_nowhere(configuration, document)
    yield from _of_database(configuration.database, ("database",), document)
    for key, table in configuration.databases.items():
        yield from _of_database(table, ("databases", key), document)
    for index, source in enumerate(configuration.source):
        place: Place = ("source", index)
        missing = [
            *_missing(source.events, (*place, "events"), document),
            *_missing(source.schema_file, (*place, "schema"), document),
        ]
        yield from missing
        if missing:
            continue
        try:
            events = events_of(source, document.folder, seed="")
            yield from _unfit(source, events, place, document)
        except ConfigError as error:
            yield from error.problems
        except GenerateError as error:
            inner = tuple(error.key.split(".", 1))
            remedy = do("mend the template: it knows i, uuid(i) and amount")
            yield document.problem(
                (*place, "generate", *inner), "is a template that fails", why(str(error)), remedy
            )


def _env_file(name: str | None, document: Document) -> Iterator[Problem]:
    place: Place = ("target", "env_file")
    missing = list(_missing(name, place, document))
    yield from missing
    if name is None or missing:
        return
    try:
        read_env_file(document.folder / name)
    except EnvFileError as error:
        remedy = do("write NAME=value, the value in quotes if it has quotes or #")
        yield Problem(str(error), (remedy,), document.folder / name, error.line)
    except (OSError, UnicodeDecodeError) as error:
        yield document.problem(place, "cannot be read", why(str(error)))


def _templates(configuration: Configuration, document: Document) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, file in enumerate(configuration.target.files):
        place: Place = ("target", "files", index)
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts or str(path) in seen:
            what = "is the path of two files" if str(path) in seen else "leads out of its folder"
            remedy = do('write the name of a file, each its own:  path = "config.toml"')
            yield document.problem((*place, "path"), what, remedy)
        seen.add(str(path))
        missing = list(_missing(file.template, (*place, "template"), document))
        yield from missing or _template(file, configuration, place, document)


def _template(
    file: FileTable, configuration: Configuration, place: Place, document: Document
) -> Iterator[Problem]:
    try:
        template = template_of(file, document.folder)
        render(template, example_places([*configuration.databases]))
    except (RenderError, OSError, UnicodeDecodeError) as error:
        remedy = do("mend the template; its variables are those of  killpoint help config")
        what = f'names a template that fails: "{file.template}"'
        yield document.problem((*place, "template"), what, why(str(error)), remedy)


def template_of(file: FileTable, folder: Path) -> FileTemplate:
    """The file with its template's text. Raises OSError or UnicodeDecodeError."""
    return FileTemplate(file.path, (folder / file.template).read_text(encoding="utf-8"))


def _of_database(table: OriginTable, place: Place, document: Document) -> Iterator[Problem]:
    yield from _missing(table.schema_file, (*place, "schema"), document)
    for index, name in enumerate(table.seed):
        yield from _missing(name, (*place, "seed", index), document)


def _unfit(
    source: SourceTable, events: Sequence[Record], place: Place, document: Document
) -> Iterator[Problem]:
    """The first event whose value does not fit the schema of its source, or the schema itself."""
    schema = schema_of(source, document.folder)
    if schema is None:
        return
    try:
        codec = codec_of(schema)
    except FormatError as error:
        remedy = do(f"mend {source.schema_file}, or name another file or message")
        yield document.problem((*place, "schema"), str(error), remedy)
        return
    for number, event in enumerate(events):
        try:
            if event.value is not None:
                codec.encode(value_of(event.value))
        except FormatError as error:
            key = "events" if source.events is not None else "generate"
            remedy = do(f"mend the value, or {source.schema_file}")
            what = f"has a value, that of event {number} from 0, that {error}"
            yield document.problem((*place, key), what, remedy)
            return


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


def _postgres_of_nowhere(configuration: Configuration, document: Document) -> Iterator[Problem]:
    if configuration.stack.postgres != "compose":
        return
    place: Place = ("stack", "postgres")
    if configuration.target.compose is None:
        what = "keeps the Postgres of a compose file, but [target] has no compose"
        yield document.problem(place, what, do("leave it out, or name the file there"))
    elif configuration.run.stack == "embedded":
        what = "keeps a Postgres in a container, but [run] stack is embedded"
        yield document.problem(place, what, do('write [run] stack = "docker"'))
