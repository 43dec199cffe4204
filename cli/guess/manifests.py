"""Drafts from a pyproject.toml, a package.json or a pom.xml: how the program is started."""

import json
import tomllib
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from killpoint.cli.config.problem import ConfigError, Problem, why
from killpoint.cli.guess.dockerfile import variables_near
from killpoint.cli.guess.draft import Draft, Guess, quoted
from killpoint.cli.guess.sources import topic_near
from killpoint.cli.guess.sql import schema_near
from killpoint.cli.guess.variables import named, placeholders_for

_SPRING: Final = {
    "SPRING_KAFKA_BOOTSTRAP_SERVERS": "",
    "SPRING_DATASOURCE_URL": "jdbc:postgresql://",
    "SPRING_DATASOURCE_USERNAME": "",
    "SPRING_DATASOURCE_PASSWORD": "",
}
_QUARKUS: Final = {
    "KAFKA_BOOTSTRAP_SERVERS": "",
    "QUARKUS_DATASOURCE_JDBC_URL": "jdbc:postgresql://",
    "QUARKUS_DATASOURCE_USERNAME": "",
    "QUARKUS_DATASOURCE_PASSWORD": "",
}


def from_pyproject(file: Path) -> Draft:
    """The first script that the project installs, else a module of its name."""
    try:
        project: dict[str, Any] = tomllib.loads(_text(file)).get("project", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([Problem("is not valid TOML", (why(str(error)),), file)]) from error
    scripts: dict[str, str] = project.get("scripts", {})
    name = str(project.get("name", "consumer")).replace("-", "_")
    words = [next(iter(scripts))] if scripts else ["python", "-m", name]
    reason = "the first of [project.scripts]" if scripts else "a guess: a module of its name"
    return _draft(file, words, reason, variables_near(file.parent))


def from_package(file: Path) -> Draft:
    """The script `start`, without npm around it where it is one plain program."""
    try:
        package: dict[str, Any] = json.loads(_text(file))
    except ValueError as error:
        raise ConfigError([Problem("is not valid JSON", (why(str(error)),), file)]) from error
    start = str(package.get("scripts", {}).get("start", ""))
    plain = start.split() if start.startswith("node ") and not set(start) & set("&|;<>$\"'") else []
    words = plain or (["npm", "start"] if start else ["node", str(package.get("main", "index.js"))])
    reason = "its script start" if start else "its main file"
    return _draft(file, words, reason, variables_near(file.parent))


def from_pom(file: Path) -> Draft:
    """The jar that Maven builds, told its addresses as its framework reads them."""
    text = _text(file)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ConfigError([Problem("is not valid XML", (why(str(error)),), file)]) from error
    space = root.tag.partition("}")[0] + "}" if root.tag.startswith("{") else ""
    name = root.findtext(f"{space}artifactId") or "app"
    version = root.findtext(f"{space}version") or root.findtext(f"{space}parent/{space}version")
    quarkus = "io.quarkus" in text
    jar = "target/quarkus-app/quarkus-run.jar" if quarkus else f"target/{name}-{version}.jar"
    framework = _QUARKUS if quarkus else _SPRING if "springframework" in text else {}
    variables = {**framework, **variables_near(file.parent)}
    return _draft(file, ["java", "-jar", jar], "what mvn package builds", variables)


def _draft(file: Path, words: list[str], reason: str, variables: dict[str, str]) -> Draft:
    near = schema_near(file.parent)
    command = f"[{', '.join(map(quoted, words))}]"
    return Draft(
        origin=file.name,
        target={"command": Guess(command, reason)},
        env=placeholders_for(variables),
        topic=named(variables, "TOPIC") or topic_near(file.parent),
        group=named(variables, "GROUP"),
        schema=near.schema,
        table=near.table,
    )


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
