"""What the program promises of itself; what it does is tested in loopback/test_supervised.py."""

import subprocess
import sys
from pathlib import Path

import killpoint


def test_it_needs_only_a_few_modules_of_the_standard_library() -> None:
    program = (
        "import sys; before = set(sys.modules); sys.path.append(sys.argv[1]); "
        "import killpoint.compose.supervisor; print(*(set(sys.modules) - before))"
    )
    root = Path(killpoint.__file__).parent.parent
    command = [sys.executable, "-I", "-S", "-E", "-c", program, str(root)]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert "killpoint.compose.supervisor" in said
    slow = {"typing", "dataclasses", "asyncio", "subprocess", "inspect", "socket"}
    foreign = {name.split(".")[0] for name in said} - sys.stdlib_module_names - {"killpoint"}
    assert not slow & set(said) and not foreign
