"""What pydantic found wrong, in the words of the user's file.

Counterpart: `configuration.py` is validated, each of its errors becomes one Problem here.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import Document, key_path
from killpoint.cli.config.locator import Place
from killpoint.cli.config.problem import Problem, did_you_mean, do
from killpoint.cli.config.table import Table

ALL_KEYS: Final = "all keys: killpoint help config"
WANTED: Final = {
    "string_type": "a string in quotes",
    "int_type": "a whole number",
    "tuple_type": "a list in brackets",
    "dict_type": "a table",
    "model_type": "a table",
}


def explain(error: ValidationError, document: Document) -> list[Problem]:
    """One problem for each error, in the order of the file."""
    problems = [
        _explain_one(details, document) for details in error.errors() if not _follows(details)
    ]
    return sorted(problems, key=lambda problem: problem.line or 0)


def _follows(details: ErrorDetails) -> bool:
    """pydantic calls a list too short when its only elements are wrong: the same error again."""
    return details["type"] == "too_short" and bool(details["input"])


def _explain_one(details: ErrorDetails, document: Document) -> Problem:
    place: Place = details["loc"]
    match details["type"]:
        case "extra_forbidden":
            return _unknown_key(place, details["input"], document)
        case "missing":
            return _missing(place, document)
        case "literal_error":
            return _not_one_of(place, details, document)
        case "value_error":
            text = str(details.get("ctx", {}).get("error", details["msg"]))
            return document.problem(place, text, _example(place))
        case kind if kind in WANTED:
            return _wrong_type(place, kind, details["input"], document)
        case _:
            return _wrong_value(place, details, document)


def _unknown_key(place: Place, value: object, document: Document) -> Problem:
    key = str(place[-1])
    hint = did_you_mean(key, _table(place[:-1]).keys(), ALL_KEYS)
    if len(place) == 1:
        kind = "table" if isinstance(value, dict | list) else "key"
        hint = did_you_mean(key, Configuration.keys(), ALL_KEYS)
        what = f'unknown {kind} "{key}"'
        return Problem(what, (hint,), document.file, document.line(place))
    inner = _inside(place[:-1])
    around = f"{key_path(inner)}: " if inner else ""
    found = document.problem(_table_place(place), f'{around}unknown key "{key}"', hint)
    return Problem(found.what, found.hints, found.file, document.line(place))


def _missing(place: Place, document: Document) -> Problem:
    key = str(place[-1])
    field = _table(place[:-1]).keys()[key]
    if len(place) == 1:
        many = key in ("check", "source")
        header = document.header(key, many)
        keys = _table(place).keys()
        wanted = [name for name, inner in keys.items() if inner.is_required()] or [*keys][:1]
        text = f"add  {header}  with {', '.join(wanted)}: {field.description}"
        return Problem(f"{header} is missing", (do(text), ALL_KEYS), document.file, None)
    example = next(iter(field.examples or ()), None)
    remedy = do(f"add  {key} = {example}" if example else f"add {key}: {field.description}")
    inner = _inside(place[:-1])
    around = f"{key_path(inner)}: " if inner else ""
    found = document.problem(_table_place(place), f'{around}"{key}" is missing', remedy)
    return Problem(found.what, found.hints, found.file, document.line(place[:-1]))


def _not_one_of(place: Place, details: ErrorDetails, document: Document) -> Problem:
    words = [word for word in _literals(details) if isinstance(word, str)]
    given, known = details["input"], f"one of: {', '.join(words)}"
    if len(words) == 1:
        known = f"known: {words[0]}"
    hint = did_you_mean(str(given), words, known)
    return document.problem(place, f"cannot be {_toml(given)}", hint)


def _literals(details: ErrorDetails) -> Sequence[object]:
    """pydantic words its expectation "'a', 'b' or 'c'": the words between the quotes."""
    return str(details.get("ctx", {}).get("expected", "")).split("'")[1::2]


def _wrong_type(place: Place, kind: str, value: Any, document: Document) -> Problem:
    if len(place) == 1 and isinstance(value, dict):
        one, each = (document.header(str(place[0]), many) for many in (False, True))
        hint = do(f"write  {each}  instead of  {one}")
        return document.problem(place, "must be written with two brackets", hint)
    if len(place) == 1 and isinstance(value, list) and value and isinstance(value[0], dict):
        one, each = (document.header(str(place[0]), many) for many in (False, True))
        hint = do(f"write  {one}  instead of  {each}, once")
        return document.problem(place, "exists once", hint)
    what = f"must be {WANTED[kind]}, not {_toml(value)}"
    return document.problem(place, what, do(_remedy(place, kind, value)))


def _remedy(place: Place, kind: str, value: Any) -> str:
    """The line as it should stand, where the value given says enough."""
    key = str(place[-1])
    if kind == "string_type" and isinstance(value, int | float):
        return f"write  {key} = {json.dumps(_toml(value))}"
    if kind == "tuple_type" and isinstance(value, str):
        return f"write  {key} = [{', '.join(json.dumps(word) for word in value.split())}]"
    if kind == "int_type" and isinstance(value, str) and value.isdigit():
        return f"write  {key} = {value}"
    return _example(place).removeprefix("do     ")


def _wrong_value(place: Place, details: ErrorDetails, document: Document) -> Problem:
    context = details.get("ctx", {})
    match details["type"]:
        case "greater_than_equal":
            what = f"must be {context['ge']} or more, not {_toml(details['input'])}"
        case "too_short" | "string_too_short":
            what = "must not be empty"
        case _:
            what = f"is wrong: {details['msg']}"
    return document.problem(place, what, _example(place))


def _example(place: Place) -> str:
    """The hint that shows a right line, and where more is said."""
    key = str(place[-1])
    source = "killpoint help moments" if key == "at" else "killpoint help config"
    field = _table(place[:-1]).keys().get(key)
    if field is None or not field.examples:
        return do(f"see  {source}")
    return f"do     for example  {key} = {field.examples[0]}        more: {source}"


def _toml(value: Any) -> str:
    """A value as the file would write it, shortened."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _table(place: Place) -> type[Table]:
    """The model at a place."""
    table: type[Table] = Configuration
    for key in place:
        if isinstance(key, str):
            table = table.tables().get(key, table)
    return table


def _table_place(place: Place) -> Place:
    """The top-level table of a place, with its index if there are several."""
    return place[:2] if len(place) > 1 and isinstance(place[1], int) else place[:1]


def _inside(place: Place) -> Place:
    """What of a place lies inside its top-level table."""
    return place[len(_table_place(place)) :]
