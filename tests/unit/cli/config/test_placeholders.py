"""What each placeholder stands for, with values that need quoting."""

import sys
from dataclasses import replace

import psycopg.conninfo
import pytest

from killpoint.cli.config.placeholders import (
    DESCRIPTIONS,
    PlaceholderError,
    Placeholders,
    parse_placeholders,
)
from killpoint.faults.environment import Address, Login

PLAIN = Login("127.0.0.1", 5433, "counter", "secret", "clicks")
ODD = Login("127.0.0.1", 5433, "o'brien", r"p @:/?#;\"", "a b")


def placeholders(login: Login = PLAIN) -> Placeholders:
    kafka = Address("127.0.0.1", 9093)
    orders = replace(login, database="orders")
    return Placeholders(
        kafka,
        login,
        "clicks",
        "counter-1",
        lambda name: 7000 + len(name),
        {"orders": orders},
        schema_registry="http://127.0.0.1:8081",
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{python}", sys.executable),
        ("{schema_registry}", "http://127.0.0.1:8081"),
        ("{kafka}", "127.0.0.1:9093"),
        ("{kafka_host},{kafka_port}", "127.0.0.1,9093"),
        (
            "{postgres}?schema=public",
            "postgresql://counter:secret@127.0.0.1:5433/clicks?schema=public",
        ),
        ("{postgres_host} {postgres_port}", "127.0.0.1 5433"),
        ("{postgres_user} {postgres_password} {postgres_db}", "counter secret clicks"),
        ("{postgres_jdbc}", "jdbc:postgresql://127.0.0.1:5433/clicks"),
        (
            "{postgres_jdbc_login}",
            "jdbc:postgresql://127.0.0.1:5433/clicks?user=counter&password=secret",
        ),
        (
            "postgresql+asyncpg://{postgres_address}",
            "postgresql+asyncpg://counter:secret@127.0.0.1:5433/clicks",
        ),
        ("{postgres:orders}", "postgresql://counter:secret@127.0.0.1:5433/orders"),
        (
            "{postgres_db:orders} {postgres_jdbc:orders}",
            "orders jdbc:postgresql://127.0.0.1:5433/orders",
        ),
        (
            "{postgres_npgsql}",
            "Host=127.0.0.1;Port=5433;Username=counter;Password=secret;Database=clicks",
        ),
        (
            "{postgres_dsn}",
            "host=127.0.0.1 port=5433 user=counter password=secret dbname=clicks",
        ),
        ("{topic} {group}", "clicks counter-1"),
        (":{port:http}/{port:metrics}", ":7004/7007"),
        ('{{"a": "{topic}"}}', '{"a": "clicks"}'),
        ("", ""),
    ],
)
def test_filled(text: str, filled: str) -> None:
    assert placeholders().fill(text) == filled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{kafak}", "has the unknown placeholder {kafak}"),
        ("{}", "has the unknown placeholder {}"),
        ("{kafka!r}", "has the unknown placeholder {kafka!r}"),
        ("{kafka:5}", "has the unknown placeholder {kafka:5}"),
        ("{kafka.host}", "has the unknown placeholder {kafka.host}"),
        ("{kafka_host:orders}", "has the unknown placeholder {kafka_host:orders}"),
        ("{port}", "{port} needs a name of letters and digits"),
        ("{port:}", "{port} needs a name of letters and digits"),
        ("{port:{topic}}", "{port:{topic}} needs a name of letters and digits"),
        ("{port:NAME }", "{port:NAME } needs a name of letters and digits"),
        ("{", "has a single brace in '{'"),
        ("a}b", "has a single brace in 'a}b'"),
        ("{topic", "has a single brace in '{topic'"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(PlaceholderError) as caught:
        parse_placeholders(text)
    assert str(caught.value) == message


def test_every_description_can_be_filled() -> None:
    for name in DESCRIPTIONS:
        assert placeholders().fill(f"{{{name}}}".replace("KEY", "orders"))


@pytest.mark.parametrize("form", ["{postgres}", "{postgres_dsn}"])
def test_libpq_reads_back_what_was_quoted(form: str) -> None:
    read = psycopg.conninfo.conninfo_to_dict(placeholders(ODD).fill(form))
    assert read == {
        "host": ODD.host,
        "port": str(ODD.port),
        "user": ODD.user,
        "password": ODD.password,
        "dbname": ODD.database,
    }


def test_a_password_with_separators_stays_one_value_for_npgsql() -> None:
    login = Login("h", 1, "u", 'a;b="c"', "d")
    filled = placeholders(login).fill("{postgres_npgsql}")
    assert filled == 'Host=h;Port=1;Username=u;Password="a;b=""c""";Database=d'


def test_the_variables_that_are_always_given() -> None:
    assert placeholders().environment() == {
        "KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9093",
        "DATABASE_URL": "postgresql://counter:secret@127.0.0.1:5433/clicks",
        "PGHOST": "127.0.0.1",
        "PGPORT": "5433",
        "PGUSER": "counter",
        "PGPASSWORD": "secret",
        "PGDATABASE": "clicks",
        "KILLPOINT_TOPIC": "clicks",
        "KILLPOINT_GROUP": "counter-1",
    }


def test_a_mapping_is_filled_value_by_value() -> None:
    filled = placeholders().fill_all({"{topic}": "{topic}", "B": "3"})
    assert filled == {"{topic}": "clicks", "B": "3"}
