"""The help names every key, placeholder and event there is, within the width of a screen."""

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.placeholders import DESCRIPTIONS
from killpoint.cli.config.table import Table
from killpoint.cli.help_config import config_help, moments_help
from killpoint.faults.moment import EVENTS, REPLICA


def keys(table: type[Table], prefix: str = "") -> list[str]:
    own = [prefix + key for key, _ in table.keys().items()]
    return own + [
        key for name, inner in table.tables().items() for key in keys(inner, f"{prefix}{name}.")
    ]


def test_every_key_has_its_line() -> None:
    first_words = [line.split()[0].rstrip("*") for line in config_help().splitlines() if line]
    for name, table in Configuration.tables().items():
        headers = {f"[{name}]", f"[[{name}]]", f"[{name}.KEY]"}
        assert headers & {*first_words}, name
        for key in keys(table):
            assert key in first_words


def test_lines_say_what_is_required_and_what_the_default_is() -> None:
    text = config_help()
    assert "\n  command           the consumer: program and arguments" in text
    assert "\n  topic*            " in text
    assert (
        "\n  restart           when it is started again after an exit of its own  (always, " in text
    )
    assert "\n  drain_timeout     how long" in text
    assert "(30s)\n" in text


def test_every_placeholder_is_there() -> None:
    for name, text in DESCRIPTIONS.items():
        assert any(
            line.startswith(f"  {{{name}}} ") and line.endswith(text)
            for line in config_help().splitlines()
        )


def test_every_event_is_there_with_its_sides_and_selectors() -> None:
    lines = moments_help().splitlines()
    for edge, events in EVENTS.items():
        for event, selectors in events.items():
            (at,) = [n for n, line in enumerate(lines) if line.startswith(f"  {edge}.{event} ")]
            assert len(lines[at].split(maxsplit=1)) == 2
            assert all(selector in lines[at + 1] for selector in selectors - {REPLICA})
            assert lines[at + 1].split()[0].startswith("after") is (event in ("join", "fetch"))


def test_the_width() -> None:
    assert max(map(len, [*config_help().splitlines(), *moments_help().splitlines()])) <= 100
