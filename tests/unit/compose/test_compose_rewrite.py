"""What the user's compose file becomes: nothing of it can collide with the user's own stack."""

from pathlib import Path
from typing import Any

from killpoint.compose.compose_file import ComposeFile
from killpoint.compose.compose_rewrite import Neighbourhood, image_of, rewritten, rewritten_server

LABELS = {"killpoint.run": "r"}
PLACE = Neighbourhood("net-1", "net-2", "172.18.0.1", "172.19.0.1", ("kafka", "db"))
DATA = {"type": "volume", "source": "data", "target": "/data"}
SHARED = {"type": "volume", "source": "shared", "target": "/shared"}
CODE = {"type": "bind", "source": "/shop", "target": "/app"}
FILE = ComposeFile(
    Path("/shop/compose.yaml"),
    {
        "name": "shop",
        "services": {
            "app": {
                "build": {"context": "/shop"},
                "image": "acme/app:1",
                "container_name": "shop-app",
                "restart": "always",
                "profiles": ["app"],
                "ports": [{"target": 80, "published": "80"}],
                "networks": {"front": {"ipv4_address": "10.0.0.1", "aliases": ["web"]}},
                "extra_hosts": ["db=10.0.0.2", "mail=10.0.0.3"],
                "depends_on": {"kafka": {}, "redis": {"condition": "service_healthy"}},
                "deploy": {"replicas": 3, "resources": {"limits": {"memory": "1"}}},
                "volumes": [CODE, SHARED],
                "mem_limit": "268435456",
                "labels": {"mine": "yes"},
            },
            "redis": {"image": "redis:7", "deploy": {"replicas": 2}, "volumes": [DATA, SHARED]},
            "kafka": {"image": "apache/kafka"},
            "db": {"image": "postgres", "ports": [{"target": 5432}], "volumes": [DATA]},
        },
        "networks": {"front": {}},
        "volumes": {
            "data": {"name": "shop_data", "driver": "local"},
            "shared": {"name": "mine", "external": True, "driver": "nfs"},
        },
        "secrets": {"key": {"file": "/shop/key"}},
    },
)


def made(*fresh: str) -> dict[str, Any]:
    return rewritten(FILE, "app", ["redis"], fresh, PLACE, LABELS)


def test_what_publishes_names_or_restarts_is_left_out() -> None:
    app = made()["services"]["app"]
    assert {"ports", "container_name", "restart", "profiles"}.isdisjoint(app)
    assert app["deploy"] == {"resources": {"limits": {"memory": "1"}}}
    assert app["mem_limit"] == "268435456"
    assert app["labels"] == {"mine": "yes", "killpoint.run": "r"}
    assert "deploy" not in made()["services"]["redis"]


def test_only_the_target_and_what_is_beside_it_is_left() -> None:
    assert list(made()["services"]) == ["app", "redis"]
    assert made()["services"]["app"]["depends_on"] == {"redis": {"condition": "service_healthy"}}
    assert made()["secrets"] == {"key": {"file": "/shop/key"}}


def test_an_image_that_is_built_does_not_take_the_users_name() -> None:
    assert made()["services"]["app"]["image"] == image_of(FILE, "app") != "acme/app:1"
    assert made()["services"]["redis"]["image"] == "redis:7"


def test_the_targets_names_lead_to_the_proxies_and_the_others_past_them() -> None:
    app, redis = (made()["services"][name] for name in ("app", "redis"))
    assert app["extra_hosts"] == ["mail=10.0.0.3", "kafka=172.18.0.1", "db=172.18.0.1"]
    assert redis["extra_hosts"] == ["kafka=172.19.0.1", "db=172.19.0.1"]
    assert app["networks"] == {"killpoint-targets": {"aliases": ["app", "shop-app", "web"]}}
    assert list(redis["networks"]) == ["killpoint-targets", "killpoint-services"]
    assert {one["name"] for one in made()["networks"].values()} == {"net-1", "net-2"}


def test_volumes_are_the_runs_own_and_empty() -> None:
    assert made()["volumes"] == {
        "data": {"driver": "local", "labels": LABELS},
        "shared": {"labels": LABELS},
    }


def test_a_service_that_starts_anew_has_no_volume_of_its_own_that_stays() -> None:
    nameless = {"type": "volume", "target": "/data"}
    assert made("redis")["services"]["redis"]["volumes"] == [nameless, SHARED]
    assert made()["services"]["redis"]["volumes"] == [DATA, SHARED]
    assert made("redis")["services"]["app"]["volumes"] == [CODE, SHARED]


def test_a_server_keeps_its_image_and_loses_its_ports() -> None:
    resolved = rewritten_server(FILE, "db", LABELS)
    (db,) = resolved["services"].values()
    assert (db["image"], db["network_mode"], db["volumes"]) == ("postgres", "bridge", [DATA])
    assert "ports" not in db
