"""From a path to a configuration that can be run, or to everything that is wrong with it."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from killpoint.checks.check import Check
from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import Document, read_document
from killpoint.cli.config.explain import explain
from killpoint.cli.config.find import find_configuration
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.config.verify_commands import verify_commands
from killpoint.cli.config.verify_databases import verify_databases
from killpoint.cli.config.verify_files import verify_files
from killpoint.cli.config.verify_sql import check_of, verify_sql


@dataclass(frozen=True, slots=True)
class Project:
    """A configuration and the file that it came from; nothing has been started."""

    file: Path
    configuration: Configuration
    checks: tuple[Check, ...]

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
        *verify_sql(configuration, document),
    ]
    if problems:
        raise ConfigError(problems)
    checks = tuple(check_of(table, document.folder) for table in configuration.check)
    return Project(document.file, configuration, checks)


def read_configuration(document: Document) -> Configuration:
    """The models alone, without a look at files, programs or SQL. Raises ConfigError."""
    try:
        return Configuration.model_validate(document.data)
    except ValidationError as error:
        raise ConfigError(explain(error, document)) from error
