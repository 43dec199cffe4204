"""Configurations guessed from projects in the shapes of public ones, and what is left to write."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from killpoint.cli.commands.init import init
from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.guess.draft import draft_text, lines_to_write
from killpoint.cli.guess.origin import draft_of, write_guess
from killpoint.cli.guess.sql import schema_near
from killpoint.cli.guess.variables import guess_for

SPLIT = """\
services:
  db:
    image: postgres:16
    environment: { POSTGRES_PASSWORD: "${PASSWORD:-secret}" }
    volumes: ["./init.sql:/docker-entrypoint-initdb.d/init.sql:ro"]
  kafka:
    image: confluentinc/cp-kafka:7.6.0
  kafka-ui:
    image: provectuslabs/kafka-ui
    environment: { KAFKA_CLUSTERS_0_BOOTSTRAPSERVERS: "kafka:9092" }
  api:
    build: ./api
    environment: [ "DATABASE_HOST=db" ]
  worker:
    build: ./worker
    depends_on: [db, kafka]
    environment:
      - KAFKA_BROKERS=kafka:9092
      - KAFKA_TOPIC=${TOPIC:-orders}
      - KAFKA_GROUP_ID=billing
      - DB_HOST=db
"""
SPRING = """\
services:
  billing-db: { image: "postgres:16", environment: { POSTGRES_DB: billing } }
  broker: { image: "bitnami/kafka:3.7" }
  zookeeper: { image: "zookeeper:3.9" }
  topics:
    image: bitnami/kafka:3.7
    command: ["kafka-topics.sh", "--create", "--topic", "invoices", "--bootstrap-server", "broker"]
  billing:
    image: acme/billing:1.4
    environment:
      SPRING_KAFKA_BOOTSTRAP_SERVERS: broker:9092
      SPRING_DATASOURCE_URL: jdbc:postgresql://billing-db:5432/billing
"""
REDPANDA = """\
services:
  postgres: { image: "timescale/timescaledb:latest-pg16" }
  redpanda: { image: "redpandadata/redpanda:v24.1" }
  redis: { image: "redis:7" }
  rabbitmq: { image: "rabbitmq:3" }
  app:
    build: .
    command: bash -c "alembic upgrade head && faststream run app:app"
    depends_on: { postgres: { condition: service_healthy }, redpanda: {} }
    environment:
      { BROKER_URL: "redpanda:9092", POSTGRES_DSN: "postgresql+asyncpg://u:p@postgres/x" }
"""
CONNECT = """\
services:
  pg: { image: "postgres:18" }
  kafka: { image: "apache/kafka:4.0.0" }
  connect:
    image: debezium/connect:3.5
    environment:
      { BOOTSTRAP_SERVERS: "kafka:9092", GROUP_ID: "1", CONFIG_STORAGE_TOPIC: my_configs }
    depends_on: [kafka, pg]
"""
COMPOSE = {"split": SPLIT, "spring": SPRING, "redpanda": REDPANDA, "connect": CONNECT}
SERVICES = {"split": "worker", "spring": "billing", "redpanda": "app", "connect": "connect"}
LEFT = {"split": 1, "spring": 1, "redpanda": 2, "connect": 2}


def tables(file: Path) -> tuple[dict[str, Any], int]:
    """The guess as TOML that the models take, and how many lines are left to write."""
    text = draft_text(draft_of(file))
    data = tomllib.loads(text)
    Configuration.model_validate(data)
    return data, len(lines_to_write(text))


@pytest.mark.parametrize("shape", COMPOSE)
def test_the_consumer_of_a_compose_file_is_found(tmp_path: Path, shape: str) -> None:
    (tmp_path / "init.sql").write_text(
        "create table kafka_offsets (o int);\nCREATE TABLE payments ("
    )
    if shape != "split":
        (tmp_path / "init.sql").unlink()
    file = tmp_path / "compose.yaml"
    file.write_text(COMPOSE[shape], encoding="utf-8")
    data, left = tables(file)
    assert data["target"]["service"] == SERVICES[shape]
    assert left == LEFT[shape] <= 3
    if shape == "split":
        assert data["source"][0]["topic"] == "orders"
        assert data["target"]["group"] == "billing"
        assert data["stack"]["postgres"] == "compose"
        assert data["check"][0]["actual"] == "select count(*) from payments"
    if shape == "spring":
        assert data["source"][0]["topic"] == "invoices"
        assert data["database"]["migrate"] == "target"


REGISTERED = """\
services:
  kafka: { image: "apache/kafka:4.3.1" }
  db: { image: "postgres:18" }
  connect:
    build: { context: ./connect }
    depends_on: { kafka: { condition: service_started } }
    environment: { BOOTSTRAP_SERVERS: "kafka:9092" }
  register:
    image: curlimages/curl:8.10.1
    depends_on: [connect]
    restart: "no"
