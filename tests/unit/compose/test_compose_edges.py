"""Where a service reaches Kafka and Postgres: found in its file, told, or not to be told."""

from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.compose_edges import KAFKA, Edges, account_of, edges_of
from killpoint.compose.compose_file import ComposeFile
from killpoint.faults.environment import Account, Address
from killpoint.faults.target import TargetError

Services = dict[str, Any]

DONE = {"condition": "service_completed_successfully"}


def file_of(services: Services) -> ComposeFile:
    return ComposeFile(Path("/shop/compose.yaml"), {"services": services})


def shop(**others: Any) -> Services:
    return {
        "app": {"image": "acme/app", "environment": {"BROKERS": "kafka:9092", "DB_HOST": "db"}},
        "kafka": {"image": "registry.acme.net:5000/apache/kafka:4.3.1"},
        "db": {"image": "postgres:18@sha256:1234"},
        **others,
    }


def found(services: Services, **told: Address) -> Edges:
    return edges_of(file_of(services), "app", told)


def test_one_of_each_is_found_by_its_image() -> None:
    edges = found(shop())
    assert (edges.kafka.address, edges.kafka.service) == (Address("kafka", 9092), "kafka")
    assert (edges.postgres.address, edges.postgres.service) == (Address("db", 5432), "db")
    assert edges.left_out == {"kafka", "db"}


@pytest.mark.parametrize(
    "image", ["bitnami/kafka:3.9", "confluentinc/cp-kafka", "redpandadata/redpanda:v25"]
)
def test_brokers_have_many_images(image: str) -> None:
    assert found(shop(kafka={"image": image})).kafka.service == "kafka"


@pytest.mark.parametrize("image", ["provectuslabs/kafka-ui", "confluentinc/cp-kafka-connect:8"])
def test_tools_for_kafka_are_none(image: str) -> None:
    assert found(shop(ui={"image": image})).kafka.service == "kafka"


def test_clients_with_the_same_image_are_none() -> None:
    services = shop(
        topics={"image": "apache/kafka:4.3.1", "depends_on": {"kafka": {}}},
        migrate={"image": "postgres:18"},
        seed={"image": "acme/seed", "depends_on": {"migrate": DONE}},
    )
    edges = found(services)
    assert (edges.kafka.service, edges.postgres.service) == ("kafka", "db")


def test_the_port_is_what_the_service_says() -> None:
    app = {"image": "a", "command": ["--brokers", "shop-kafka:19092"]}
    kafka = {"image": "apache/kafka", "container_name": "shop-kafka"}
    assert found(shop(app=app, kafka=kafka)).kafka.address == Address("shop-kafka", 19092)


def test_a_port_that_the_service_does_not_say_is_what_the_broker_advertises() -> None:
    advertised = "IN://kafka:29092,OUT://localhost:9092"
    kafka = {"image": "cp-kafka", "environment": {"KAFKA_ADVERTISED_LISTENERS": advertised}}
    assert found(shop(app={"image": "a"}, kafka=kafka)).kafka.address == Address("kafka", 29092)


def test_a_service_that_names_two_ports_has_to_be_told() -> None:
    app = {"image": "a", "command": ["kafka:9092", "kafka:9094"]}
    with pytest.raises(TargetError, match="several addresses of Kafka: kafka:9092, kafka:9094"):
        found(shop(app=app))


@pytest.mark.parametrize(
    ("services", "message"),
    [
        (shop(kafka2={"image": "apache/kafka"}), r"2 services that look like Kafka \(kafka, kaf"),
        (shop(kafka={"image": "a"}), "no service that looks like Kafka"),
        (shop(olap={"image": "timescale/timescaledb"}), r"look like Postgres \(db, olap\)"),
    ],
)
def test_what_cannot_be_told_is_asked_for(services: Services, message: str) -> None:
    with pytest.raises(TargetError, match=message) as caught:
        found(services)
    assert "answer_at = {" in str(caught.value)


def test_of_a_cluster_every_node_is_left_out_and_one_address_told() -> None:
    services = shop(kafka2={"image": "apache/kafka", "hostname": "second"})
    edges = found(services, kafka=Address("second", 9093))
    assert (edges.kafka.address, edges.kafka.service) == (Address("second", 9093), "kafka2")
    assert edges.left_out == {"kafka", "kafka2", "db"}


def test_an_address_may_be_none_of_the_files() -> None:
    edges = found(shop(), kafka=Address("broker.acme.net", 9092))
    assert edges.kafka.service is None
    assert edges.left_out == {"db"}


def test_one_address_is_not_both() -> None:
    with pytest.raises(TargetError, match="both Kafka and Postgres"):
        edges_of(file_of(shop()), "app", {KAFKA: Address("db", 5432)})


def test_a_service_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(TargetError, match=r"no service apps\..*app, kafka, db"):
        edges_of(file_of(shop()), "apps", {})


@pytest.mark.parametrize(
    ("variables", "account"),
    [
        (
            {"POSTGRES_USER": "app", "POSTGRES_PASSWORD": "p", "POSTGRES_DB": "shop"},
            Account("shop", "app", "p"),
        ),
        ({"POSTGRES_USER": "app", "POSTGRES_PASSWORD": "p"}, Account("app", "app", "p")),
        ({"POSTGRESQL_PASSWORD": "p"}, Account("postgres", "postgres", "p")),
        ({"POSTGRES_PASSWORD_FILE": "/run/secrets/p"}, Account("postgres", "postgres", None)),
    ],
)
def test_an_account_is_what_the_image_makes(variables: dict[str, str], account: Account) -> None:
    file = file_of(shop(db={"image": "postgres", "environment": variables}))
    assert account_of(file, "db") == account


def test_without_a_service_nothing_is_known() -> None:
    assert account_of(file_of(shop()), None) == Account()
