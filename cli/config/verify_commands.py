"""Commands and variables of the configuration: placeholders that exist, programs that exist."""

import os
import socket
import sys
from collections.abc import Iterator, Mapping

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.database import TARGET, OriginTable
from killpoint.cli.config.document import Document
from killpoint.cli.config.executable import NoSuchProgram, find_executable
from killpoint.cli.config.locator import Place
from killpoint.cli.config.placeholders import (
    DESCRIPTIONS,
    FILE,
    PORT,
    PlaceholderError,
    parse_placeholders,
)
from killpoint.cli.config.problem import Problem, did_you_mean, do
from killpoint.cli.config.target import TargetTable

ALL_PLACEHOLDERS = "all placeholders: killpoint help config"


def verify_commands(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of `env` and of every command."""
    target = configuration.target
    for name, text in target.env.items():
        yield from _placeholder_problems(text, ("target", "env", name), document)
    yield from _target_problems(target, document)
    databases: dict[Place, OriginTable] = {("database",): configuration.database}
    databases |= {("databases", key): table for key, table in configuration.databases.items()}
    for at, table in databases.items():
        if table.migrate is not None and table.migrate != TARGET:
            yield from _command_problems(table.migrate, (*at, "migrate"), document, {})
    for index, check in enumerate(configuration.check):
        if check.expected_command is not None:
            place: Place = ("check", index, "expected_command")
            yield from _command_problems(check.expected_command, place, document, {})
    hooks = configuration.hooks
    others: dict[Place, tuple[str, ...] | None] = {
        ("target", "after_start"): target.after_start,
        ("hooks", "before_scenario"): hooks.before_scenario,
        ("hooks", "after_scenario"): hooks.after_scenario,
    }
    for at, command in others.items():
        yield from _command_problems(command or (), at, document, {}) if command else ()
    for index, source in enumerate(configuration.source):
        if source.produce is not None:
            place = ("source", index, "produce")
            yield from _command_problems(source.produce, place, document, {})


def _target_problems(target: TargetTable, document: Document) -> Iterator[Problem]:
    """A command of this machine must exist here; what is in an image cannot be looked for."""
    place: Place = ("target", "command")
    if not target.in_container:
        yield from _unreachable(target, document)
        yield from _command_problems(target.command or (), place, document, target.env)
        return
    texts = {(*place, index): text for index, text in enumerate(target.command or ())}
    for at, text in texts.items():
        yield from _placeholder_problems(text, at, document)
    for at, text in {**texts, **_env_places(target)}.items():
        if "{python}" in text:
            what = "names {python}, killpoint's own interpreter, which a container does not have"
            yield document.problem(at, what, do("write the one of the image:  python3"))


def _env_places(target: TargetTable) -> dict[Place, str]:
    return {("target", "env", name): text for name, text in target.env.items()}


def _command_problems(
    command: tuple[str, ...], place: Place, document: Document, env: Mapping[str, str]
) -> Iterator[Problem]:
    bad = [
        problem
        for index, text in enumerate(command)
        for problem in _placeholder_problems(text, (*place, index), document)
    ]
    yield from bad
    program = None if bad else program_of(command[0])
    if program is None:
        return
    try:
        find_executable(program, document.folder, {**os.environ, **env})
    except NoSuchProgram as error:
        yield document.problem((*place, 0), str(error), do(error.remedy))


def program_of(text: str) -> str | None:
    """The program of a command, if it is known before the addresses are."""
    parts = parse_placeholders(text)
    if any(name not in (None, "python") for _, name in parts):
        return None
    return "".join(literal + (sys.executable if name else "") for literal, name in parts)


def _placeholder_problems(text: str, place: Place, document: Document) -> Iterator[Problem]:
    try:
        for _, name in parse_placeholders(text):
            yield from _unnamed(name or "", place, document)
    except PlaceholderError as error:
        hint = do("write {{ and }} for braces that are meant as such")
        if error.unknown is not None and error.unknown.isidentifier():
            hint = did_you_mean(error.unknown, DESCRIPTIONS, ALL_PLACEHOLDERS, mark="{")
        yield document.problem(place, str(error), hint)


def _unnamed(name: str, place: Place, document: Document) -> Iterator[Problem]:
    """A placeholder that names a database or a file which the configuration does not have."""
    kind, colon, key = name.partition(":")
    if not colon or kind == PORT:
        return
    if kind == FILE:
        files = document.data.get("target", {}).get("files", ())
        known, add = [file["path"] for file in files], f'add it to  files  with path = "{key}"'
    else:
        known, add = [*document.data.get("databases", {})], f"add  [databases.{key}]"
    if key not in known:
        what = "file" if kind == FILE else "database"
        hint = did_you_mean(key, known, do(f"{add}, or mend the name"))
        yield document.problem(place, f"names no {what} in {{{name}}}", hint)


def _unreachable(target: TargetTable, document: Document) -> Iterator[Problem]:
    """Names at which nothing of this machine alone could answer."""
    for kind, address in target.answer_at.model_dump(exclude_none=True).items():
        host = str(address).rpartition(":")[0]
        try:
            loopback = socket.gethostbyname(host).startswith("127.")
        except OSError:
            loopback = False
        if not loopback:
            what = f'"{host}" is no name of this machine\'s loopback'
            remedy = do(f"add  127.0.0.1 {host}  to /etc/hosts, or run it in a compose file")
            yield document.problem(("target", "answer_at", kind), what, remedy)
