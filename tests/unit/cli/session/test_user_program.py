"""A program of the user's that fails is named by its key, with its last words."""

import sys
from pathlib import Path

import pytest

from killpoint.cli.errors import UserError
from killpoint.cli.session.user_program import run_user_program
from killpoint.faults.stage import Launch


async def test_it_runs_in_the_folder_with_its_environment(tmp_path: Path) -> None:
    script = "import os; open('said', 'w').write(os.environ['WORD'])"
    await run_user_program(
        "migrate", Launch((sys.executable, "-c", script), {"WORD": "x"}), tmp_path
    )
    assert (tmp_path / "said").read_text(encoding="utf-8") == "x"


async def test_a_failure_says_which_program_and_why(tmp_path: Path) -> None:
    failing = Launch((sys.executable, "-c", "import sys; sys.exit('no table')"), {})
    with pytest.raises(UserError) as told:
        await run_user_program("[database] migrate", failing, tmp_path)
    assert told.value.what == "[database] migrate failed"
    assert "no table" in (told.value.why or "")
    assert sys.executable in (told.value.do or "")
