"""Never a hollow pass: what killpoint cannot see through is inconclusive, with the line to add.

Through the command, as a user meets it. What is wrong with the file is exit 2, and nothing starts.
"""

import re
from typing import Any

import pytest

from tests.support.project import Project, Ran

SETTINGS = '{ YOUR_VARIABLE = "{kafka}" }'
POSTGRES = '{ YOUR_VARIABLE = "{postgres}" }'

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def project(tmp_path: Any) -> Project:
    """The counter as target; `past.py` stands beside it. Limits are low: it starts in 0.3 s."""
    project = Project(tmp_path)
    project.tables["target"] = {"command": ["{python}", "counter.py"], "start_timeout": "5s"}
    project.tables["run"] = {"drain_timeout": "4s"}
    for name in ("counter", "past"):
        project.copy(name)
    return project


PAST: dict[str, Any] = {"command": ["{python}", "past.py"]}
INCONCLUSIVE: dict[str, tuple[dict[str, Any], list[str]]] = {
    "talks to the broker directly": (
        {"target": {**PAST, "env": {"PAST": "kafka"}}},
        ["did not come through killpoint", "connected past killpoint: 127.0.0.1:", SETTINGS],
    ),
    "writes past the proxy": (
        {"target": {**PAST, "env": {"PAST": "postgres"}}},
        ["nothing written: 6 events fetched", "past killpoint: 127.0.0.1:", POSTGRES],
    ),
    "never connects": (
        {"target": {"command": ["sleep", "1000"]}},
        ["no join and no fetch in 5 s", "it never connected", SETTINGS],
    ),
    "exits before it joins": (
        {"target": {"command": ["{python}", "-c", "exit('no settings')"], "restart_limit": 1}},
        ["ended (exit 1) 2 times in a row before it joined its group", "target.log"],
    ),
    "exits well before it joins": (
        {"target": {"command": ["{python}", "-c", "pass"], "restart": "on-failure"}},
        ["ended (exit 0) once before it joined its group", "[target] command"],
    ),
    "reads but writes nowhere": (
        {"target": {"env": {"WRITES": "no"}}},
        ["nothing written: 6 events fetched, 0 rows in 4 s", "[run] drain_timeout"],
    ),
    "reads nothing": (
        {"target": {"env": {"OFFSET_RESET": "latest"}}, "source": {"group_start": "none"}},
        ["read nothing", "END of the topic", 'remove group_start = "none" from [source]'],
    ),
    "actual fails": (
        {"check": {"actual": "select code, clicks from no_such_table"}},
        ["actual failed in Postgres", '"no_such_table" does not exist', "mend actual"],
    ),
    "TLS to Kafka": (
        {"target": {"env": {"SECURITY_PROTOCOL": "ssl"}}},
        ["speaks TLS on kafka", '{ YOUR_VARIABLE = "PLAINTEXT" }'],
    ),
    "TLS to Postgres": (
        {"target": {"env": {"DATABASE_URL": "{postgres}?sslmode=require"}}},
        ["speaks TLS on postgres", '"{postgres}?sslmode=disable"'],
    ),
}


GOLDEN: dict[str, str] = {
    "never connects": """\
INCONCLUSIVE   required: nothing      given: none named
         the clean run was inconclusive: the target did not come through killpoint: no join and no
         fetch in 5 s; it never connected: is the address fixed in its code or in a file?
         no guarantee named under one kill: 0 of 0 moments
         0 of 0 scenarios reached · 0 inconclusive · TIME

Do       [target] env = { YOUR_VARIABLE = "{kafka}" }: name the variable that holds its brokers
Output   .killpoint/runs/RUN/clean-1/target.log

exit 3   inconclusive""",
    "reads but writes nowhere": """\
INCONCLUSIVE   required: nothing      given: none named
         the clean run was inconclusive: nothing written: 6 events fetched, 0 rows in 4 s
         no guarantee named under one kill: 0 of 0 moments
         0 of 0 scenarios reached · 0 inconclusive · TIME

Do       the target may collect rows in memory: raise the count of events, lower its flush interval
         in [target] env, or raise [run] drain_timeout = "6m"
Output   .killpoint/runs/RUN/clean-1/target.log

exit 3   inconclusive""",
    "reads nothing": """\
INCONCLUSIVE   required: nothing      given: none named
         the clean run was inconclusive: the target read nothing in 4 s: its group had no offset and
         it asked for the END of the topic, after the events
         no guarantee named under one kill: 0 of 0 moments
         0 of 0 scenarios reached · 0 inconclusive · TIME

Do       remove group_start = "none" from [source], or set the target to earliest
Output   .killpoint/runs/RUN/clean-1/target.log

exit 3   inconclusive""",
}
"""The end of what is printed: the errors that a newcomer meets first, word for word."""


