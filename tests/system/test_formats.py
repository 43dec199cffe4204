"""Formats with a schema: real clients read the values, and the registry that killpoint serves."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from killpoint.cli.formats.codec import Schema
from killpoint.cli.formats.registry import Registry
from killpoint.cli.session.registry import registry_served
from killpoint.compose.housing import ThisMachine
from tests.support.project import Project

SCHEMAS = {
    "avro": {
        "type": "record",
        "name": "Click",
        "fields": [{"name": "code", "type": "string"}, {"name": "amount", "type": "long"}],
    },
    "json-schema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Click",
        "type": "object",
        "properties": {"code": {"type": "string"}, "amount": {"type": "integer"}},
        "required": ["code", "amount"],
    },
}
PROTO = """\
syntax = "proto3";
package acme;
message Other {}
message Click { string code = 1; int64 amount = 2; }
"""
GO = Path(__file__).parent / "targets" / "registry_go"

pytestmark = pytest.mark.timeout(240)


def project_of(folder: Path, kind: str) -> Project:
    """Four clicks in a format, counted one by one, and the offset saved after each."""
    project = Project(folder)
    project.copy("registry_counter")
    protobuf = kind == "protobuf"
    project.write("click.schema", PROTO if protobuf else json.dumps(SCHEMAS[kind]))
    value = '{"code": "link-{{ i }}", "amount": {{ amount }}}'
    source = {
        "topic": "clicks",
        "format": kind,
        "schema": "click.schema",
        **({"message": "Click"} if protobuf else {}),
        "generate": {"count": 4, "value": value},
    }
    project.change(
        {
            "source": [source],
            "target": {
                "command": ["{python}", "registry_counter.py"],
                "env": {"FORMAT": kind, "REGISTRY": "{schema_registry}"},
                "start_timeout": "30s",
            },
            "check": {
                "expected": "select value->>'code', sum((value->>'amount')::bigint) from events "
                "group by 1"
            },
        }
    )
    return project


@pytest.mark.parametrize("kind", ["avro", "protobuf", "json-schema"])
def test_a_real_client_reads_what_was_encoded_and_its_bug_is_found(
    tmp_path: Path, kind: str
) -> None:
    ran = project_of(tmp_path, kind).judged("run", "--at", "postgres.commit#2:after")
    assert ran.code == 0, ran
    assert [run["outcome"] for run in ran.json["clean_runs"]] == ["clean", "clean"]
    (scenario,) = ran.json["scenarios"]
    # The amounts are powers of three: the second event, 3, was counted again.
    (check,) = scenario["checks"]
    assert (scenario["outcome"], check["counted_twice"]) == ("counted twice", 3)
    assert ran.json["unseen"] == []


def test_a_value_that_does_not_fit_its_schema_is_told_before_anything_starts(
    tmp_path: Path,
) -> None:
    project = project_of(tmp_path, "avro")
    project.tables["source"][0]["generate"] = {"count": 4, "value": '{"code": {{ i }}}'}
    ran = project.run("run")
    assert ran.code == 2, ran
    assert "has a value, that of event 0 from 0, that does not fit the schema" in ran.words
    project.write("click.schema", "{")
    assert "schema is no Avro schema" in project.run("run").words


@pytest.mark.skipif(shutil.which("go") is None, reason="no Go toolchain")
def test_franz_go_speaks_with_the_registry(tmp_path: Path) -> None:
    registry = Registry(tmp_path)
    schema = Schema("avro", json.dumps(SCHEMAS["avro"]), tmp_path)
    number = registry.register("clicks-value", schema)
    shutil.copytree(GO, tmp_path / "go")
    with registry_served(registry, ThisMachine()):
        done = subprocess.run(
            ["go", "run", ".", registry.url],
            cwd=tmp_path / "go",
            capture_output=True,
            text=True,
            timeout=220,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["byID"] == found["latest"] == schema.text
    assert (found["id"], found["lookedUp"]) == (number, number)
    assert found["registered"] == number + 1
    assert registry.subjects() == ["clicks-value", "totals-value"]
