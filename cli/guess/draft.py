"""The draft of a configuration: what was guessed, why, and what only a person can say.

Counterparts: `compose_file`, `dockerfile` and `manifests` make drafts, `init` writes their text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

WRITE: Final = "# write: "
"""Begins the comment on a line that a person has to look at."""
_VALUE: Final = '{"id": "{{ uuid(i) }}", "amount": {{ amount }}}'


@dataclass(frozen=True, slots=True)
class Guess:
    """A value as the file has it, and where it comes from."""

    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """`target` has the keys of its table, each as TOML. What was not found is None.

    `table`: of the database, which one row for each event is guessed to go to. `after_start`: what
    is run once it has started, by name; what a program of this machine would do there is not known.
    """

    origin: str
    target: Mapping[str, Guess]
    env: Mapping[str, Guess] = field(default_factory=dict[str, Guess])
    topic: Guess | None = None
    group: Guess | None = None
    schema: Guess | None = None
    table: Guess | None = None
    own_postgres: Guess | None = None
    after_start: str | None = None


def quoted(text: str) -> str:
    """A string of TOML, whose basic strings are escaped as JSON's."""
    return json.dumps(text, ensure_ascii=False)


def draft_text(draft: Draft) -> str:
    """The whole file. Lines that only a person can finish end with a comment that begins WRITE."""
    lines = [
        "#:schema .killpoint/killpoint.schema.json",
        "",
        f"# Guessed from {draft.origin}; each comment says why.",
        "#   killpoint check      what is wrong, what would run",
        "#   killpoint run        kill it at every moment that matters",
        "# All keys and placeholders: killpoint help config",
        "",
        "[target]",
        *(_line(key, guess) for key, guess in draft.target.items()),
        *([_line("group", _text(draft.group))] if draft.group else []),
        *_env(draft.env),
        *_after_start(draft.after_start),
        "",
        "[[source]]",
        _topic(draft.topic),
        "generate.count = 12",
        'generate.key = "{{ i % 4 }}"',
        f"generate.value = '{_VALUE}'   {WRITE}as the values of your events are",
        "",
        "[database]",
        *_database(draft),
        "",
        *_check(draft.table),
        "",
        "[run]",
        'actions = ["kill", "terminate"]',
        '# require = "effectively once"',
    ]
    if draft.own_postgres is not None:
        lines += ["", "[stack]", _line("postgres", draft.own_postgres)]
    return "\n".join(lines) + "\n"


def lines_to_write(text: str) -> list[tuple[int, str]]:
    """The lines of a draft that a person has to finish: their numbers, and what is missing."""
    return [
        (number, line.split(WRITE, 1)[1])
        for number, line in enumerate(text.splitlines(), 1)
        if WRITE in line
    ]


def _line(key: str, guess: Guess) -> str:
    return f"{key} = {guess.value}   # {guess.reason}"


def _text(guess: Guess) -> Guess:
    return Guess(quoted(guess.value), guess.reason)


def _env(env: Mapping[str, Guess]) -> list[str]:
    return [f"env.{name} = {quoted(guess.value)}   # {guess.reason}" for name, guess in env.items()]


def _after_start(name: str | None) -> list[str]:
    if name is None:
        return []
    what = f"a program that does after each start what {name} does"
    return [f'# after_start = ["./{name}"]   {WRITE}{what}']


def _topic(topic: Guess | None) -> str:
    if topic is None:
        return f'topic = "events"   {WRITE}the topic that it reads'
    return _line("topic", _text(topic))


def _database(draft: Draft) -> list[str]:
    if draft.schema is not None:
        return [_line("schema", _text(draft.schema))]
    if draft.own_postgres is not None:
        return ["# its scripts make the tables"]
    return ['migrate = "target"   # no SQL was found: the target is guessed to make its own tables']


def _check(table: Guess | None) -> list[str]:
    if table is None:
        return ["# No [[check]]: a crash is compared with what the clean run leaves in the tables."]
    return [
        "[[check]]                # the last column is compared, the others are the key",
        'name = "a row for each event"',
        'expected = "select count(*) from events"',
        f"actual = {quoted(f'select count(*) from {table.value}')}   # {table.reason}",
    ]