def shown(ran: Ran) -> str:
    """What a run printed, without what is another each time."""
    text = re.sub(r"runs/[0-9a-f-]+/", "runs/RUN/", ran.stdout.strip())
    return re.sub(r"· [0-9][0-9. mins]*$", "· TIME", text, flags=re.MULTILINE)


@pytest.mark.parametrize("kind", INCONCLUSIVE)
def test_a_target_that_cannot_be_judged_is_inconclusive(project: Project, kind: str) -> None:
    changes, said = INCONCLUSIVE[kind]
    project.change(changes)
    ran = project.judged("run")
    inconclusive(ran)
    (clean_run,) = ran.json["clean_runs"]
    assert clean_run["outcome"] == "inconclusive"
    assert ran.json["scenarios"] == []
    for words in said:
        assert words in f"{ran.words} {clean_run['reason']}", words
        assert words in ran.words.replace("\n", " "), words
    assert "lost: none" not in ran.stdout
    if kind in GOLDEN:
        assert shown(ran) == GOLDEN[kind]


@pytest.mark.parametrize("at", ["postgres.commit#99:after", "postgres.rollback:before"])
def test_a_moment_that_never_comes_is_inconclusive(project: Project, at: str) -> None:
    ran = project.judged("run", "--at", at)
    inconclusive(ran)
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean", "clean"]
    (scenario,) = ran.json["scenarios"]
    assert scenario["outcome"] == "inconclusive"
    assert not scenario["faults"][0]["reached"]
    assert f"the moment {at} was not reached" in ran.words
    assert "killpoint points" in ran.stdout


@pytest.mark.parametrize("command", ["points", "audit"])
def test_the_other_commands_pass_no_hollow_run_either(project: Project, command: str) -> None:
    project.change({"target": {"env": {"WRITES": "no"}}})
    ran = project.run(command)
    assert ran.code == 3
    assert "nothing written: 6 events fetched" in ran.words
    assert ran.last_line == "exit 3   inconclusive"


def inconclusive(ran: Ran) -> None:
    assert ran.code == 3, ran
    assert ran.json["guarantee"] is None
    assert ran.json["met"] is None
    assert ran.json["complete"]
    assert ran.json["reason"]
    assert ran.last_line == "exit 3   inconclusive"


# ── what is wrong with the file ──────────────────────────────────────────────────────────────────

MISTAKES: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "expected that DuckDB refuses": (
        {"check": {"expected": "select value->>'code', coutn(*) from events group by 1"}},
        "expected =",
        ["expected", "coutn", "DuckDB"],
    ),
    "actual that does not parse": (
        {"check": {"actual": "select code clicks frm click_counts"}},
        "actual =",
        ["actual", "syntax error", "Postgres"],
    ),
    "unknown key": ({"source": {"event": "x.jsonl"}}, "event =", ["event", "events"]),
    "wrong type": ({"source": {"partitions": "three"}}, "partitions =", ["partitions"]),
    "missing file": ({"database": {"schema": "none.sql"}}, "schema =", ["none.sql"]),
    "missing program": ({"target": {"command": ["./no-such"]}}, "command =", ["no-such"]),
    "bad placeholder": ({"target": {"env": {"A": "{kafak}"}}}, "env =", ["kafak", "{kafka}"]),
    "bad duration": ({"run": {"drain_timeout": "soon"}}, "drain_timeout =", ["soon"]),
    "bad moment": (
        {"scenario": [{"faults": [{"at": "postgres.comit:after", "action": "kill"}]}]},
        "faults =",
        ["postgres.comit:after", "commit"],
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_in_the_file_starts_nothing(project: Project, kind: str) -> None:
    changes, key, said = MISTAKES[kind]
    project.change(changes)
    ran = project.run("run")
    lines = (project.folder / "killpoint.toml").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.startswith(key))
    assert ran.code == 2, ran
    assert ran.stdout == ""
    assert ran.stderr.count("error:") == 1
    assert ran.stderr.startswith(f"error: killpoint.toml:{number}: ")
    for words in said:
        assert words in ran.words, words
    assert ran.last_line == "exit 2   usage or configuration"
    assert not (project.folder / ".killpoint").exists(), "a run was begun"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "postgres.comit:after"), "commit"),
        (("--action", "explode"), "kill"),
        (("--require", "exactly once"), '"effectively once"'),
        (("--depth", "everything"), "moments"),
        (("elsewhere.toml",), "elsewhere.toml"),
    ],
)
def test_a_mistake_on_the_command_line_starts_nothing(
    project: Project, words: tuple[str, ...], said: str
) -> None:
    ran = project.run("run", *words)
    assert ran.code == 2, ran
    assert said in ran.words
    assert not (project.folder / ".killpoint").exists(), "a run was begun"
