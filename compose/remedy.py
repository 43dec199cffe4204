"""The commands that mend an environment, as sentences for error messages and the doctor."""

import shlex
import sys
from typing import Final

INSTALL_EMBEDDED: Final = (
    f"Install it with: {shlex.quote(sys.executable)} -m pip install 'killpoint[embedded]'"
)
"""What brings the Java runtime, the resolver of the jars and Postgres."""
