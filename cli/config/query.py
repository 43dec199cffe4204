"""A query of a check: written in the configuration, or in a `.sql` file that it names."""

from pathlib import Path


def query_file(text: str, folder: Path) -> Path | None:
    """The file that a query stands in: one word that ends in `.sql` is a name, never a query."""
    name = text.strip()
    return folder / name if name.endswith(".sql") and len(name.split()) == 1 else None


def query_text(text: str, folder: Path) -> str:
    """The query itself. Raises OSError or UnicodeDecodeError for a file that cannot be read."""
    file = query_file(text, folder)
    return text if file is None else file.read_text(encoding="utf-8")
