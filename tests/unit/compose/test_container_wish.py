from pathlib import Path

import pytest

from killpoint.compose.container_wish import absolute_volume

FOLDER = Path("/srv/project")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("./rules:/rules:ro", "/srv/project/rules:/rules:ro"),
        (".:/project", "/srv/project:/project"),
        ("../shared:/shared", "/srv/shared:/shared"),
        ("/etc/ssl:/etc/ssl:ro", "/etc/ssl:/etc/ssl:ro"),
        ("named:/data", "named:/data"),
        ("/only/inside", "/only/inside"),
    ],
)
def test_paths_are_taken_from_the_files_folder(written: str, meant: str) -> None:
    assert absolute_volume(written, FOLDER) == meant
