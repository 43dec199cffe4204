"""What a compose file comes to, and the volumes of containers that are made like another."""

from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_house import Plan, plan_of, volumes_of, with_volumes
from killpoint.compose.compose_wish import ComposeWish
from killpoint.faults.target import TargetError

PATH = Path("/shop/compose.yaml")
DONE = {"condition": "service_completed_successfully"}


def plan(reset: tuple[str, ...] | None = None, **app: Any) -> Plan:
    needs = {"kafka": {}, "migrate": DONE, "redis": {}, "mail": {}}
    services = {
        "app": {"image": "acme/app", "depends_on": needs, **app},
        "kafka": {"image": "apache/kafka", "container_name": "shop-kafka"},
        "db": {"image": "postgres"},
        "migrate": {"image": "acme/migrate", "depends_on": {"db": {}}},
        "redis": {"image": "redis"},
        "mail": {"image": "acme/mail"},
    }
    resolved = {"services": services, "secrets": {"a": {"environment": "A"}, "b": {"file": "/b"}}}
    return plan_of(ComposeFile(PATH, resolved), ComposeWish(PATH, "app", reset=reset))


def test_what_comes_first_is_apart_from_what_stays() -> None:
    made = plan()
    assert (made.once, made.beside) == (("migrate",), ("redis", "mail"))
    assert made.names == ("kafka", "db", "shop-kafka")
    assert str(made) == (
        "compose.yaml: Kafka is kafka:9092, Postgres db:5432; first migrate; beside it redis, mail"
    )


def test_all_that_stays_starts_anew_unless_it_is_said() -> None:
    assert plan().fresh == ("redis", "mail")
    assert plan(("redis",)).fresh == ("redis",)
    assert plan(()).fresh == ()


def test_what_does_not_stay_cannot_start_anew() -> None:
    with pytest.raises(TargetError, match=r"reset has migrate.*redis, mail"):
        plan(("migrate",))


def test_a_secret_that_only_compose_can_give_is_refused() -> None:
    assert plan(secrets=[{"source": "b"}])
    with pytest.raises(TargetError, match="secrets a of app is not a file"):
        plan(secrets=[{"source": "a"}])


def test_volumes_with_a_name_are_other_ones_for_each_container() -> None:
    body = {"HostConfig": {"Binds": ["/a:/b:ro", "p_data:/data:rw", "p_in:/in:ro"], "Mounts": None}}
    assert volumes_of(body) == ["p_data", "p_in"]
    made = with_volumes(body, {"p_data": "v1", "p_in": "v2"}, {"run": "r"})["HostConfig"]
    assert made["Binds"] == ["/a:/b:ro"]
    assert [(m["Source"], m["Target"], m["ReadOnly"]) for m in made["Mounts"]] == [
        ("v1", "/data", False),
        ("v2", "/in", True),
    ]
    assert made["Mounts"][0]["VolumeOptions"] == {"Labels": {"run": "r"}}