"""


def test_the_sources_that_a_service_is_built_from_name_its_topic(tmp_path: Path) -> None:
    (tmp_path / "connect").mkdir()
    (tmp_path / "compose.yaml").write_text(REGISTERED, encoding="utf-8")
    (tmp_path / "other.py").write_text('consumer.subscribe(["audit"])', encoding="utf-8")
    sink = '{"connector.class": "io.acme.Sink", "topics": "readings"}'
    (tmp_path / "connect" / "sink.json").write_text(sink, encoding="utf-8")
    text = draft_text(draft_of(tmp_path / "compose.yaml"))
    assert 'topic = "readings"   # subscribed in sink.json' in text


def test_what_comes_after_a_service_is_left_to_write(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text(REGISTERED, encoding="utf-8")
    left = [what for _, what in lines_to_write(draft_text(draft_of(tmp_path / "compose.yaml")))]
    assert "a program that does after each start what register does" in left


@pytest.mark.parametrize("form", ["{0}", '["CMD-SHELL", "{0}"]'])
def test_a_topic_that_a_health_check_makes_is_found(tmp_path: Path, form: str) -> None:
    made = form.format("kafka-topics.sh --create --if-not-exists --topic clicks")
    file = tmp_path / "compose.yaml"
    file.write_text(
        "services:\n  kafka:\n    image: apache/kafka:4.3.1\n"
        f"    healthcheck: {{ test: {made} }}\n"
        "  counter: { build: ., depends_on: [kafka] }\n",
        encoding="utf-8",
    )
    data, left = tables(file)
    assert (data["source"][0]["topic"], left) == ("clicks", 1)


@pytest.mark.parametrize(
    ("sql", "counted"),
    [
        ("create table totals (account text primary key, cents int);", None),
        ("create table totals (day date, code text, primary key (day, code));", None),
        ("create table seen (id bigserial primary key);", "seen"),
        ("create table seen (id uuid primary key);", "seen"),
        ("create table seen (code text);", "seen"),
        ("create table totals (code text primary key);\ncreate table log (at time);", "log"),
    ],
)
def test_only_a_table_that_may_have_a_row_for_each_event_is_counted(
    tmp_path: Path, sql: str, counted: str | None
) -> None:
    (tmp_path / "schema.sql").write_text(sql, encoding="utf-8")
    near = schema_near(tmp_path)
    assert near.schema is not None and near.schema.value == "schema.sql"
    assert (near.table.value if near.table else None) == counted


def test_a_dockerfile_with_its_variables(tmp_path: Path) -> None:
    (tmp_path / "schema.sql").write_text('create table if not exists "clicks" (id int)')
    (tmp_path / ".env.example").write_text("KAFKA_TOPIC=clicks\nDB_PASSWORD=x\n# A=1\n")
    file = tmp_path / "Dockerfile"
    file.write_text(
        "FROM x\nENV BOOTSTRAP_SERVERS=localhost:9092 \\\n  DB_HOST=db\nENV LEVEL info\n"
    )
    data, left = tables(file)
    assert data["target"] == {
        "build": ".",
        "env": {
            "BOOTSTRAP_SERVERS": "{kafka}",
            "DB_HOST": "{postgres_host}",
            "DB_PASSWORD": "{postgres_password}",
        },
    }
    assert (data["source"][0]["topic"], data["database"]["schema"], left) == (
        "clicks",
        "schema.sql",
        1,
    )


@pytest.mark.parametrize(
    ("name", "text", "command", "variable"),
    [
        ("pyproject.toml", '[project.scripts]\nserve = "a:b"', ["serve"], None),
        ("pyproject.toml", '[project]\nname = "a-b"', ["python", "-m", "a_b"], None),
        ("package.json", '{"scripts": {"start": "node dist/main"}}', ["node", "dist/main"], None),
        ("package.json", '{"scripts": {"start": "nest start"}}', ["npm", "start"], None),
        (
            "pom.xml",
            '<project xmlns="m"><parent><groupId>org.springframework.boot</groupId></parent>'
            "<artifactId>pay</artifactId><version>1.0</version></project>",
            ["java", "-jar", "target/pay-1.0.jar"],
            ("SPRING_DATASOURCE_URL", "{postgres_jdbc}"),
        ),
        (
            "pom.xml",
            "<project><groupId>io.quarkus</groupId><artifactId>q</artifactId></project>",
            ["java", "-jar", "target/quarkus-app/quarkus-run.jar"],
            ("QUARKUS_DATASOURCE_USERNAME", "{postgres_user}"),
        ),
    ],
)  # fmt: skip
def test_a_manifest_gives_the_command(
    tmp_path: Path, name: str, text: str, command: list[str], variable: tuple[str, str] | None
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    data, left = tables(tmp_path / name)
    assert data["target"]["command"] == command
    assert left <= 3
    if variable is not None:
        assert data["target"]["env"][variable[0]] == variable[1]


@pytest.mark.parametrize(
    ("name", "value", "placeholder"),
    [
        ("KAFKA_BROKERS", "a:9092", "{kafka}"),
        ("KAFKA_TOPIC", "a", None),
        ("KAFKA_GROUP_ID", "a", None),
        ("DATABASE_URL", "postgres://u@h/d", "{postgres}"),
        ("DATABASE_URL", "postgresql+asyncpg://u@h/d", "postgresql+asyncpg://{postgres_address}"),
        ("ConnectionStrings__Main", "Host=db;Port=5432;Username=u", "{postgres_npgsql}"),
        ("PGPORT", "5432", "{postgres_port}"),
        ("POSTGRES_USER", "u", "{postgres_user}"),
        ("DB_NAME", "x", "{postgres_db}"),
        ("LOG_LEVEL", "info", None),
        ("REDIS_HOST", "redis", None),
    ],
)
def test_what_a_variable_wants(name: str, value: str, placeholder: str | None) -> None:
    guess = guess_for(name, value)
    assert (guess.value if guess else None) == placeholder


def test_nothing_is_overwritten_and_what_is_left_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "compose.yaml"
    file.write_text(REDPANDA, encoding="utf-8")
    init(Path(), file)
    said = capsys.readouterr().out
    assert "left to write: 2 lines\n  killpoint.toml:" in said
    assert said.endswith("Next   killpoint check\n")
    before = (tmp_path / "killpoint.toml").read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="exists already, nothing was written"):
        write_guess(file)
    assert (tmp_path / "killpoint.toml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none.yaml", None, "does not exist"),
        ("a.yaml", "services: [", "cannot be read"),
        ("a.yaml", "a: 1", "has no services"),
        ("a.yaml", "services: { web: { image: nginx } }", "no service speaks of Kafka"),
        ("Makefile", "all:", "is of no kind that is known"),
        ("package.json", "{", "is not valid JSON"),
        ("pom.xml", "<a", "is not valid XML"),
        ("pyproject.toml", "[", "is not valid TOML"),
    ],
)
def test_what_cannot_be_guessed_from_says_why(
    tmp_path: Path, name: str, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        draft_of(tmp_path / name)
    assert words in str(caught.value)
