"""A file of events: one JSON object a line, with key, value, headers, partition, timestamp.

Lines of `kcat -J` are events too. Counterparts: `generated.py` makes the same records from
templates, `killpoint capture` writes such a file.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from killpoint.cli.config.problem import ConfigError, Problem, did_you_mean, do, why
from killpoint.cli.events.value import Json, compact, read_json, to_bytes
from killpoint.faults.record import Record

KEYS: Final = ("key", "value", "headers", "partition", "timestamp", "key_base64", "value_base64")
ALL_KEYS: Final = f"keys of an event: {', '.join(KEYS)}"


class EventError(ValueError):
    """A line that is no event; `hint` is the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def read_events(file: Path, topic: str, partitions: int) -> list[Record]:
    """The events of a file, in its order; a partition of -1 is chosen by the partitioner.

    Empty lines are skipped. Raises ConfigError, with one problem for each bad line (at most ten).
    """
    records: list[Record] = []
    problems: list[Problem] = []
    for number, line in enumerate(_lines(file), start=1):
        try:
            if line.strip():
                records.append(read_event(line, topic, partitions))
        except EventError as error:
            problems.append(Problem(str(error), (error.hint,), file, number))
    if not records and not problems:
        problems.append(Problem("holds no events", (do("add one JSON object a line"),), file))
    if problems:
        raise ConfigError(problems[:10])
    return records


def _lines(file: Path) -> list[str]:
    try:
        return file.read_bytes().decode().split("\n")
    except OSError as error:
        reason = why(error.strerror or str(error))
        raise ConfigError([Problem("cannot be read", (reason,), file)]) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        remedy = do("save the file as UTF-8; other bytes go into value_base64")
        raise ConfigError([Problem("is not UTF-8", (remedy,), file, line)]) from error


def read_event(line: str, topic: str, partitions: int) -> Record:
    """One line as a record. Raises EventError."""
    event = _object(line)
    if "payload" in event:
        return _of_kcat(event, topic, partitions)
    if "value" not in event and "value_base64" not in event:
        raise EventError('"value" is missing', do('add "value"; null is a tombstone'))
    return Record(
        topic,
        _partition(event, partitions),
        offset=-1,
        key=_bytes(event, "key"),
        value=_bytes(event, "value"),
        headers=_headers(event),
        timestamp=_whole(event, "timestamp", 0),
    )


def _object(line: str) -> Mapping[str, Json]:
    try:
        event = read_json(line)
    except (ValueError, RecursionError) as error:
        raise EventError("is not valid JSON", why(str(error))) from error
    if not isinstance(event, dict):
        raise EventError("is not a JSON object", do('write {"key": …, "value": …}'))
    if "payload" in event:
        return event
    for key in event:
        if key not in KEYS:
            raise EventError(f'unknown key "{key}"', did_you_mean(key, KEYS, ALL_KEYS))
    return event


def _of_kcat(event: Mapping[str, Json], topic: str, partitions: int) -> Record:
    """As kcat's manual says of -J: headers are names and values in turn; a time of -1 is none."""
    headers = event.get("headers") or []
    if not isinstance(headers, list) or len(headers) % 2:
        raise EventError('"headers" of kcat must be names and values in turn', do("mend the line"))
    pairs = zip(headers[::2], headers[1::2], strict=True)
    timestamp = event.get("ts") if event.get("ts") != -1 else None
    return Record(
        topic,
        _partition(event, partitions),
        offset=-1,
        key=_bytes(event, "key"),
        value=_bytes(event, "payload"),
        headers=tuple((str(name), _header(str(name), value)) for name, value in pairs),
        timestamp=_whole({"timestamp": timestamp}, "timestamp", 0),
    )


def written_event(record: Record, value: bytes | None) -> str:
    """A record with another value as a line that reads back the same.

    But for headers: the last of a name counts, and one that is not UTF-8 becomes empty.
    """
    event: dict[str, Json] = {
        "partition": record.partition,
        **_written("key", record.key, plain=False),
        **_written("value", value, plain=True),
    }
    if record.timestamp > 0:
        event["timestamp"] = record.timestamp
    if record.headers:
        event["headers"] = {n: None if text is None else _text(text) for n, text in record.headers}
    return compact(event)


def _written(key: str, data: bytes | None, *, plain: bool) -> dict[str, Json]:
    if data is None:
        return {key: None}
    text = _text(data)
    if not text and data:
        return {f"{key}_base64": base64.b64encode(data).decode()}
    if plain:
        try:
            read = read_json(text)
        except ValueError:
            return {key: text}
        if not isinstance(read, str) and read is not None:
            return {key: read}
    return {key: text}


def _text(data: bytes) -> str:
    """UTF-8, or "" where it is not."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


def _bytes(event: Mapping[str, Json], key: str) -> bytes | None:
    coded = f"{key}_base64"
    if key in event and coded in event:
        raise EventError(f'has "{key}" and "{coded}"', do("keep one of them"))
    if coded not in event:
        return _attempt(key, lambda: to_bytes(event.get(key)))
    text = event[coded]
    if not isinstance(text, str):
        raise EventError(f'"{coded}" must be a string', do("write the bytes in Base64"))
    return _attempt(coded, lambda: base64.b64decode(text, validate=True))


def _attempt(key: str, decode: Callable[[], bytes | None]) -> bytes | None:
    try:
        return decode()
    except binascii.Error as error:
        raise EventError(f'"{key}" is not Base64', why(str(error))) from error
    except ValueError as error:
        raise EventError(f'"{key}" {error}', do("correct the text")) from error


def _headers(event: Mapping[str, Json]) -> tuple[tuple[str, bytes | None], ...]:
    headers = event.get("headers")
    if headers is None:
        return ()
    if not isinstance(headers, dict):
        raise EventError('"headers" must be an object', do('write {"name": "value"}'))
    return tuple((name, _header(name, value)) for name, value in headers.items())


def _header(name: str, value: Json) -> bytes | None:
    if value is not None and not isinstance(value, str):
        hint = do("put it in quotes")
        raise EventError(f'header "{name}" must be a string or null', hint)
    return _attempt(f"headers.{name}", lambda: to_bytes(value))


def _partition(event: Mapping[str, Json], partitions: int) -> int:
    partition = _whole(event, "partition", -1)
    if partition >= partitions:
        hint = do(f"raise partitions of the source, or use 0 to {partitions - 1}")
        raise EventError(f'"partition" {partition} does not exist', hint)
    return partition


def _whole(event: Mapping[str, Json], key: str, default: int) -> int:
    """A whole number from 0, or the default where it is absent or null."""
    number = event.get(key)
    if number is None:
        return default
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        unit = ": milliseconds since 1970" if key == "timestamp" else ""
        raise EventError(f'"{key}" must be a whole number from 0{unit}', do(f'mend "{key}"'))
    return number
