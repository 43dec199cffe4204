"""Which placeholder a variable wants, by its value where it has one, else by its name.

Counterpart: drafts of targets that are told addresses; services of a compose file keep theirs.
"""

import re
from collections.abc import Mapping
from typing import Final

from killpoint.cli.guess.draft import Guess

_BY_VALUE: Final = (
    (r"jdbc:postgresql://", "{postgres_jdbc}", "a JDBC address"),
    (r"postgres(ql)?\+\w+://", "", "an address of Postgres with its driver"),
    (r"postgres(ql)?://", "{postgres}", "an address of Postgres"),
    (r"(?i)(host|server)=[^;]*;", "{postgres_npgsql}", "a connection string of .NET"),
    (r"host=\S+ .*dbname=", "{postgres_dsn}", "a connection string of libpq"),
)
_KAFKA: Final = re.compile(r"(?i)kafka|bootstrap|broker|redpanda")
_SERVERS: Final = re.compile(r"(?i)(servers?|brokers?|bootstrap\w*|addr\w*|url|hosts?|kafka)$")
_POSTGRES: Final = re.compile(r"(?i)^(pg|db|.*(postgres|database|datasource|sql))")
_PARTS: Final = (
    (r"(?i)(host|server|addr(ess)?)(name)?$", "{postgres_host}", "its host"),
    (r"(?i)port$", "{postgres_port}", "its port"),
    (r"(?i)user(name)?$", "{postgres_user}", "its user"),
    (r"(?i)pass(word|wd)?$", "{postgres_password}", "its password"),
    (r"(?i)jdbc_?url$|datasource_?(jdbc_?)?url$", "{postgres_jdbc}", "a JDBC address"),
    (r"(?i)(url|uri|dsn)$", "{postgres}", "an address of Postgres"),
    (r"(?i)(name|database|db)$", "{postgres_db}", "its database"),
)


_NOT_READ: Final = re.compile(r"(?i)storage|config|status|out|dlq|dead|retry|result|produc|sink")


def placeholders_for(variables: Mapping[str, str]) -> dict[str, Guess]:
    """The variables that name Kafka or Postgres, with what killpoint should put there."""
    found = {name: guess_for(name, value) for name, value in variables.items()}
    return {name: guess for name, guess in found.items() if guess is not None}


def guess_for(name: str, value: str) -> Guess | None:
    """The placeholder of one variable; None if it is of neither."""
    for pattern, placeholder, reason in _BY_VALUE:
        if re.match(pattern, value):
            scheme, _, _ = value.partition("://")
            return Guess(placeholder or f"{scheme}://{{postgres_address}}", reason)
    if _KAFKA.search(name) and _SERVERS.search(name):
        return Guess("{kafka}", "its name is that of a broker's address")
    if _POSTGRES.match(name):
        for pattern, placeholder, reason in _PARTS:
            if re.search(pattern, name):
                return Guess(placeholder, f"by its name {reason}")
    return None


def named(variables: Mapping[str, str], word: str) -> Guess | None:
    """The value of the first variable whose name has a word, such as TOPIC or GROUP."""
    for name, value in variables.items():
        if _NOT_READ.search(name):
            continue
        if word in re.split(r"[^A-Z]+", name.upper().replace("TOPICS", "TOPIC")) and value:
            first = re.split(r"[,; ]", value.strip())[0]
            if re.fullmatch(r"[\w.-]+", first):
                return Guess(first, f"from {name}")
    return None
