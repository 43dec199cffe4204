"""The client of `round_trips`: times `select 1` on several connections by turns.

Prints a JSON object: for prepared and simple statements the median microseconds on each connection.
"""

import json
import sys
from statistics import median
from time import perf_counter

import psycopg

Connection = psycopg.Connection[tuple[object, ...]]
TURN = 100


def main(trips: int, places: list[str]) -> dict[str, list[float]]:
    """`trips` round trips of each kind to each place (a conninfo string), in turns of 100."""
    connections = [psycopg.connect(place, autocommit=True) for place in places]
    try:
        return {
            "prepared": _timed([_prepared(one) for one in connections], trips),
            "simple": _timed([psycopg.ClientCursor(one) for one in connections], trips),
        }
    finally:
        for connection in connections:
            connection.close()


def _prepared(connection: Connection) -> psycopg.Cursor[tuple[object, ...]]:
    connection.prepare_threshold = 0
    return connection.cursor()


def _timed(cursors: list[psycopg.Cursor[tuple[object, ...]]], trips: int) -> list[float]:
    times: list[list[float]] = [[] for _ in cursors]
    for _ in range(-(-trips // TURN) + 1):
        for cursor, seconds in zip(cursors, times, strict=True):
            seconds += [_trip(cursor) for _ in range(TURN)]
    return [median(seconds[TURN:]) * 1e6 for seconds in times]  # the first turn is to warm up


def _trip(cursor: psycopg.Cursor[tuple[object, ...]]) -> float:
    began = perf_counter()
    cursor.execute("select 1").fetchone()
    return perf_counter() - began


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), sys.argv[2:])))
