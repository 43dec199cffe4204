"""What SQL texts ask for: the same whether they are parsed or, where that works, scanned."""

import pytest

from killpoint.faults.wire.statement import OTHER, Kind, Statement
from killpoint.faults.wire.statement_scan import scanned
from killpoint.faults.wire.statements import CACHE_LIMIT, PARSE_LIMIT, classify

FUNCTIONS = frozenset({"count_click"})


def write(*tables: str, empties: bool = False, copies_in: bool = False) -> Statement:
    return Statement(Kind.WRITE, frozenset(tables), empties=empties, copies_in=copies_in)


ONE = [
    ("BEGIN", Statement(Kind.BEGIN)),
    ("start transaction isolation level serializable", Statement(Kind.BEGIN)),
    ("COMMIT WORK", Statement(Kind.COMMIT)),
    ("end", Statement(Kind.COMMIT)),
    ("commit and chain", Statement(Kind.COMMIT, chain=True)),
    ("commit and no chain", Statement(Kind.COMMIT)),
    ("rollback", Statement(Kind.ROLLBACK)),
    ("abort", Statement(Kind.ROLLBACK)),
    ("savepoint a", Statement(Kind.SAVEPOINT)),
    ("release savepoint a", Statement(Kind.RELEASE)),
    ("rollback work to savepoint a", Statement(Kind.ROLLBACK_TO)),
    ("prepare transaction 'x'", Statement(Kind.PREPARE_TRANSACTION)),
    ("commit prepared 'x'", Statement(Kind.COMMIT_PREPARED)),
    ("rollback prepared 'x'", Statement(Kind.ROLLBACK_PREPARED)),
    ('insert into app."Clicks" values ($1, $2)', write("clicks")),
    ("update only app.clicks set n = $1", write("clicks")),
    ("delete from clicks where id = any($1)", write("clicks")),
    ("merge into a using b on true when matched then update set n = 1", write("a")),
    ("insert into a select * from b on conflict (id) do update set n = 1", write("a")),
    ("copy app.clicks (id, n) from stdin", write("clicks", copies_in=True)),
    ("copy clicks from '/tmp/file'", write("clicks")),
    ("copy clicks to stdout", OTHER),
    ("copy (delete from clicks returning 1) to stdout", write("clicks")),
    ("truncate clicks", write("clicks", empties=True)),
    ("create table if not exists app.clicks (id int)", write("clicks")),
    ("create table clicks as select 1", write("clicks")),
    ("alter table app.clicks add x int", write("clicks")),
    ("drop table if exists app.clicks", write("clicks", empties=True)),
    ("do $$ begin delete from clicks; end $$", write()),
    ("call count()", write()),
    ("grant all on clicks to app", write()),
    ("with a as (delete from b returning 1) insert into c select * from a", write("b", "c")),
    ("with a as (select 1 from b for update) select * from a", OTHER),
    ("explain analyze update clicks set n = 1", write("clicks")),
    ("explain (analyze, verbose) update clicks set n = 1", write("clicks")),
    ("explain update clicks set n = 1", OTHER),
    ("select count_click($1)", write()),
    ("select app.COUNT_CLICK(1) from b", write()),
    ("select 1", OTHER),
    ("select * from clicks for update", OTHER),
    ("select 'insert into clicks' -- delete from clicks", OTHER),
    ("/* begin */ select $$ commit; $$, $x$ end$$ $x$", OTHER),
    ("set application_name = 'commit'", OTHER),
    ("lock table clicks", OTHER),
    ("vacuum clicks", OTHER),
    ("prepare p as delete from a", Statement(Kind.PREPARE, name="p", body=(write("a"),))),
    ("execute p(1)", Statement(Kind.EXECUTE, name="p")),
    ("deallocate p", Statement(Kind.DEALLOCATE, name="p")),
    ("deallocate all", Statement(Kind.DEALLOCATE)),
    ("discard all", Statement(Kind.DEALLOCATE)),
    ("discard temp", OTHER),
]


@pytest.mark.parametrize(("sql", "statement"), ONE)
def test_parsed(sql: str, statement: Statement) -> None:
    assert classify(sql, FUNCTIONS) == (statement,)


@pytest.mark.parametrize(("sql", "statement"), ONE)
def test_scanned(sql: str, statement: Statement) -> None:
    assert scanned(sql, FUNCTIONS) == (statement,)


def test_what_only_the_tree_shows() -> None:
    assert classify("select 1 into clicks") == (write("clicks"),)
    assert classify("explain (analyze off) delete from a") == (OTHER,)
    assert classify("explain (analyze 0) delete from a") == (OTHER,)
    assert classify("drop table a.b, c") == (write("b", "c", empties=True),)
    assert classify("create index on app.clicks (id)") == (write("clicks"),)


def test_several() -> None:
    texts = "begin; ; insert into a values (';'); select $$;$$; end$$"
    kinds = [statement.kind for statement in classify("begin; insert into a values (';'); end")]
    assert kinds == [Kind.BEGIN, Kind.WRITE, Kind.COMMIT]
    assert Kind.COMMIT not in {statement.kind for statement in classify(texts)}


@pytest.mark.parametrize("sql", ["", " ;; ", "-- nothing", "\0"])
def test_nothing(sql: str) -> None:
    assert classify(sql) == ()


@pytest.mark.parametrize(
    "sql",
    [
        "insert into clicks values ('",
        "insert into clicks values ('é', 'é",
        "insert into clicks $$ ",
        "insert into clicks /*",
        "insert clicks",
    ],
)
def test_what_does_not_parse_is_told_by_its_first_words(sql: str) -> None:
    assert classify(sql) == (write("clicks"),)


def test_a_lone_surrogate_is_nothing() -> None:
    assert classify("insert \ud800") == ()


def test_long_texts_are_scanned() -> None:
    rows = ", ".join(["(1, 'commit;')"] * PARSE_LIMIT)
    sql = f"begin; insert into clicks values {rows}; commit"
    assert classify(sql) == (Statement(Kind.BEGIN), write("clicks"), Statement(Kind.COMMIT))


def test_a_chain_that_would_overflow_the_parsers_stack() -> None:
    assert classify("select " + "1+" * 200_000 + "1") == (OTHER,)


def test_nested_deeper_than_a_tree_can_be_handed_over() -> None:
    text = "delete from a where n = " + "1+" * (CACHE_LIMIT // 4) + "1"
    assert classify(text) == (write("a"),)


@pytest.mark.parametrize(
    ("sql", "empties"),
    [
        ("truncate click_counts", True),
        ("drop table if exists click_counts cascade", True),
        ("drop index click_index", False),
        ("delete from click_counts", False),
        ("create table click_counts (code text)", False),
    ],
)
def test_what_takes_away_whole_tables_is_told(sql: str, empties: bool) -> None:
    assert [statement.empties for statement in classify(sql)] == [empties]


@pytest.mark.parametrize(
    ("sql", "numbers"),
    [
        ("select nextval('position')", True),
        ("select pg_catalog.setval('position', 7)", True),
        ("insert into clicks values (nextval('click_ids'), 1)", True),
        ("select currval('position')", False),
        ("insert into clicks values (1, 1)", False),
    ],
)
def test_a_value_of_a_sequence_is_told(sql: str, numbers: bool) -> None:
    assert [statement.numbers for statement in classify(sql)] == [numbers]
