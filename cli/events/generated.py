"""Events made from Jinja templates, the same ones for the same seed.

Counterpart: `file.py` reads them from a file.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, Final
from uuid import UUID, uuid5

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from killpoint.cli.config.source import GenerateTable
from killpoint.cli.events.amount import amount
from killpoint.faults.record import Record

NAMESPACE: Final = UUID("5a2a5a4c-62fd-4d3c-9d4b-5c2f2b7d3c11")
"""Of killpoint's own, for `uuid(i)` (RFC 9562, version 5)."""


class GenerateError(ValueError):
    """A template that fails: `key` is `key`, `value` or `headers.NAME`, the message why."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def generate_events(table: GenerateTable, topic: str, seed: str) -> list[Record]:
    """`table.count` records; the partitioner chooses their partitions by key.

    Raises GenerateError.
    """
    templates = _templates(table)
    return [_record(templates, table, topic, seed, i) for i in range(table.count)]


def uuid_of(i: int, seed: str) -> str:
    """The UUID of a number: the same in every source and template of one seed."""
    return str(uuid5(NAMESPACE, f"{seed}/{i}"))


def _templates(table: GenerateTable) -> Mapping[str, Template]:
    texts = {"value": table.value}
    if table.key is not None:
        texts["key"] = table.key
    texts |= {f"headers.{name}": text for name, text in table.headers.items()}
    return {key: _compile(key, text) for key, text in texts.items()}


def _compile(key: str, text: str) -> Template:
    try:
        return _jinja().from_string(text)
    except TemplateError as error:
        raise GenerateError(key, f"{error.message or 'is no template'}") from error


@lru_cache(maxsize=1)
def _jinja() -> SandboxedEnvironment:
    return SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)


def _record(
    templates: Mapping[str, Template], table: GenerateTable, topic: str, seed: str, i: int
) -> Record:
    variables = {
        "i": i,
        "amount": amount(i, table.count),
        "uuid": partial(uuid_of, seed=seed),
    }
    texts = {key: _render(key, template, variables) for key, template in templates.items()}
    headers = tuple((name, texts[f"headers.{name}"]) for name in table.headers)
    return Record(topic, -1, -1, texts.get("key"), texts["value"], headers)


def _render(key: str, template: Template, variables: Mapping[str, Any]) -> bytes:
    """A template may divide by zero or worse: it is the user's code, so every error is theirs."""
    try:
        return template.render(variables).encode()
    except Exception as error:
        raise GenerateError(key, f"{error} (event {variables['i']})") from error
