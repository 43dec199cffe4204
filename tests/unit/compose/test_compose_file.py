"""What a resolved compose file says of its services."""

from pathlib import Path
from typing import Any

from killpoint.compose.compose_file import ComposeFile, ports_of

SHOP: dict[str, Any] = {
    "app": {
        "command": ["run", "--to", "kafka:9092"],
        "environment": {"PASSWORD": "a$$b", "EMPTY": None},
        "depends_on": {"api": {"condition": "service_started"}, "kafka": {}},
    },
    "api": {"depends_on": {"seed": {"condition": "service_completed_successfully"}, "redis": {}}},
    "seed": {"depends_on": {"redis": {}}},
    "redis": {"container_name": "shop-redis", "networks": {"default": {"aliases": ["cache"]}}},
    "kafka": {"depends_on": {"zookeeper": {}}},
    "zookeeper": {},
    "other": {},
}


def shop() -> ComposeFile:
    return ComposeFile(Path("/shop/compose.yaml"), {"services": SHOP})


def test_what_a_service_needs_comes_in_the_order_of_starts() -> None:
    assert shop().needed_by("app") == ["redis", "seed", "api", "zookeeper", "kafka"]


def test_what_only_a_left_out_service_needs_is_left_out() -> None:
    assert shop().needed_by("app", without={"kafka"}) == ["redis", "seed", "api"]


def test_services_that_others_wait_for_to_end_run_once() -> None:
    assert shop().once == {"seed"}


def test_a_service_has_the_names_that_its_networks_know() -> None:
    assert shop().names_of("redis") == ["redis", "shop-redis", "cache"]


def test_values_are_as_the_container_gets_them() -> None:
    assert shop().environment("app") == {"PASSWORD": "a$b"}
    assert shop().texts("app") == ["a$b", "run", "--to", "kafka:9092"]


def test_ports_stand_behind_whole_names_and_are_no_passwords() -> None:
    texts = ["postgres://postgres:1234@postgres:5432/db", "my-postgres:1,postgres:2,postgres.x:3"]
    assert ports_of("postgres", texts) == [5432, 2]
