"""Names of the databases beside the main one, in a run and as templates."""

from killpoint.faults.neighbours import Neighbours, template_of

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
