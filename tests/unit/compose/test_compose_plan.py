"""What a compose file comes to, and what is refused in it."""

from pathlib import Path
from typing import Any

import pytest

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_plan import Plan, plan_of
from killpoint.compose.compose_wish import ComposeWish
from killpoint.faults.target import TargetError

PATH = Path("/shop/compose.yaml")
DONE = {"condition": "service_completed_successfully"}


def plan(reset: tuple[str, ...] | None = None, once: tuple[str, ...] = (), **app: Any) -> Plan:
    needs: dict[str, Any] = {"kafka": {}, "migrate": DONE, "redis": {}, "mail": {}}
    services: dict[str, Any] = {
        "app": {"image": "acme/app", "depends_on": needs, **app},
        "kafka": {"image": "apache/kafka", "container_name": "shop-kafka"},
        "db": {"image": "postgres"},
        "migrate": {"image": "acme/migrate", "depends_on": {"db": {}}},
        "redis": {"image": "redis"},
        "mail": {"image": "acme/mail"},
    }
    resolved = {"services": services, "secrets": {"a": {"environment": "A"}, "b": {"file": "/b"}}}
    return plan_of(ComposeFile(PATH, resolved), ComposeWish(PATH, "app", reset=reset, once=once))


def test_what_comes_first_is_apart_from_what_stays() -> None:
    made = plan()
    assert (made.once, made.beside) == (("migrate",), ("redis", "mail"))
    assert made.names == ("kafka", "db", "shop-kafka")
    assert str(made) == (
        "compose.yaml: Kafka is kafka:9092, Postgres db:5432; first migrate; beside it redis, mail"
    )


@pytest.mark.parametrize("own", [True, False])
def test_scripts_that_are_not_run_are_said(own: bool) -> None:
    scripts = {"type": "bind", "source": "/x", "target": "/docker-entrypoint-initdb.d/1.sql"}
    services = {
        "app": {"image": "a"},
        "kafka": {"image": "apache/kafka"},
        "db": {"image": "postgres", "volumes": [scripts]},
    }
    wish = ComposeWish(PATH, "app", own_postgres=own)
    made = plan_of(ComposeFile(PATH, {"services": services}), wish)
    assert made.scripts_left_out is not own
    assert ("the scripts of db are left out" in str(made)) is not own


def test_all_that_stays_starts_anew_unless_it_is_said() -> None:
    assert plan().fresh == ("redis", "mail")
    assert plan(("redis",)).fresh == ("redis",)
    assert plan(()).fresh == ()


def test_what_does_not_stay_cannot_start_anew() -> None:
    with pytest.raises(TargetError, match=r"reset has migrate.*redis, mail"):
        plan(("migrate",))


def test_what_ends_by_itself_can_be_said() -> None:
    made = plan(once=("mail",))
    assert (made.once, made.beside) == (("migrate", "mail"), ("redis",))
    with pytest.raises(TargetError, match=r"once has app.*migrate, redis, mail"):
        plan(once=("app",))


def test_a_secret_that_only_compose_can_give_is_refused() -> None:
    assert plan(secrets=[{"source": "b"}])
    with pytest.raises(TargetError, match="secrets a of app is not a file"):
        plan(secrets=[{"source": "a"}])
