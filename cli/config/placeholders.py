"""Placeholders in `env`, `command`, `migrate` and `produce`: `{kafka}`, `{port:metrics}`, `{{`.

Counterpart: the session fills them anew for each start of the target with the addresses of its
lane, and for the user's other programs with the direct ones. Templates of events are not these:
they are Jinja (`cli/events`).
"""

import string
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from killpoint.faults.environment import Address, Login

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "python": "the Python interpreter that runs killpoint",
    "kafka": "host:port of Kafka",
    "kafka_host": "its host",
    "kafka_port": "its port",
    "postgres": "postgresql://user:password@host:port/db",
    "postgres_host": "host of Postgres",
    "postgres_port": "its port",
    "postgres_user": "the user",
    "postgres_password": "the password",
    "postgres_db": "the database",
    "postgres_jdbc": "jdbc:postgresql://host:port/db, without user and password",
    "postgres_jdbc_login": "the same with them: …/db?user=…&password=…",
    "postgres_address": "user:password@host:port/db: postgresql+asyncpg://{postgres_address}",
    "postgres_npgsql": "Host=…;Port=…;Username=…;Password=…;Database=…",
    "postgres_dsn": "host=… port=… user=… password=… dbname=… (libpq)",
    "postgres:KEY": "of a database of [databases], as all of the above: {postgres_db:KEY}",
    "schema_registry": "http://host:port of a schema registry with the schemas of the sources",
    "topic": "the topic of the first source",
    "group": "group of [target], else a new name for each scenario",
    "file:PATH": "where a file of [target] files is",
    "port:NAME": "a free port, a new one for each start",
}
"""Every placeholder, with what it stands for."""

PORT: Final = "port"
FILE: Final = "file"
_OF_DATABASES: Final = frozenset(
    name for name in DESCRIPTIONS if name.startswith("postgres") and ":" not in name
)
Part = tuple[str, str | None]
"""Text, then the name of the placeholder after it: "" and "port:x" for `{port:x}`."""


class PlaceholderError(ValueError):
    """A text with a placeholder that cannot be filled; `unknown` is its name, if it has one."""

    def __init__(self, message: str, unknown: str | None = None) -> None:
        super().__init__(message)
        self.unknown = unknown


def parse_placeholders(text: str) -> list[Part]:
    """Take a text apart. Raises PlaceholderError for unknown names and single braces."""
    parts: list[Part] = []
    try:
        for literal, name, argument, conversion in string.Formatter().parse(text):
            if name is None:
                parts.append((literal, None))
            elif argument and conversion is None and _takes(name, argument):
                parts.append((literal, f"{name}:{argument}"))
            else:
                parts.append((literal, _known(name, argument, conversion)))
    except PlaceholderError:
        raise
    except ValueError as error:
        raise PlaceholderError(f"has a single brace in {text!r}") from error
    return parts


def _takes(name: str, argument: str) -> bool:
    return name in (*_OF_DATABASES, FILE) or (name == PORT and argument.isidentifier())


def _known(name: str, argument: str | None, conversion: str | None) -> str:
    inner = name + (f"!{conversion}" if conversion else "") + (f":{argument}" if argument else "")
    if name == PORT:
        raise PlaceholderError(f"{{{inner}}} needs a name of letters and digits", inner)
    if inner not in DESCRIPTIONS:
        raise PlaceholderError(f"has the unknown placeholder {{{inner}}}", inner)
    return name


