"""Queries and the files that hold them."""

from pathlib import Path

from killpoint.cli.config.query import query_file, query_text


def test_one_word_that_ends_in_sql_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("select 1")
    assert query_file(" a.sql\n", tmp_path) == tmp_path / "a.sql"
    assert query_text("a.sql", tmp_path) == "select 1"


def test_anything_else_is_the_query(tmp_path: Path) -> None:
    text = "select * from read_csv('x') -- like a.sql"
    assert query_file(text, tmp_path) is None
    assert query_text(text, tmp_path) == text
