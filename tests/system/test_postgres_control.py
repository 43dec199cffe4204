"""Control of a real Postgres."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
import pytest_asyncio

from killpoint.faults.environment import BackendState, EnvironmentFailed, QueryFailed
from tests.support.stack import Stack

LIMIT = 20


@pytest_asyncio.fixture(loop_scope="session")
async def database(stack: Stack, name: str) -> AsyncIterator[str]:
    await stack.database.create(name)
    yield name
    await stack.database.drop(name)


async def connect(
    stack: Stack, database: str, user: str = "", password: str = ""
) -> psycopg.AsyncConnection[tuple[object, ...]]:
    login = stack.database.login(database)
    return await psycopg.AsyncConnection.connect(
        host=login.host,
        port=login.port,
        user=user or login.user,
        password=password or login.password,
        dbname=database,
    )


async def until_seen(stack: Stack, pid: int, state: BackendState | None) -> None:
    """Wait until a backend is in a state; None: until it is gone."""
    seen: list[BackendState] = []
    try:
        async with asyncio.timeout(LIMIT):
            while True:
                seen = await stack.database.backends([pid])
                if seen == ([] if state is None else [state]):
                    return
                await asyncio.sleep(0.005)
    except TimeoutError:
        pytest.fail(f"wanted {state}, the last was {seen}")


async def test_who_is_admitted_logs_in_with_the_latest_password(
    stack: Stack, database: str, name: str
) -> None:
    user = f'{name} "quoted"'
    for password in ("first", "second'"):
        await stack.database.admit(user, password)
        await (await connect(stack, database, user, password)).close()
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        await connect(stack, database, user, "first")


async def test_a_copy_has_what_its_template_has(stack: Stack, database: str) -> None:
    await stack.database.execute(
        database, "create table t (x int, y text); insert into t values (1, 'a'), (2, null)"
    )
    await stack.database.query(database, "select 1")
    copy = f"{database}_copy"
    await stack.database.create(copy, database)
    try:
        answer = await stack.database.query(copy, "select x, y from t order by x")
        assert answer == (["x", "y"], [(1, "a"), (2, None)])
    finally:
        await stack.database.drop(copy)


async def test_a_database_in_use_is_dropped(stack: Stack, name: str) -> None:
    await stack.database.create(name)
    connection = await connect(stack, name)
    await connection.execute("create table t (x int)")
    await stack.database.drop(name)
    with pytest.raises(psycopg.OperationalError):
        await connection.execute("select 1")
    await connection.close()
    await stack.database.drop(name)


async def test_a_prepared_transaction_does_not_keep_a_database(stack: Stack, name: str) -> None:
    await stack.database.create(name)
    connection = await connect(stack, name)
    await connection.execute("create table t (x int)")
    await connection.execute("prepare transaction 'it''s prepared'")
    await connection.close()
    await stack.database.drop(name)
    with pytest.raises(EnvironmentFailed, match="does not exist"):
        await stack.database.create(f"{name}_copy", name)


async def test_what_backends_do(stack: Stack, database: str) -> None:
    await stack.database.execute(database, "create table t (x int); insert into t values (1)")
    async with await connect(stack, database) as first, await connect(stack, database) as second:
        one, two = first.info.backend_pid, second.info.backend_pid
        await first.execute("select * from t")
        await until_seen(stack, one, BackendState(one, True, False, False))
        await first.execute("update t set x = 2")
        await until_seen(stack, one, BackendState(one, True, False, True))
        blocked = asyncio.ensure_future(second.execute("update t set x = 3"))
        await until_seen(stack, two, BackendState(two, False, True, True))
        await first.rollback()
        await blocked
    await until_seen(stack, one, None)
    await until_seen(stack, two, None)


async def test_functions_that_may_write(stack: Stack, database: str) -> None:
    await stack.database.execute(
        database,
        """
        create schema other;
        create function "Writes"() returns int language sql volatile as 'select 1';
        create function reads() returns int language sql stable as 'select 1';
        create procedure other.does() language sql as 'select 1';
        create function checks() returns trigger language plpgsql as 'begin return new; end';
        """,
    )
    found = await stack.database.writing_functions(database)
    assert found == {"writes", "does", "checks"}


async def test_tables_whose_rows_a_sequence_numbers(stack: Stack, database: str) -> None:
    await stack.database.execute(
        database,
        """
        create table plain (id int primary key);
        create table "Serial" (id bigserial, n int);
        create table identity (id int generated always as identity);
        create sequence s;
        create table by_default (id int default nextval('s'));
        """,
    )
    found = await stack.database.numbering_tables(database)
    assert found == {"serial", "identity", "by_default"}


async def test_what_the_database_refuses_comes_in_its_own_words(
    stack: Stack, database: str
) -> None:
    with pytest.raises(QueryFailed, match='relation "missing" does not exist'):
        await stack.database.query(database, "select * from missing")
    with pytest.raises(QueryFailed, match="syntax error"):
        await stack.database.execute(database, "creat table t (x int)")


async def test_per_cent_signs_are_no_placeholders(stack: Stack, database: str) -> None:
    _, rows = await stack.database.query(database, "select 'a' like '%a', 7 % 4, '%s'")
    assert rows == [(True, 3, "%s")]
