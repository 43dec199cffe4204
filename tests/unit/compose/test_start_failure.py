import errno
from pathlib import Path

import pytest

from killpoint.compose.start_failure import start_failure


def said(command: list[str], folder: Path, step: str, number: int) -> str:
    return start_failure(command, {"PATH": "/a:/b"}, folder, Path("/l/log"), step, number)


@pytest.mark.parametrize(
    ("command", "step", "number", "message"),
    [
        (["a b", "c"], "folder", errno.ENOENT, "could not start `'a b' c`: the folder /work does "),
        (["a"], "folder", errno.EACCES, "permission denied"),
        (["a"], "folder", errno.ENOTDIR, "cannot be used: Not a directory"),
        (["a"], "log", errno.ENOENT, "its log /l/log does not exist"),
        (["a"], "user", errno.EPERM, "Run as root"),
        (["a"], "fork", errno.EAGAIN, "raise the limit"),
        (["a"], "exec", errno.ENOENT, "no program `a` on PATH (/a:/b). Install it"),
        (["a"], "exec", errno.EACCES, "`a` cannot be used: permission denied"),
        (["./a"], "exec", errno.ENOENT, "/work/a does not exist"),
        (["./a"], "exec", errno.ENOEXEC, "/work/a is no program"),
        (["/a"], "exec", errno.ENOENT, "`/a`: /a does not exist"),
        (["a"], "exec", errno.EINVAL, "zero byte"),
        (["/a"], "exec", errno.E2BIG, "cannot be used: Argument list too long"),
    ],
)
def test_what_happened_and_what_to_do(
    command: list[str], step: str, number: int, message: str
) -> None:
    assert message in said(command, Path("/work"), step, number)


def test_a_script_whose_interpreter_is_missing(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/nowhere\n")
    assert "first line of" in said(["./script"], tmp_path, "exec", errno.ENOENT)


def test_a_script_without_the_right(tmp_path: Path) -> None:
    (tmp_path / "my script").write_text("")
    message = said(["./my script"], tmp_path, "exec", errno.EACCES)
    assert f"chmod +x '{tmp_path}/my script'" in message
