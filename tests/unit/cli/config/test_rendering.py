"""Configuration files made from templates."""

from pathlib import Path

import pytest

from killpoint.cli.config.rendering import (
    FileTemplate,
    RenderError,
    example_places,
    render,
    write_files,
)

PLACES = example_places(["orders"])


def test_the_placeholders_are_the_variables() -> None:
    text = "{{ kafka }} {{ postgres_db }} {{ databases.orders.postgres_jdbc }} {{ port('http') }}\n"
    filled = render(FileTemplate("a", text), PLACES)
    assert filled == ("127.0.0.1:9092 database jdbc:postgresql://127.0.0.1:5432/database 20000\n")


@pytest.mark.parametrize("text", ["{{ kafak }}", "{% if %}", "{{ databases.other.postgres }}"])
def test_a_template_that_fails_says_why(text: str) -> None:
    with pytest.raises(RenderError, match=r"\w"):
        render(FileTemplate("a", text), PLACES)


def test_files_are_written_below_the_folder_for_everybody_to_read(tmp_path: Path) -> None:
    write_files((FileTemplate("conf/a.toml", "at = '{{ kafka }}'"),), tmp_path / "1", PLACES)
    written = tmp_path / "1" / "conf" / "a.toml"
    assert written.read_text(encoding="utf-8") == "at = '127.0.0.1:9092'"
    assert written.stat().st_mode & 0o777 == 0o644
