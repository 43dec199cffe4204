"""The JSON Schema of killpoint.toml, which editors complete it by.

It is shipped as `cli/schema/killpoint.schema.json` (a test holds it equal to the models) and copied
to `.killpoint/` of a project, where the `#:schema` line that `init` writes names it: so editors
find it offline, and in the version that is installed.
"""

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from killpoint.cli.config.configuration import Configuration

NAME: Final = "killpoint.schema.json"
FOLDER: Final = ".killpoint"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def configuration_schema() -> dict[str, Any]:
    """Made from the models."""
    schema = Configuration.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": DIALECT, **_with_values(schema), "title": "killpoint.toml"}


def _with_values(schema: dict[str, Any]) -> dict[str, Any]:
    """The models give examples as TOML, a schema takes values."""
    for model in (schema, *schema.get("$defs", {}).values()):
        for field in model["properties"].values():
            if "examples" in field:
                field["examples"] = [_toml_value(text) for text in field["examples"]]
    return schema


def _toml_value(text: str) -> Any:
    return tomllib.loads(f"value = {text}")["value"]


def shipped_schema() -> str:
    """The text of the file in the package."""
    return (files("killpoint.cli") / "schema" / NAME).read_text(encoding="utf-8")


def schema_text() -> str:
    """The text that the shipped file should have."""
    return json.dumps(configuration_schema(), indent=2, ensure_ascii=False) + "\n"


def write_schema(folder: Path) -> Path:
    """Put the schema into `.killpoint/` of a project, which git then ignores; returns its path."""
    own = folder / FOLDER
    own.mkdir(exist_ok=True)
    (own / ".gitignore").write_text("*\n", encoding="utf-8")
    path = own / NAME
    path.write_text(shipped_schema(), encoding="utf-8")
    return path
