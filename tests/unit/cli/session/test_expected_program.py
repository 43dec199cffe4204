"""Expected totals by a program: events in, rows out, and its failures told."""

from pathlib import Path

import pytest

from killpoint.checks.check import Check
from killpoint.checks.ledger import Ledger
from killpoint.checks.totals import Totals, TotalsError
from killpoint.cli.errors import UserError
from killpoint.cli.session.expected_program import ExpectedPrograms, read_totals
from tests.support.examined import FakeEnvironment, clicks, subject_in
from tests.support.fakes import World

COUNT = """
import json, sys
codes = [json.loads(line)["value"]["code"] for line in sys.stdin]
print("about to count", file=sys.stderr)
for code in sorted(set(codes)):
    print(json.dumps({"code": code, "clicks": codes.count(code)}))
"""


async def totals_of(folder: Path, script: str) -> Totals:
    programs = ExpectedPrograms(subject_in(folder), FakeEnvironment(World()))
    (folder / "expected.py").write_text(script, "utf-8")
    check = Check("clicks", "", "select 1", command=("{python}", "expected.py"))
    return await programs.totals(check, Ledger(clicks(3)))


async def test_the_program_gets_the_events_and_says_the_totals(tmp_path: Path) -> None:
    totals = await totals_of(tmp_path, COUNT)
    assert totals.columns == ("code",)
    assert totals.numbers == {("link-0",): 1, ("link-1",): 1, ("link-2",): 1}


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("import sys; sys.exit('no such rate')", "no such rate"),
        ("pass", "it wrote no rows on standard output"),
        ("print('3 rows')", "line 1 of its output is not JSON: 3 rows"),
    ],
)
async def test_a_program_that_fails_is_the_users_to_mend(
    tmp_path: Path, script: str, why: str
) -> None:
    with pytest.raises(UserError) as told:
        await totals_of(tmp_path, script)
    assert told.value.what == '[[check]] expected_command of "clicks" failed'
    assert why in (told.value.why or "")
    assert "run it by hand" in (told.value.do or "")


def test_rows_are_read_exactly_and_added_up() -> None:
    totals = read_totals(b'{"c": "a", "n": 0.1}\n\n{"n": 0.2, "c": "a"}\n{"c": null, "n": 3}\n')
    assert {key: str(number) for key, number in totals.numbers.items()} == {
        ("a",): "0.3",
        (None,): "3",
    }


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (b"[1]\n", "no JSON object"),
        (b'{"a": 1}\n{"b": 1}\n', "different names"),
        (b'{"a": "many"}\n', "not a number"),
    ],
)
def test_what_are_no_rows_is_told(output: bytes, why: str) -> None:
    with pytest.raises(TotalsError, match=why):
        read_totals(output)
