"""Golden messages: each mistake in a configuration gives one message with its line and remedy."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from killpoint.checks.baseline import CleanRunCheck
from killpoint.cli.config.load import load_project
from killpoint.cli.config.problem import ConfigError

Spoil = Callable[[str, str], Path]

EVENTS = 'events = "clicks.jsonl"'
EXPECTED = "\"select value->>'code' as code, count(*) as clicks from events group by 1\""
GENERATE = "generate = {{ count = 3, value = '{value}' }}"

MISTAKES = {
    "unknown key": (
        'events = "clicks.jsonl"',
        'event = "clicks.jsonl"\ngenerate = { count = 1, value = "x" }',
        'killpoint.toml:8: [source] unknown key "event"\n'
        '  did you mean "events"?            all keys: killpoint help config',
    ),
    "unknown key like no other": (
        "partitions = 2",
        "zzz = 2",
        'killpoint.toml:7: [source] unknown key "zzz"\n  all keys: killpoint help config',
    ),
    "unknown key in an inline table": (
        EVENTS,
        'generate = { cont = 1, count = 3, value = "x" }',
        'killpoint.toml:8: [source] generate: unknown key "cont"\n'
        '  did you mean "count"?             all keys: killpoint help config',
    ),
    "unknown table": (
        "[run]",
        "[runs]",
        'killpoint.toml:18: unknown table "runs"\n'
        '  did you mean "run"?               all keys: killpoint help config',
    ),
    "missing key": (
        'actual = "select code, clicks from click_counts"',
        "",
        'killpoint.toml:13: [[check]] "actual" is missing\n'
        '  do     add  actual = "select code, clicks from click_counts"',
    ),
    "expected by two": (
        f"expected = {EXPECTED}",
        f'expected = {EXPECTED}\nexpected_command = ["{{python}}", "expected.py"]',
        "killpoint.toml:13: [[check]] has expected and expected_command: what is expected is one "
        "of them\n  do     see  killpoint help config",
    ),
    "a query beside the clean run": (
        f"expected = {EXPECTED}",
        'against = "clean run"',
        "killpoint.toml:13: [[check]] has against and actual: it is of one kind or the other\n"
        "  do     see  killpoint help config",
    ),
    "tables without the clean run": (
        f"expected = {EXPECTED}",
        f'expected = {EXPECTED}\ntables = ["counts"]',
        'killpoint.toml:13: [[check]] has tables, which goes with  against = "clean run"\n'
        "  do     see  killpoint help config",
    ),
    "against something else": (
        f"expected = {EXPECTED}",
        'against = "last run"',
        'killpoint.toml:15: [[check]] against cannot be "last run"\n'
        '  did you mean "clean run"?         known: clean run',
    ),
    "a program that is not there": (
        f"expected = {EXPECTED}",
        'expected_command = ["./expected"]',
        'killpoint.toml:15: [[check]] expected_command[0] "./expected" does not exist\n'
        "  do     write its path from this file's folder: <folder>",
    ),
    "missing table": (
        '[target]\ncommand = ["{python}", "counter.py"]\nenv = { BATCH_SIZE = "3" }\n',
        "",
        "killpoint.toml: [target] is missing\n"
        "  do     add  [target]  with command: the consumer under test\n"
        "  all keys: killpoint help config",
    ),
    "number for a string": (
        'BATCH_SIZE = "3"',
        "BATCH_SIZE = 3",
        "killpoint.toml:3: [target] env.BATCH_SIZE must be a string in quotes, not 3\n"
        '  do     write  BATCH_SIZE = "3"',
    ),
    "a name at which nothing of this machine can answer": (
        'env = { BATCH_SIZE = "3" }',
        'answer_at = { kafka = "kafka.invalid:9092" }',
        'killpoint.toml:3: [target] answer_at.kafka "kafka.invalid" is no name of this machine\'s '
        "loopback\n"
        "  do     add  127.0.0.1 kafka.invalid  to /etc/hosts, or run it in a compose file",
    ),
    "a topic that cannot be": (
        "[run]",
        '[stack]\ntopics = ["retry:none"]\n[run]',
        "killpoint.toml:19: [stack] topics[0] must be a topic, or one with its partitions, "
        '"retry:3", not "retry:none"\n'
        "  do     see  killpoint help config",
    ),
    "a hook that is no program": (
        "[run]",
        '[hooks]\nbefore_scenario = ["./flush.sh"]\n[run]',
        'killpoint.toml:19: [hooks] before_scenario[0] "./flush.sh" does not exist\n'
        "  do     write its path from this file's folder: <folder>",
    ),
    "a file of variables that is not there": (
        'env = { BATCH_SIZE = "3" }',
        'env_file = ".env"',
        'killpoint.toml:3: [target] env_file names a file that does not exist: ".env"\n'
        "  do     write <folder>/.env, or mend the name",
    ),
    "a file of variables that is none": (
        'env = { BATCH_SIZE = "3" }',
        'env_file = "clicks.jsonl"',
        'clicks.jsonl:1: line 1 is no NAME=value: {"key": "a", "value": {"code": "a"}}\n'
        "  do     write NAME=value, the value in quotes if it has quotes or #",
    ),
    "a configuration file outside the run's folder": (
        'env = { BATCH_SIZE = "3" }',
        'files = [{ template = "schema.sql", path = "../app.toml" }]',
        "killpoint.toml:3: [target] files[0].path leads out of its folder\n"
        '  do     write the name of a file, each its own:  path = "config.toml"',
    ),
    "a template of a configuration file that fails": (
        'env = { BATCH_SIZE = "3" }',
        'files = [{ template = "bad.j2", path = "app.toml" }]',
        'killpoint.toml:3: [target] files[0].template names a template that fails: "bad.j2"\n'
        "  why    'kafak' is undefined\n"
        "  do     mend the template; its variables are those of  killpoint help config",
    ),
    "a placeholder of a file that is not made": (
        'env = { BATCH_SIZE = "3" }',
        'env = { CONFIG = "{file:app.toml}" }',
        "killpoint.toml:3: [target] env.CONFIG names no file in {file:app.toml}\n"
        '  do     add it to  files  with path = "app.toml", or mend the name',
    ),
    "a word for a migration that is none": (
        'schema = "schema.sql"',
        'migrate = "alembic upgrade head"',
        'killpoint.toml:11: [database] migrate must be a list in brackets, not "alembic upgrade '
        'head"\n'
        '  do     write  migrate = ["alembic", "upgrade", "head"]',
    ),
    "a target that migrates one database of two": (
        'schema = "schema.sql"',
        '[databases.orders]\nmigrate = "target"',
        'killpoint.toml:12: [databases] orders.migrate is "target", but one start of it makes the '
        "tables of all databases\n"
        '  do     write  migrate = "target"  in [database], and nothing here',
    ),
    "a setting that killpoint needs": (
        'schema = "schema.sql"',
        "settings = { port = 5432 }",
        "killpoint.toml:11: [database] settings names port, which killpoint sets itself, or it "
        "finds no server\n"
        '  do     for example  settings = { wal_level = "logical", max_prepared_transactions = 0 }'
        "        more: killpoint help config",
    ),
    "a setting with a name that is none": (
        'schema = "schema.sql"',
        'settings = { "wal-level" = "logical" }',
        'killpoint.toml:11: [database] settings names "wal-level", which is no name of a server '
        "setting\n"
        '  do     for example  settings = { wal_level = "logical", max_prepared_transactions = 0 }'
        "        more: killpoint help config",
    ),
    "rows in a file that is not there": (
        'schema = "schema.sql"',
        'seed = ["rows.sql"]',
        'killpoint.toml:11: [database] seed[0] names a file that does not exist: "rows.sql"\n'
        "  do     write <folder>/rows.sql, or mend the name",
    ),
    "a database beside it that no placeholder can name": (
        'schema = "schema.sql"',
        '[databases.Orders]\nname = "orders"',
        "killpoint.toml:11: [databases] Orders cannot be a key\n"
        "  do     write small letters, digits or _, at most 16:  [databases.orders]",
    ),
    "two databases of one name": (
        'schema = "schema.sql"',
        'name = "orders"\n[databases.orders]\nname = "orders"',
        'killpoint.toml:13: [databases] orders.name has the name of [database], "orders"\n'
        "  do     leave one of the tables out, or give each a name of its own",
    ),
    "a check of a database that is not there": (
        'actual = "select code, clicks from click_counts"',
        'actual = "select code, clicks from click_counts"\ndatabase = "orders"',
        'killpoint.toml:17: [[check]] database names no database: "orders"\n'
        "  do     add  [databases.orders], or leave this key out",
    ),
    "a placeholder of a database that is not there": (
        'env = { BATCH_SIZE = "3" }',
        'env = { ORDERS = "{postgres:orders}" }',
        "killpoint.toml:3: [target] env.ORDERS names no database in {postgres:orders}\n"
        "  do     add  [databases.orders], or mend the name",
    ),
    "a database that Postgres keeps for itself": (
        'schema = "schema.sql"',
        'name = "template1"',
        'killpoint.toml:11: [database] name cannot be "template1", which Postgres makes every '
        "database from\n"
        '  do     for example  name = "orders"        more: killpoint help config',
    ),
    "a name that Postgres would cut off": (
        'schema = "schema.sql"',
        f'user = "{"a" * 64}"',
        "killpoint.toml:11: [database] user is longer than the 63 bytes that Postgres takes\n"
        '  do     for example  user = "app"        more: killpoint help config',
    ),
    "string for a number": (
        "partitions = 2",
        'partitions = "2"',
        'killpoint.toml:7: [source] partitions must be a whole number, not "2"\n'
        "  do     write  partitions = 2",
    ),
    "string for a command": (
        'command = ["{python}", "counter.py"]',
        'command = "python counter.py"',
        "killpoint.toml:2: [target] command must be a list in brackets, "
        'not "python counter.py"\n'
        '  do     write  command = ["python", "counter.py"]',
    ),
    "number too small": (
        "partitions = 2",
        "partitions = 0",
        "killpoint.toml:7: [source] partitions must be 1 or more, not 0\n"
        "  do     see  killpoint help config",
    ),
    "empty command": (
        'command = ["{python}", "counter.py"]',
        "command = []",
        "killpoint.toml:2: [target] command must not be empty\n"
        '  do     for example  command = ["{python}", "counter.py"]'
        "        more: killpoint help config",
    ),
    "no duration": (
        'require = "at least once"',
        "drain_timeout = 30",
        "killpoint.toml:19: [run] drain_timeout must be a duration such as "
        '"60s", "500ms" or "2m", not 30\n'
        '  do     for example  drain_timeout = "30s"        more: killpoint help config',
    ),
    "no guarantee of the four": (
        '"at least once"',
        '"exactly once"',
        'killpoint.toml:19: [run] require cannot be "exactly once"\n'
        '  did you mean "effectively once"?  '
        "one of: no guarantee, at most once, at least once, effectively once",
    ),
    "unknown action": (
        "[run]",
        '[run]\nactions = ["kil"]',
        'killpoint.toml:19: [run] actions[0] cannot be "kil"\n'
        '  did you mean "kill"?              one of: kill, terminate',
    ),
    "one bracket too few": (
        "[[check]]",
        "[check]",
        "killpoint.toml:13: [check] must be written with two brackets\n"
        "  do     write  [[check]]  instead of  [check]",
    ),
    "one bracket too many": (
        "[run]",
        "[[run]]",
        "killpoint.toml:18: [[run]] exists once\n  do     write  [run]  instead of  [[run]], once",
    ),
    "events from nowhere": (
        EVENTS,
        "",
        "killpoint.toml:5: [source] says nothing of its events: "
        "one of events, generate, produce\n  do     see  killpoint help config",
    ),
    "late events of a program": (
        EVENTS,
        'produce = ["{python}", "produce.py"]\nlate = 2',
        "killpoint.toml:5: [source] has produce and late, but its program alone says when events "
        "come\n  do     see  killpoint help config",
    ),
    "more late events than events": (
        EVENTS,
        "generate = { count = 3, value = '{}' }\nlate = 4",
        "killpoint.toml:5: [source] has late = 4, but there are 3 events\n"
        "  do     see  killpoint help config",
    ),
    "events from two places": (
        EVENTS,
        EVENTS + '\nproduce = ["{python}", "produce.py"]',
        "killpoint.toml:5: [source] has events and produce, but its events come from one of them\n"
        "  do     see  killpoint help config",
    ),
    "tables from two places": (
        'schema = "schema.sql"',
        'schema = "schema.sql"\nmigrate = ["{python}"]',
        "killpoint.toml:10: [database] has schema and migrate, "
        "but the tables come from one of them\n  do     see  killpoint help config",
    ),
    "no moment": (
        "[run]",
        '[[scenario]]\nfaults = [ { at = "postgres.comit:after", action = "kill" } ]\n[run]',
        'killpoint.toml:19: [[scenario]] faults[0].at unknown event "comit" of postgres in '
        '"postgres.comit:after"; did you mean "commit"?\n'
        '  do     for example  at = "postgres.commit#2:after"        more: killpoint help moments',
    ),
    "work that is held at a moment of Kafka": (
        "[run]",
        '[[scenario]]\nfaults = [ { at = "kafka.join:after", action = "overtake" } ]\n[run]',
        "killpoint.toml:19: [[scenario]] faults[0] kafka.join:after can't be overtaken: "
        "overtake holds the work, at a moment of postgres\n  do     see  killpoint help config",
    ),
    "unknown placeholder": (
        'BATCH_SIZE = "3"',
        'KAFKA = "{kafak}"',
        "killpoint.toml:3: [target] env.KAFKA has the unknown placeholder {kafak}\n"
        "  did you mean {kafka}?             all placeholders: killpoint help config",
    ),
    "braces that are none": (
        'BATCH_SIZE = "3"',
        "FILTER = '{\"a\": 1}'",
        'killpoint.toml:3: [target] env.FILTER has the unknown placeholder {"a": 1}\n'
        "  do     write {{ and }} for braces that are meant as such",
    ),
    "single brace": (
        '"counter.py"',
        '"counter.py}"',
        "killpoint.toml:2: [target] command[1] has a single brace in 'counter.py}'\n"
        "  do     write {{ and }} for braces that are meant as such",
    ),
    "no such program": (
        '"{python}"',
        '"killpoint-no-such-program"',
        'killpoint.toml:2: [target] command[0] "killpoint-no-such-program" is not on the PATH\n'
        "  do     install it, or write its path, or use {python} for killpoint's own Python",
    ),
    "no such program here": (
        '"{python}"',
        '"./run"',
        'killpoint.toml:2: [target] command[0] "./run" does not exist\n'
        "  do     write its path from this file's folder: <folder>",
    ),
    "not executable": (
        '"{python}"',
        '"./schema.sql"',
        'killpoint.toml:2: [target] command[0] "./schema.sql" is not executable\n'
        "  do     chmod +x <folder>/schema.sql",
    ),
    "missing events": (
        '"clicks.jsonl"',
        '"cliks.jsonl"',
        'killpoint.toml:8: [source] events names a file that does not exist: "cliks.jsonl"\n'
        "  do     write <folder>/cliks.jsonl, or mend the name",
    ),
    "missing schema": (
        '"schema.sql"',
        '"tables.sql"',
        'killpoint.toml:11: [database] schema names a file that does not exist: "tables.sql"\n'
        "  do     write <folder>/tables.sql, or mend the name",
    ),
    "missing query": (
        EXPECTED,
        '"expected.sql"',
        'killpoint.toml:15: [[check]] expected names a file that cannot be read: "expected.sql"\n'
        "  why    [Errno 2] No such file or directory: '<folder>/expected.sql'\n"
        "  do     write the file, or put the query here",
    ),
    "expected does not parse": (
        EXPECTED,
        '"select count(*) form events"',
        'killpoint.toml:15: [[check]] expected of "clicks per link" cannot be used\n'
        '  why    line 1, column 22 of the query: syntax error at or near "events"\n'
        '  do     mend it for DuckDB; events has topic, partition, "offset", key, value, '
        "value_bytes, headers, timestamp, origin",
    ),
    "actual does not parse": (
        '"select code, clicks from click_counts"',
        '"selct code, clicks from click_counts"',
        'killpoint.toml:16: [[check]] actual of "clicks per link" cannot be used\n'
        '  why    line 1, column 1 of the query: syntax error at or near "selct"\n'
        "  do     mend it for Postgres: one query that only reads",
    ),
    "position does not parse": (
        "[[check]]",
        'position = "select topic from"\n[[check]]',
        "killpoint.toml:13: [database] position does not parse\n"
        "  why    syntax error at end of input\n"
        "  do     write one query of topic, partition and next offset, for Postgres",
    ),
    "template with an unknown variable": (
        EVENTS,
        GENERATE.format(value="{{ amont }}"),
        "killpoint.toml:8: [source] generate.value is a template that fails\n"
        "  why    'amont' is undefined (event 0)\n"
        "  do     mend the template: it knows i, uuid(i) and amount",
    ),
    "template that is none": (
        EVENTS,
        GENERATE.format(value="{{ i "),
        "killpoint.toml:8: [source] generate.value is a template that fails\n"
        "  why    unexpected end of template, expected 'end of print statement'.\n"
        "  do     mend the template: it knows i, uuid(i) and amount",
    ),
    "template that fails later": (
        EVENTS,
        GENERATE.format(value="{{ 1 // (2 - i) }}"),
        "killpoint.toml:8: [source] generate.value is a template that fails\n"
        "  why    integer division or modulo by zero (event 2)\n"
        "  do     mend the template: it knows i, uuid(i) and amount",
    ),
    "syntax": (
        "partitions = 2",
        "partitions 2",
        "killpoint.toml:7: is not valid TOML\n"
        "  why    Expected '=' after a key in a key/value pair: partitions 2\n"
        "  do     correct this line, or the one before it",
    ),
}


def test_a_right_configuration_is_read(folder: Path) -> None:
    project = load_project()
    assert project.file == folder / "killpoint.toml"
    assert project.configuration.source[0].partitions == 2
    assert project.configuration.target.start_timeout == 60.0
    assert project.checks[0].name == "clicks per link"


@pytest.mark.parametrize(("part", "by", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_gives_one_message(
    spoil: Spoil, folder: Path, part: str, by: str, message: str
) -> None:
    spoil(part, by)
    with pytest.raises(ConfigError) as caught:
        load_project()
    assert str(caught.value).replace(str(folder), "<folder>") == f"error: {message}"


IN_PYPROJECT = (
    "unknown key",
    "missing key",
    "missing table",
    "number for a string",
    "unknown key in an inline table",
)


def in_pyproject(text: str) -> str:
    tables = r"\[(\[?)(target|source|database|check|run)\]"
    return re.sub(tables, r"[\1tool.killpoint.\2]", text).replace(
        "killpoint.toml", "pyproject.toml"
    )


@pytest.mark.parametrize("mistake", IN_PYPROJECT)
def test_in_pyproject_a_message_names_that_file_its_line_and_its_table(
    spoil: Spoil, folder: Path, mistake: str
) -> None:
    part, by, message = MISTAKES[mistake]
    written = spoil(part, by)
    project = folder / "pyproject.toml"
    project.write_text(in_pyproject(written.read_text(encoding="utf-8")), encoding="utf-8")
    written.unlink()
    with pytest.raises(ConfigError) as caught:
        load_project()
    assert str(caught.value) == f"error: {in_pyproject(message)}"


def test_a_right_configuration_is_read_from_pyproject(folder: Path) -> None:
    text = in_pyproject((folder / "killpoint.toml").read_text(encoding="utf-8"))
    (folder / "killpoint.toml").unlink()
    (folder / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n{text}', encoding="utf-8")
    project = load_project()
    assert project.file == folder / "pyproject.toml"
    assert project.configuration.source[0].topic == "clicks"


def test_a_pyproject_without_the_table_says_so(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_project(Path("pyproject.toml"))
    assert str(caught.value).startswith(
        "error: pyproject.toml: has no table [tool.killpoint]\n  do     add [tool.killpoint.target]"
    )


def test_several_mistakes_are_all_told_in_the_order_of_the_file(spoil: Spoil) -> None:
    spoil("partitions = 2", "partitions = 0")
    spoil('name = "clicks per link"', "nam = 3")
    with pytest.raises(ConfigError) as caught:
        load_project()
    assert [problem.line for problem in caught.value.problems] == [7, 13, 14]


def test_without_a_check_the_tables_are_compared_with_the_clean_run(folder: Path) -> None:
    text = (folder / "killpoint.toml").read_text("utf-8")
    begin, end = text.index("[[check]]"), text.index("[run]")
    more = '[moments]\nignore_tables = ["Jobs"]\n[databases.orders]\n'
    (folder / "killpoint.toml").write_text(text[:begin] + more + text[end:], "utf-8")
    project = load_project()
    assert project.checks == ()
    name, left_out = "against the clean run", frozenset({"jobs"})
    assert project.against == (
        CleanRunCheck(name, other_tables=left_out),
        CleanRunCheck(name, other_tables=left_out, database="orders"),
    )


def test_a_check_against_the_clean_run_needs_no_query_and_no_name(spoil: Spoil) -> None:
    query = f'expected = {EXPECTED}\nactual = "select code, clicks from click_counts"'
    spoil(query, 'against = "clean run"\ntables = ["a"]\nignore = ["id", "*.seen"]')
    (check,) = load_project().against
    assert (check.name, check.tables, check.ignore) == ("clicks per link", ("a",), ("id", "*.seen"))


def test_a_program_may_say_what_is_expected(spoil: Spoil) -> None:
    spoil(f"expected = {EXPECTED}", 'expected_command = ["{python}", "expected.py"]')
    (check,) = load_project().checks
    assert (check.expected, check.command) == ("", ("{python}", "expected.py"))


def test_a_query_of_a_file_is_read_and_its_error_has_that_files_line(
    spoil: Spoil, folder: Path
) -> None:
    spoil('"select code, clicks from click_counts"', '"actual.sql"')
    (folder / "actual.sql").write_text("select code, clicks\nfrm click_counts")
    with pytest.raises(ConfigError, match=r"^error: actual\.sql:2: actual of "):
        load_project()
    (folder / "actual.sql").write_text("select code, clicks\nfrom click_counts")
    assert load_project().checks[0].actual == "select code, clicks\nfrom click_counts"


def test_a_bad_line_of_the_events_has_its_line(folder: Path) -> None:
    (folder / "clicks.jsonl").write_text('{"value": 1}\n{"valeu": 2}\n')
    with pytest.raises(ConfigError) as caught:
        load_project()
    assert str(caught.value).splitlines()[0] == 'error: clicks.jsonl:2: unknown key "valeu"'


def test_a_variable_of_the_targets_environment_leads_to_its_program(
    spoil: Spoil, folder: Path
) -> None:
    (folder / "bin").mkdir()
    program = folder / "bin" / "own-consumer"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    spoil('["{python}", "counter.py"]', '["own-consumer"]')
    spoil('BATCH_SIZE = "3"', f'PATH = "{folder}/bin"')
    assert load_project().configuration.target.command == ("own-consumer",)
