"""Alignment: makes the keys of expected and actual totals comparable.

The two come from two databases and two queries, so their columns may be named differently, stand in
another order, or hold one thing as text here (`value->>'id'`) and as a number there. Without this a
right consumer would be accused. What it does not do: guess which columns belong together.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from killpoint.checks.number import Number, NumberError, add, whole
from killpoint.checks.scalar import Scalar
from killpoint.checks.totals import Key, Totals, TotalsError

_Kinds = frozenset[type]
_TEXTS: _Kinds = frozenset((str,))
_BOOLEANS = {"true": True, "t": True, "false": False, "f": False}


def align(expected: Totals, actual: Totals) -> tuple[Totals, Totals]:
    """Both totals with the same columns (the database's names), their cells of the same kind.

    Columns belong together by name (any case) where both sides have the same names, else by their
    place. Text is read as a number or a boolean in a column where the other side has only such.
    Raises TotalsError if one side has more key columns than the other.
    """
    if len(expected.columns) != len(actual.columns):
        raise TotalsError(
            f"expected has the key columns ({', '.join(expected.columns)}), actual has "
            f"({', '.join(actual.columns)}); select the same ones in both, the number last"
        )
    expected = _ordered(expected, actual.columns)
    for place in range(len(actual.columns)):
        kinds = _kinds(expected, place), _kinds(actual, place)
        expected = _read(expected, place, *kinds)
        actual = _read(actual, place, *reversed(kinds))
    return expected, actual


def read_text(value: Scalar) -> Scalar:
    """A text as the number or boolean that it spells, else as it is."""
    number = _as_number(value)
    return number if not isinstance(number, str) else _as_boolean(number)


def _ordered(totals: Totals, columns: tuple[str, ...]) -> Totals:
    mine = [name.casefold() for name in totals.columns]
    wanted = [name.casefold() for name in columns]
    if mine == wanted or sorted(mine) != sorted(wanted) or len(set(mine)) < len(mine):
        return Totals(columns, totals.numbers)
    places = [mine.index(name) for name in wanted]
    moved = {tuple(key[place] for place in places): n for key, n in totals.numbers.items()}
    return Totals(columns, moved)


def _kinds(totals: Totals, place: int) -> _Kinds:
    kinds: set[type] = {type(key[place]) for key in totals.numbers} - {type(None)}
    return frozenset(int if kind is Decimal else kind for kind in kinds)


def _read(totals: Totals, place: int, mine: _Kinds, other: _Kinds) -> Totals:
    if mine != _TEXTS or other not in _READERS:
        return totals
    reader = _READERS[other]
    numbers: dict[Key, Number] = {}
    for key, number in totals.numbers.items():
        read = (*key[:place], reader(key[place]), *key[place + 1 :])
        numbers[read] = add(numbers.get(read, 0), number)
    return Totals(totals.columns, numbers)


def _as_number(value: Scalar) -> Scalar:
    # Decimal() is too kind: it takes blanks, underscores, digits of other scripts and NaN.
    if not isinstance(value, str) or not _plain_digits(value):
        return value
    try:
        return whole(Decimal(value))
    except (InvalidOperation, NumberError):
        return value


def _plain_digits(text: str) -> bool:
    return bool(text) and all(letter in "0123456789+-.eE" for letter in text)


def _as_boolean(value: Scalar) -> Scalar:
    return _BOOLEANS.get(value, value) if isinstance(value, str) else value


_READERS: Mapping[_Kinds, Callable[[Scalar], Scalar]] = {
    frozenset((int,)): _as_number,
    frozenset((bool,)): _as_boolean,
}
