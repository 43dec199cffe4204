"""Names of the databases beside the main one, in a run and as templates."""

from killpoint.faults.neighbours import Neighbours, template_of
from tests.support.fakes import World

BESIDE = Neighbours({"orders": None, "archive": "kept"})


def test_one_with_a_name_built_in_keeps_it_and_others_follow_the_main_one() -> None:
    assert BESIDE.of("db_1", None) == "db_1"
    assert BESIDE.of("db_1", "orders") == "db_1_orders"
    assert BESIDE.of("db_1", "archive") == "kept"
    assert BESIDE.all("db_1") == ["db_1", "db_1_orders", "kept"]


def test_templates_never_have_a_name_that_a_target_has_built_in() -> None:
    assert template_of("t", None) == "t"
    assert BESIDE.copies("db_1", "t") == [
        ("db_1", "t"),
        ("db_1_orders", "t_orders"),
        ("kept", "t_archive"),
    ]


async def test_the_databases_of_a_run_come_and_go_together() -> None:
    world = World()
    world.stage.neighbours = BESIDE
    world.database.in_doubt = ["x"]
    await world.stage.make_databases("db_1")
    assert await world.stage.prepared("db_1") == ["x", "x", "x"]
    await world.stage.drop_databases("db_1")
    made = [call.split(" ")[1] for call in world.calls if call.startswith("create")]
    dropped = [call.split(" ")[1] for call in world.calls if call.startswith("drop")]
    assert made == dropped == ["db_1", "db_1_orders", "kept"]
