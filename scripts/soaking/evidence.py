"""A folder for the evidence of a soak: kept where something was wrong, else removed.

Counterparts: `kills` and `planted` write into it, the line that it prints says where it is.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from scripts.soaking.soak import Session


@contextmanager
def kept_evidence(session: Session, name: str) -> Generator[Path]:
    """Also kept where the soak itself did not come to its end: that is wrong, too."""
    folder = Path(mkdtemp(prefix=f"soak-{name}-"))
    try:
        yield folder
    except BaseException:
        print(f"  the evidence is kept in {folder}", flush=True)
        raise
    if session.varied:
        print(f"  the evidence is kept in {folder}", flush=True)
    else:
        rmtree(folder)
