"""The text form of a moment, read.

Counterpart: `Moment.__str__` writes it. Grammar (no spaces but around selector parts):

    edge "." event [ "{" name "=" value { "," name "=" value } "}" ] [ "#" number ] ":" side

A value is a JSON string or an integer. Names are checked against `moment.EVENTS`.
"""

import difflib
import json
from collections.abc import Iterable, Mapping

from killpoint.faults.moment import EVENTS, ONLY_AFTER, Moment, MomentError, Side, Value

DEFAULT_EDGES: Mapping[str, str] = {"kafka": "kafka", "postgres": "postgres"}
"""Names of the edges to their kinds."""

_TEXT_SELECTORS = frozenset({"topic"})


def parse_moment(text: str, edges: Mapping[str, str] = DEFAULT_EDGES) -> Moment:
    """Read the name of a moment.

    Raises MomentError, whose message says what is wrong and, where it can, what was meant.
    """
    head, side = _split_side(text.strip())
    head, number = _split_number(head, text)
    head, inner = _split_selector(head, text)
    edge, dot, event = head.partition(".")
    if not dot:
        raise MomentError(f'"{text}" has no event: a moment reads edge.event:side')
    kind = edges.get(edge)
    if kind is None:
        raise MomentError(f'unknown edge "{edge}" in "{text}"{_meant(edge, edges)}')
    known = EVENTS[kind]
    if event not in known:
        raise MomentError(f'unknown event "{event}" of {edge} in "{text}"{_meant(event, known)}')
    if event in ONLY_AFTER and side is Side.BEFORE:
        raise MomentError(f'"{edge}.{event}" has only the side "after"')
    selector = tuple(_selector(inner, text, known[event])) if inner is not None else ()
    return Moment(edge, event, side, selector, number)


def _split_side(text: str) -> tuple[str, Side]:
    head, colon, side = text.rpartition(":")
    if not colon or side not in tuple(Side):
        raise MomentError(f'"{text}" has no side: it must end with ":before" or ":after"')
    return head, Side(side)


def _split_number(head: str, text: str) -> tuple[str, int | None]:
    before, hash_sign, digits = head.rpartition("#")
    if not hash_sign or "}" in digits or '"' in digits:
        return head, None
    if not (digits.isascii() and digits.isdigit()) or int(digits) < 1:
        raise MomentError(f'"#{digits}" in "{text}" is no number from 1')
    return before, int(digits)


def _split_selector(head: str, text: str) -> tuple[str, str | None]:
    if "{" not in head:
        return head, None
    if not head.endswith("}"):
        raise MomentError(f'the selector in "{text}" does not end with "}}"')
    name, _, inner = head[:-1].partition("{")
    return name, inner


def _selector(inner: str, text: str, known: frozenset[str]) -> Iterable[tuple[str, Value]]:
    decoder = json.JSONDecoder()
    rest, seen = inner.strip(), set[str]()
    while rest:
        name, equals, rest = rest.partition("=")
        name, rest = name.strip(), rest.lstrip()
        if not equals or name not in known:
            raise MomentError(f'unknown selector "{name}" in "{text}"{_meant(name, known)}')
        if name in seen:
            raise MomentError(f'the selector "{name}" stands twice in "{text}"')
        seen.add(name)
        try:
            value, end = decoder.raw_decode(rest)
        except (ValueError, RecursionError) as error:
            raise MomentError(f'"{name}" in "{text}" has no value: "word" or a number') from error
        yield name, _checked(name, value, text)
        rest = rest[end:].lstrip()
        if rest and not rest.startswith(","):
            raise MomentError(f'expected "," or "}}" after "{name}" in "{text}"')
        rest = rest[1:].lstrip()


def _checked(name: str, value: object, text: str) -> Value:
    wanted = str if name in _TEXT_SELECTORS else int
    if isinstance(value, bool) or not isinstance(value, wanted):
        raise MomentError(
            f'"{name}" in "{text}" must be {"a word in quotes" if wanted is str else "a number"}'
        )
    return value


def _meant(word: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(word, names, 1)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; it knows {', '.join(names)}"
