"""The block that says what was compared with the clean run."""

from dataclasses import replace

from killpoint.cli.report.compared import compared_lines
from killpoint.cli.report.page import Page
from killpoint.cli.result import AgainstCleanRun, ComparedTable, IgnoredColumn
from tests.support.results import failed

REFUSAL = "has 3 rows after one clean run, 4 after another"
TABLES = (
    ComparedTable(
        "tables",
        "click_counts",
        4,
        ("code",),
        ("code", "clicks"),
        (
            IgnoredColumn("id", "numbered by a sequence"),
            IgnoredColumn("created_on", "differs between two clean runs"),
            IgnoredColumn("seen", "differs between two clean runs"),
        ),
    ),
    ComparedTable("tables", "shop.log", 1, (), ("amount",)),
    ComparedTable("tables", "jobs", 0, (), (), (), REFUSAL),
)
TEXT = """\
Compared click_counts, 4 rows by code: clicks; ignored: id (numbered by a sequence); created_on,
         seen (differs between two clean runs)
         shop.log, 1 row: amount
         not jobs: it has 3 rows after one clean run, 4 after another"""


def test_each_table_has_its_rows_key_and_columns() -> None:
    result = replace(failed(), against=AgainstCleanRun("the rule", TABLES))
    lines = compared_lines(result, Page(100))
    assert "\n".join(text.plain.rstrip() for text in lines) == TEXT


def test_without_such_a_check_nothing_is_said() -> None:
    assert compared_lines(failed(), Page(100)) == []
