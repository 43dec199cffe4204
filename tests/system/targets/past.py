"""The counter, connected past killpoint to the servers named in PAST: "kafka", "postgres" or both.

It finds their own addresses where the servers keep them, in the folder of the run.
"""

import os
import tempfile
from pathlib import Path

from counter import main


def broker() -> str:
    """The listener that is advertised as what it is: no proxy stands before it."""
    (file,) = Path(tempfile.gettempdir()).glob("killpoint-*/kafka/server.properties")
    lines = (line.partition("=") for line in file.read_text("utf-8").splitlines())
    properties = {key: value.split(",") for key, _, value in lines}
    (own,) = {*properties["listeners"]} & {*properties["advertised.listeners"]}
    return own.partition("://")[2]


def database() -> str:
    """The URL with the port that the server listens on."""
    (socket,) = Path(tempfile.gettempdir()).glob("killpoint-*/postgres/.s.PGSQL.*[0-9]")
    through = os.environ["PGPORT"]
    return os.environ["DATABASE_URL"].replace(f":{through}/", f":{socket.suffix[1:]}/")


if __name__ == "__main__":
    past = os.environ["PAST"]
    main(
        broker() if "kafka" in past else os.environ["KAFKA_BOOTSTRAP_SERVERS"],
        database() if "postgres" in past else os.environ["DATABASE_URL"],
    )
