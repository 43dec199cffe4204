"""Postgres's parser and scanner: trees, texts, tokens, and one kind of error."""

import pytest

from killpoint.faults.wire import sql_parser
from killpoint.faults.wire.sql_parser import SqlError


def test_parse() -> None:
    (statement,) = sql_parser.parse("begin")
    assert statement.WhichOneof("node") == "transaction_stmt"
    assert sql_parser.transaction_kind(statement.transaction_stmt) == "TRANS_STMT_BEGIN"


def test_split_knows_quotes() -> None:
    assert sql_parser.split("select $$;$$; commit") == ["select $$;$$", " commit"]


def test_tokens_leave_comments_out() -> None:
    assert sql_parser.tokens("é /* x */ = $1 -- y") == ["é", "=", "$1"]


def test_relations_and_functions() -> None:
    (truncate,) = sql_parser.parse("truncate a")
    (index,) = sql_parser.parse("create index on a (f(x), app.g(x))")
    assert not sql_parser.has_relation(truncate.truncate_stmt)
    assert sql_parser.has_relation(index.index_stmt)
    assert sql_parser.called_functions(index) == ["f", "app.g"]


@pytest.mark.parametrize("sql", ["select '", "select \ud800", "select " + "1+" * 1000 + "1"])
def test_one_kind_of_error(sql: str) -> None:
    with pytest.raises(SqlError):
        sql_parser.parse(sql)


def test_an_error_tells_how_far_the_text_is_sound() -> None:
    with pytest.raises(SqlError) as caught:
        sql_parser.tokens("é 'never closed")
    assert caught.value.sound == len("é ")
