"""Which kind of file a configuration is guessed from, and the file that is written."""

from pathlib import Path
from typing import Final

from killpoint.cli.config.find import NAME
from killpoint.cli.config.problem import ConfigError, Problem, do, shown
from killpoint.cli.config.schema import write_schema
from killpoint.cli.guess.draft import Draft, draft_text

KINDS: Final = "a compose file, a Dockerfile, a pyproject.toml, a package.json or a pom.xml"


def draft_of(file: Path) -> Draft:
    """The draft that a file of a project leads to. Raises ConfigError."""
    if not file.is_file():
        raise ConfigError([Problem(f"{shown(file)} does not exist", (do(f"name {KINDS}"),))])
    match file.name:
        case "pyproject.toml":
            from killpoint.cli.guess.manifests import from_pyproject

            return from_pyproject(file)
        case "package.json":
            from killpoint.cli.guess.manifests import from_package

            return from_package(file)
        case "pom.xml":
            from killpoint.cli.guess.manifests import from_pom

            return from_pom(file)
        case name if name.lower().startswith("dockerfile") or name.endswith(".Dockerfile"):
            from killpoint.cli.guess.dockerfile import from_dockerfile

            return from_dockerfile(file)
        case name if name.endswith((".yaml", ".yml")):
            from killpoint.cli.guess.compose_file import from_compose

            return from_compose(file)
        case _:
            raise ConfigError(
                [Problem("is of no kind that is known", (do(f"name {KINDS}"),), file)]
            )


def write_guess(file: Path) -> tuple[list[Path], str]:
    """Write killpoint.toml beside the file; returns the paths written, and the text.

    Raises ConfigError, and writes nothing, if there is one already.
    """
    path = file.parent / NAME
    if path.exists() or path.is_symlink():
        remedy = do(f"move it away, then again:  killpoint init --from {shown(file)}")
        raise ConfigError([Problem("exists already, nothing was written", (remedy,), path)])
    text = draft_text(draft_of(file))
    with path.open("x", encoding="utf-8") as out:
        out.write(text)
    return [path, write_schema(file.parent)], text
