"""Where in a TOML text each key stands: `tomllib` gives values without lines, this the lines.

Counterpart: `document.py`, which has let `tomllib` accept the text first. So this scanner only
follows the structure (TOML 1.0: headers, dotted keys, strings, arrays, inline tables) and checks
nothing. It gives no values.
"""

import tomllib
from collections.abc import Mapping
from typing import Final

Place = tuple[str | int, ...]
"""Keys and indexes from the root: `("check", 1, "expected")` is that of the second `[[check]]`."""

BLANK: Final = " \t\r\n"
ENDS_BARE_KEY: Final = " \t.=]"
ENDS_SCALAR: Final = ",]}#\r\n"
QUOTES: Final = ('"""', "'''", '"', "'")


def locate(text: str) -> Mapping[Place, int]:
    """The line, from 1, where each key, array element and table header of a valid text stands."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    """One pass over the text; `lines` fills as it goes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Place, int] = {}
        self._tables: dict[Place, int] = {}  # arrays of tables: how many so far
        self._counted = 0  # the text up to here holds `_line - 1` line feeds
        self._line = 1

    def document(self) -> None:
        table: Place = ()
        self._skip_blank()
        while self.at < len(self.text):
            if self._peek("["):
                table = self._header()
            else:
                self._pair(table)
            self._skip_blank()

    def _header(self) -> Place:
        many = self._peek("[[")
        line = self._line_here()
        self.at += 2 if many else 1
        keys = self._keys()
        self.at += 2 if many else 1
        place: Place = ()
        for key in keys[:-1]:
            place = self._inside((*place, key))
            self.lines.setdefault(place, line)
        place = (*place, keys[-1])
        self.lines.setdefault(place, line)
        if many:
            self._tables[place] = self._tables.get(place, 0) + 1
        place = self._inside(place)
        self.lines.setdefault(place, line)
        return place

    def _inside(self, place: Place) -> Place:
        """A header that names an array of tables speaks of its last table."""
        count = self._tables.get(place)
        return place if count is None else (*place, count - 1)

    def _pair(self, table: Place) -> None:
        line = self._line_here()
        place = table
        for key in self._keys():
            place = (*place, key)
            self.lines.setdefault(place, line)
        self.at += 1  # =
        self._skip_blank()
        self._value(place)

    def _keys(self) -> list[str]:
        """A key with its dots, up to the `=` or `]` after it."""
        keys: list[str] = []
        while True:
            self._skip_blank()
            keys.append(self._key())
            self._skip_blank()
            if not self._peek("."):
                return keys
            self.at += 1

    def _key(self) -> str:
        start = self.at
        if self._peek('"') or self._peek("'"):
            self._string()
            name: str = tomllib.loads(f"key = {self.text[start : self.at]}")["key"]
            return name
        while self.text[self.at] not in ENDS_BARE_KEY:
            self.at += 1
        return self.text[start : self.at]

    def _value(self, place: Place) -> None:
        if self._peek("{"):
            self._inline_table(place)
        elif self._peek("["):
            self._array(place)
        elif self._peek('"') or self._peek("'"):
            self._string()
        else:
            while self.at < len(self.text) and self.text[self.at] not in ENDS_SCALAR:
                self.at += 1

    def _inline_table(self, place: Place) -> None:
        self.at += 1
        self._skip_to_item()
        while not self._peek("}"):
            self._pair(place)
            self._skip_to_item()
        self.at += 1

    def _array(self, place: Place) -> None:
        self.at += 1
        index = 0
        self._skip_to_item()
        while not self._peek("]"):
            self.lines[(*place, index)] = self._line_here()
            self._value((*place, index))
            index += 1
            self._skip_to_item()
        self.at += 1

    def _string(self) -> None:
        quote = next(quote for quote in QUOTES if self._peek(quote))
        self.at += len(quote)
        while not self._peek(quote):
            self.at += 2 if self._peek("\\") and quote[0] == '"' else 1
        self.at += len(quote)
        if len(quote) == 3:  # up to two quotes more may stand before the closing three
            while self._peek(quote[0]):
                self.at += 1

    def _skip_blank(self) -> None:
        """Spaces, line ends and comments."""
        while self.at < len(self.text):
            if self._peek("#"):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text[self.at] in BLANK:
                self.at += 1
            else:
                return

    def _skip_to_item(self) -> None:
        self._skip_blank()
        while self._peek(","):
            self.at += 1
            self._skip_blank()

    def _peek(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def _line_here(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
