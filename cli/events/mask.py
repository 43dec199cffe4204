"""Masks: values of events replaced by others that say nothing, equal ones by equal ones.

Counterpart: `killpoint capture --mask '$.email'`. Joins and counts by key still work on masked
events. A mask is made with a secret that is not kept: the same value is masked the same within one
capture, and nobody can find it by trying values afterwards.
"""

import hmac
from collections.abc import Sequence
from typing import Any, Final, cast

from jsonpath import JSONPathError, compile
from jsonpath.path import JSONPath

from killpoint.cli.events.value import Json, compact, read_json

_DIGITS: Final = 12


class MaskError(ValueError):
    """A path that is none."""


class Masks:
    """Paths are JSONPath (RFC 9535) into the value of an event. Raises MaskError."""

    def __init__(self, paths: Sequence[str], secret: bytes) -> None:
        self._secret = secret
        self._seen: dict[bytes, bytes] = {}
        try:
            self._paths = [self._compiled(path) for path in paths]
        except JSONPathError as error:
            raise MaskError(f"is no JSONPath: {error}") from error

    def masked(self, value: bytes | None) -> bytes | None:
        """The value with what the paths find replaced; JSON only, other bytes as they are."""
        if value is None or not self._paths:
            return value
        try:
            read: Any = read_json(value.decode())
        except ValueError:
            return value
        return compact(self._in(read)).encode()

    def key(self, key: bytes | None) -> bytes | None:
        """A key that was among the values masked so far is masked as they were."""
        return key if key is None else self._seen.get(key, key)

    def _in(self, value: Any) -> Any:
        for path in self._paths:
            for match in list(path.finditer(value)):
                if not match.parts:
                    return self.mask(value)
                holder = value
                for part in match.parts[:-1]:
                    holder = holder[part]
                holder[match.parts[-1]] = self.mask(match.obj)
        return value

    def mask(self, value: Any) -> Json:
        """Of the same kind: a text for a text, a number for a number; null, true, false stay."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, dict):
            pairs = cast("dict[str, Json]", value).items()
            return {key: self.mask(inner) for key, inner in pairs}
        if isinstance(value, list):
            return [self.mask(inner) for inner in cast("list[Json]", value)]
        word = str(value)
        digest = hmac.digest(self._secret, word.encode("utf-8", "surrogatepass"), "sha256")
        # A number fits a 32-bit column.
        number = int.from_bytes(digest[:4], "big") >> 1
        masked = self._text(word, digest) if isinstance(value, str) else number
        self._seen[word.encode("utf-8", "surrogatepass")] = str(masked).encode()
        return masked

    def _text(self, value: str, digest: bytes) -> str:
        """An address stays an address, for programs that check its form."""
        word = digest.hex()[:_DIGITS]
        return f"{word}@example.invalid" if "@" in value else word

    @staticmethod
    def _compiled(path: str) -> JSONPath:
        found = compile(path)
        if not isinstance(found, JSONPath):
            raise MaskError("is several paths: write --mask once for each")
        return found
