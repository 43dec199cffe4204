"""From a path to a configuration that can be run, or to everything that is wrong with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.check import Check
from killpoint.cli.config.check import CheckTable
from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import Document, read_document
from killpoint.cli.config.explain import explain
from killpoint.cli.config.find import find_configuration
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.config.verify_commands import verify_commands
from killpoint.cli.config.verify_databases import verify_databases
from killpoint.cli.config.verify_files import verify_files
from killpoint.cli.config.verify_replicas import verify_replicas
from killpoint.cli.config.verify_sql import check_of, verify_sql


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration and the file that it came from; nothing has been started."""

    file: Path
    configuration: Configuration
    checks: tuple[Check, ...]
    against: tuple[CleanRunCheck, ...] = ()

    @property
    def folder(self) -> Path:
        """Where relative paths start and the target runs."""
        return self.file.parent


def load_project(given: Path | None = None) -> Project:
    """Find, read and verify a configuration. Raises ConfigError with every problem found."""
    document = read_document(find_configuration(given))
    configuration = read_configuration(document)
    problems = [
        *verify_commands(configuration, document),
        *verify_files(configuration, document),
        *verify_databases(configuration, document),
        *verify_replicas(configuration, document),
        *verify_sql(configuration, document),
    ]
    if problems:
        raise ConfigError(problems)
    totals = [table for table in configuration.check if table.against is None]
    checks = tuple(check_of(table, document.folder) for table in totals)
    return Project(document.file, configuration, checks, tuple(_against(configuration)))


def _against(configuration: Configuration) -> Iterator[CleanRunCheck]:
    """The checks against the clean run: those of the file; without any check of all databases."""
    tables = [table for table in configuration.check if table.against is not None]
    left_out = frozenset(map(str.lower, configuration.moments.ignore_tables))
    if not configuration.check:
        keys = (None, *configuration.databases)
        tables = [CheckTable(against="clean run", database=key) for key in keys]
    for table in tables:
        yield CleanRunCheck(table.name, table.named_tables, table.ignore, left_out, table.database)


def read_configuration(document: Document) -> Configuration:
    """The models alone, without a look at files, programs or SQL. Raises ConfigError."""
    try:
        return Configuration.model_validate(document.data)
    except ValidationError as error:
        raise ConfigError(explain(error, document)) from error
