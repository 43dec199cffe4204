"""The topic that a program's own sources subscribe to, as the clients and frameworks write it.

Counterpart: drafts whose variables name no topic. Sources are searched as text, not parsed: what is
made of constants or placeholders is not found.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from killpoint.cli.guess.draft import Guess

_NAME: Final = r"['\"`]([\w.-]+)['\"`]"
_SUBSCRIBES: Final = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"@KafkaListener\([^)]*?topics\s*=\s*[\[{{]?\s*{_NAME}",
        r"^mp\.messaging\.incoming\.[\w-]+\.topic\s*=\s*([\w.-]+)\s*$",
        rf"@(?:\w+\.)?subscriber\(\s*{_NAME}",
        rf"@(?:Event|Message)Pattern\(\s*{_NAME}",
        rf"ConsumeTopics\(\s*{_NAME}",
        rf"\.Consume\(\s*\w+,\s*\[\]string\{{\s*{_NAME}",
        rf"\.subscribe\(\s*\{{\s*topics?:\s*\[?\s*{_NAME}",
        rf"\.[Ss]ubscribe\w*\(\s*(?:&?\[|\[\]string\{{)?\s*{_NAME}",
        rf"KafkaConsumer\(\s*{_NAME}",
        rf"\"connector\.class\"[^}}]*\"topics\"\s*:\s*{_NAME}",
        rf"@Incoming\(\s*{_NAME}",
    )
)
"""Spring, Quarkus, FastStream, NestJS, franz-go, sarama, kafkajs, librdkafka's bindings, Python's
other clients, a connector of Kafka Connect; last a channel of Quarkus, whose name is its topic
unless a property says otherwise."""
_ENDINGS: Final = frozenset(
    {".java", ".kt", ".properties", ".py", ".ts", ".js", ".mjs", ".go", ".rs", ".cs", ".json"}
)
_NOT_SOURCES: Final = frozenset(
    {"target", "build", "dist", "node_modules", "vendor", "venv", "bin", "obj", "test", "tests"}
)
_MOST_FILES: Final = 2_000
_MOST_BYTES: Final = 200_000


def topic_near(folder: Path) -> Guess | None:
    """The first pattern that is found decides, at its first place in the order of the files."""
    texts = [(file, text) for file in _sources(folder) if (text := _read(file))]
    for pattern in _SUBSCRIBES:
        for file, text in texts:
            if found := pattern.search(text):
                return Guess(found[1], f"subscribed in {file.relative_to(folder).as_posix()}")
    return None


def _sources(folder: Path) -> Iterator[Path]:
    left = _MOST_FILES
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in _NOT_SOURCES and f[0] != ".")
        for name in sorted(names):
            if Path(name).suffix in _ENDINGS:
                left -= 1
                if left < 0:
                    return
                yield Path(place) / name


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            return ""
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
