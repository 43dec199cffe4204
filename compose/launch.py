"""Start one program: fork, prepare, exec, and learn at once whether that worked.

Counterpart: the supervisor calls it; `start_failure` words its errors. It stands apart from
`subprocess` because the order of the steps matters here and `preexec_fn` would cost the supervisor
the import. POSIX, with Linux's parent-death signal where there is one.
"""

import ctypes
import errno
import os
import signal
from collections.abc import Mapping, Sequence

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_INHERITED_AS_IGNORED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGPIPE,
    signal.SIGXFSZ,
)


class LaunchError(Exception):
    """The program did not start: at which `step` (log, fork, user, folder, exec), and the errno."""

    def __init__(self, step: str, number: int) -> None:
        super().__init__(step, number)
        self.step = step
        self.number = number


def launch(
    command: Sequence[str],
    env: Mapping[str, str],
    folder: str,
    log: str,
    user: tuple[int, int] | None,
    ends: tuple[str, str] | None = None,
) -> int:
    """Start `command` in a session of its own; returns its pid after the exec.

    Both outputs are appended to `log`, the input is empty, `env` is the whole environment, `user`
    is (uid, gid). `ends`: files for its input and its standard output, instead. Dies with the
    calling thread. Raises LaunchError; no child is left then.
    """
    output = _open_log(log)
    reader, writer = os.pipe()
    parent = os.getpid()
    try:
        pid = os.fork()
        if pid == 0:
            _become(command, env, folder, output, user, parent, writer, ends)
    except OSError as problem:
        os.close(reader)
        raise LaunchError("fork", problem.errno or errno.EAGAIN) from None
    finally:
        os.close(writer)
        os.close(output)
    with os.fdopen(reader, "rb") as pipe:
        report = pipe.read()
    if report:
        os.waitpid(pid, 0)
        step, number = report.decode("ascii").split()
        raise LaunchError(step, int(number))
    return pid


def _open_log(log: str) -> int:
    try:
        return os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError as problem:
        raise LaunchError("log", problem.errno or errno.EIO) from None


def _become(
    command: Sequence[str],
    env: Mapping[str, str],
    folder: str,
    output: int,
    user: tuple[int, int] | None,
    parent: int,
    writer: int,
    ends: tuple[str, str] | None,
) -> None:
    """In the child: never returns; what went wrong is written to `writer`."""
    step = "exec"
    try:
        os.setsid()
        for number in _INHERITED_AS_IGNORED:
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(ends[0] if ends else os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(ends[1], os.O_WRONLY | os.O_TRUNC) if ends else output, 1)
        os.dup2(output, 2)
        step = "user"
        _change_user(user)
        step = "folder"
        os.chdir(folder)
        step = "exec"
        # After the change of user, which clears it; a parent that died before this is seen now.
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        os.execvpe(command[0], list(command), dict(env))
    except OSError as problem:
        os.write(writer, f"{step} {problem.errno or errno.EIO}".encode("ascii"))
    except ValueError:  # a zero byte, or "=" in the name of a variable
        os.write(writer, f"{step} {errno.EINVAL}".encode("ascii"))
    finally:
        os._exit(127)


def _change_user(user: tuple[int, int] | None) -> None:
    if user is not None:
        uid, gid = user
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def die_with_parent() -> None:
    """Ask for SIGKILL when the parent (its thread that forked us) dies: prctl(2)."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the new parent of every orphan below this process: a child subreaper, prctl(2)."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")
