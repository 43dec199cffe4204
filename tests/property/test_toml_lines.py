"""Any document in any of TOML's spellings: each key is found, on the line where it was written."""

import json
import tomllib
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from killpoint.cli.config.locator import Place, locate

Toml: TypeAlias = "bool | int | float | str | list[Toml] | dict[str, Toml]"

WORDS = st.text("ab-_", min_size=1, max_size=2) | st.text(
    "ab.-_ #='\"[]{}\\é", min_size=1, max_size=4
)
TEXTS = st.builds(
    str.__add__,
    st.text("ab \n\r\t#='\"[]{},\\é\u2028", max_size=8),
    st.sampled_from(["", '"', "'", "\\"]),
)
SCALARS = st.integers() | st.booleans() | TEXTS | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(WORDS, VALUES, max_size=4)
DOCUMENTS = st.dictionaries(
    WORDS, VALUES | TABLES | st.lists(TABLES, min_size=1, max_size=3), max_size=4
)
COMMENTS = st.sampled_from(["", "# [x]", "# it's '''", '# """ {', "\t"])


@dataclass
class Writer:
    """Writes a document in spellings that are drawn, and notes the line of each place."""

    data: st.DataObject
    text: str = ""
    lines: dict[Place, int] = field(default_factory=dict[Place, int])

    def table(self, table: dict[str, Toml], place: Place, header: str) -> None:
        later: list[str] = []
        for key, value in table.items():
            if _has_header(value) and self._choose():
                later.append(key)
            else:
                self._pair(key, value, place)
        for key in later:
            name, inner, here = f"{header}{_dot(header)}{self._key(key)}", table[key], (*place, key)
            if isinstance(inner, dict):
                self._headed(f"[ {name} ]", inner, here, name)
            elif isinstance(inner, list):
                for index, one in enumerate(inner):
                    assert isinstance(one, dict)
                    self._note(here)
                    self._headed(f"[[{name}]]", one, (*here, index), name)

    def _headed(self, line: str, table: dict[str, Toml], place: Place, name: str) -> None:
        self._note(place)
        self._put(line)
        self._end()
        self.table(table, place, name)

    def _pair(self, key: str, value: Toml, place: Place) -> None:
        self._note((*place, key))
        name, place = self._key(key), (*place, key)
        while isinstance(value, dict) and len(value) == 1 and self._choose():
            (inner, value), *_ = value.items()
            dot = self.data.draw(st.sampled_from([".", " . "]))
            name, place = f"{name}{dot}{self._key(inner)}", (*place, inner)
            self._note(place)
        self._put(f"{name} = ")
        self._value(value, place)
        self._end()

    def _value(self, value: Toml, place: Place) -> None:
        if isinstance(value, dict):
            self._inline_table(value, place)
        elif isinstance(value, list):
            self._array(value, place)
        elif isinstance(value, str):
            self._put(self._string(value))
        else:
            self._put(json.dumps(value))

    def _inline_table(self, table: dict[str, Toml], place: Place) -> None:
        self._put("{ ")
        for number, (key, value) in enumerate(table.items()):
            self._put(", " if number else "")
            self._note((*place, key))
            self._put(f"{self._key(key)}=")
            self._value(value, (*place, key))
        self._put(" }")

    def _array(self, values: list[Toml], place: Place) -> None:
        self._put("[")
        for index, value in enumerate(values):
            self._put(self.data.draw(st.sampled_from([" ", "\n  ", "\n# ] ,\n"])))
            self._note((*place, index))
            self._value(value, (*place, index))
            self._put(",")
        self._put("]")

    def _string(self, text: str) -> str:
        basic = json.dumps(text)
        spellings = [basic, f'"""{basic[1:-1]}"""', f'"""\n{basic[1:-1]}"""']
        spellings.append(f'"""\\\n  {basic[1:-1]}"""' if text[:1].strip() else basic)
        if "\r" not in text and "''" not in text:
            spellings.append(f"'''\n{text}'''")
        if not {"'", "\n", "\r"} & set(text):
            spellings += [f"'{text}'", f"'''{text}'''"]
        if "\r" not in text and "\\" not in text and '""' not in text:
            spellings.append(f'"""\n{text}"""')
        return self.data.draw(st.sampled_from(spellings))

    def _key(self, key: str) -> str:
        spellings = [json.dumps(key)]
        if "'" not in key:
            spellings.append(f"'{key}'")
        if all(sign in "ab-_" for sign in key):
            spellings.append(key)
        return self.data.draw(st.sampled_from(spellings))

    def _end(self) -> None:
        self._put(f" {self.data.draw(COMMENTS)}\n")

    def _note(self, place: Place) -> None:
        self.lines.setdefault(place, self.text.count("\n") + 1)

    def _put(self, text: str) -> None:
        self.text += text

    def _choose(self) -> bool:
        return self.data.draw(st.booleans())


def _has_header(value: Toml) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, dict) for one in value)
    return isinstance(value, dict)


def _dot(header: str) -> str:
    return "." if header else ""


@given(DOCUMENTS, st.data(), st.booleans())
def test_every_place_is_on_its_line(
    document: dict[str, Toml], data: st.DataObject, windows: bool
) -> None:
    writer = Writer(data)
    writer.table(document, (), "")
    assert tomllib.loads(writer.text) == document  # the test writes what it means
    text = writer.text.replace("\n", "\r\n") if windows else writer.text
    assert dict(locate(text)) == writer.lines
