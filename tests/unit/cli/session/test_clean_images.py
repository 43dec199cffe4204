"""What the clean runs left: recorded twice, then what every later image is compared with."""

from killpoint.checks.baseline import CleanRunCheck
from killpoint.checks.outcome import Outcome
from killpoint.cli.session.clean_images import CleanImages
from killpoint.faults.environment import QueryFailed
from killpoint.faults.neighbours import Neighbours
from tests.support.fakes import FakeDatabase


async def recorded(
    *left: int, check: CleanRunCheck | None = None
) -> tuple[CleanImages, FakeDatabase]:
    """After clean runs that left so many rows counted."""
    database = FakeDatabase([], {"template": 0, "db": 0})
    images = CleanImages((check or CleanRunCheck("tables"),), database, Neighbours())
    await images.begin("template")
    for rows in left:
        database.rows["db"] = rows
        await images.made("db")
        await images.audit("db")
        images.keep()
    return images, database


async def test_later_images_are_compared_with_what_two_clean_runs_left() -> None:
    images, database = await recorded(6, 6)
    for rows, outcome in ((6, Outcome.CLEAN), (9, Outcome.COUNTED_TWICE), (3, Outcome.LOST)):
        database.rows["db"] = rows
        (found,), digest = await images.audit("db")
        assert (found.outcome, digest) == (outcome, b"")


async def test_only_the_second_clean_run_has_its_sequences_moved_on() -> None:
    _, database = await recorded(6, 6, 6)
    assert database.calls.count("advance sequences of db by 1000") == 1
    first = database.calls.index("image of db")
    assert database.calls.index("advance sequences of db by 1000") > first


async def test_what_is_recorded_is_told_by_a_digest_of_it() -> None:
    images, database = await recorded()
    digests: list[bytes] = []
    for rows in (5, 6, 6):
        database.rows["db"] = rows
        digests.append((await images.audit("db"))[1])
    assert digests[0] != digests[1] == digests[2] != b""


async def test_the_last_audit_of_a_clean_run_is_what_it_left() -> None:
    images, database = await recorded(6)
    for rows in (5, 6):
        database.rows["db"] = rows
        await images.audit("db")
    images.keep()
    (found,), _ = await images.audit("db")
    assert found.outcome is Outcome.CLEAN


async def test_clean_runs_that_differ_in_all_leave_nothing_to_compare() -> None:
    check = CleanRunCheck("tables", (), ("name",))
    images, database = await recorded(6, check=check)
    database.rows["db"] = 7
    (found,), _ = await images.audit("db")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "nothing can be compared with the clean run: counted has no column" in str(found.reason)
    images.keep()
    ((_, (table,)),) = images.tables()
    assert [name for name, _ in table.ignored] == ["name", "total"]


async def test_a_pattern_that_names_no_column_is_told_at_once() -> None:
    images, _ = await recorded(check=CleanRunCheck("tables", (), ("totla",)))
    (found,), _ = await images.audit("template")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "ignore names no column: totla" in str(found.reason)


async def test_tables_that_can_not_be_read_are_inconclusive() -> None:
    images, database = await recorded(6, 6)
    database.answers["image"] = QueryFailed("permission denied")
    (found,), _ = await images.audit("db")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "permission denied" in str(found.reason)


async def test_each_check_looks_at_its_own_database() -> None:
    database = FakeDatabase([], {"template": 0, "template_orders": 0, "db": 6, "db_orders": 2})
    checks = (CleanRunCheck("main"), CleanRunCheck("beside", database="orders"))
    images = CleanImages(checks, database, Neighbours({"orders": None}))
    await images.begin("template")
    for _ in range(2):
        await images.made("db")
        await images.audit("db")
        images.keep()
    database.rows["db_orders"] = 1
    outcomes, _ = await images.audit("db")
    assert [found.outcome for found in outcomes] == [Outcome.CLEAN, Outcome.LOST]
    assert "advance sequences of db_orders by 1000" in database.calls


async def test_another_stack_compares_with_the_same_clean_runs() -> None:
    first, _ = await recorded(6, 6)
    other = CleanImages(first.checks, FakeDatabase([], {"db": 9}), Neighbours())
    other.adopt(first)
    await other.made("db")
    (found,), digest = await other.audit("db")
    assert (found.outcome, digest) == (Outcome.COUNTED_TWICE, b"")


async def test_without_such_a_check_nothing_is_read() -> None:
    database = FakeDatabase([], {"db": 6})
    images = CleanImages((), database, Neighbours())
    await images.begin("db")
    await images.made("db")
    assert (await images.audit("db"), list(images.tables())) == (([], b""), [])
    assert database.calls == []