@dataclass(frozen=True, slots=True)
class Placeholders:
    """What the placeholders stand for, for one start of one program.

    `port` gives a free port for a name, the same one for the same name (`FreePorts`). `databases`
    has the logins to those beside the main one. `files` is the folder of `{file:PATH}`, as the
    program sees it.
    """

    kafka: Address
    postgres: Login
    topic: str
    group: str
    port: Callable[[str], int]
    databases: Mapping[str, Login] = field(default_factory=dict[str, Login])
    files: str = ""
    schema_registry: str = ""

    def fill(self, text: str) -> str:
        """The text with its placeholders filled. Raises PlaceholderError."""
        values = self.values()
        return "".join(
            literal + ("" if name is None else self._value(name, values))
            for literal, name in parse_placeholders(text)
        )

    def fill_all(self, texts: Mapping[str, str]) -> dict[str, str]:
        """The same for the values of a mapping, such as `env`."""
        return {name: self.fill(text) for name, text in texts.items()}

    def environment(self) -> dict[str, str]:
        """The variables that every program is given, below those of `env`."""
        login = self.postgres
        return {
            "KAFKA_BOOTSTRAP_SERVERS": f"{self.kafka.host}:{self.kafka.port}",
            "DATABASE_URL": url(login),
            "PGHOST": login.host,
            "PGPORT": str(login.port),
            "PGUSER": login.user,
            "PGPASSWORD": login.password,
            "PGDATABASE": login.database,
            "KILLPOINT_TOPIC": self.topic,
            "KILLPOINT_GROUP": self.group,
        }

    def values(self) -> dict[str, str]:
        """Each placeholder's value, without the ports."""
        return {
            "python": sys.executable,
            "kafka": f"{self.kafka.host}:{self.kafka.port}",
            "kafka_host": self.kafka.host,
            "kafka_port": str(self.kafka.port),
            **login_values(self.postgres),
            "schema_registry": self.schema_registry,
            "topic": self.topic,
            "group": self.group,
        }

    def _value(self, name: str, values: Mapping[str, str]) -> str:
        kind, colon, argument = name.partition(":")
        if not colon:
            return values[name]
        if kind == FILE:
            return f"{self.files}/{argument}"
        return str(self.port(argument)) if kind == PORT else self._of_database(kind, argument)

    def _of_database(self, kind: str, key: str) -> str:
        if key not in self.databases:
            raise PlaceholderError(f"names no table [databases.{key}]", key)
        return login_values(self.databases[key])[kind]


def login_values(login: Login) -> dict[str, str]:
    """Everything that can be said of one database, by placeholder."""
    user, password, database = map(_quoted, (login.user, login.password, login.database))
    jdbc = f"jdbc:postgresql://{login.host}:{login.port}/{database}"
    return {
        "postgres": url(login),
        "postgres_host": login.host,
        "postgres_port": str(login.port),
        "postgres_user": login.user,
        "postgres_password": login.password,
        "postgres_db": login.database,
        "postgres_jdbc": jdbc,
        "postgres_jdbc_login": f"{jdbc}?user={user}&password={password}",
        "postgres_address": address(login),
        "postgres_npgsql": npgsql(login),
        "postgres_dsn": dsn(login),
    }


def url(login: Login) -> str:
    """libpq's URI form, without parameters, so that a `?` may follow it."""
    return f"postgresql://{address(login)}"


def address(login: Login) -> str:
    """What follows the scheme in URLs of that form, whatever a library calls its own."""
    user, password = _quoted(login.user), _quoted(login.password)
    return f"{user}:{password}@{login.host}:{login.port}/{_quoted(login.database)}"


def dsn(login: Login) -> str:
    """libpq's keyword form (libpq, 34.1.1.1): values in single quotes where they need them."""
    values = {
        "host": login.host,
        "port": str(login.port),
        "user": login.user,
        "password": login.password,
        "dbname": login.database,
    }
    return " ".join(f"{key}={_keyword_value(value)}" for key, value in values.items())


def npgsql(login: Login) -> str:
    """The form of .NET's DbConnectionStringBuilder: values in double quotes where needed."""
    values = {
        "Host": login.host,
        "Port": str(login.port),
        "Username": login.user,
        "Password": login.password,
        "Database": login.database,
    }
    return ";".join(f"{key}={_builder_value(value)}" for key, value in values.items())


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _keyword_value(value: str) -> str:
    if value and not any(sign.isspace() or sign in "'\\" for sign in value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _builder_value(value: str) -> str:
    if value and value == value.strip() and not any(sign in ";='\"" for sign in value):
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'
