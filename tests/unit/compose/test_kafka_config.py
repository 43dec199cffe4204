from pathlib import Path

import pytest

from killpoint.compose.kafka_config import (
    BrokerPorts,
    broker_properties,
    properties_text,
    settings_for,
)
from killpoint.faults.environment import Address

PROXIES = [Address("127.0.0.1", 7001), Address("127.0.0.1", 7002)]


def properties() -> dict[str, str]:
    return broker_properties(Path("/data"), BrokerPorts(1, 2, (3, 4)), PROXIES, "token")


def test_each_lane_has_a_listener_and_the_address_of_its_proxy() -> None:
    assert properties()["listeners"] == (
        "CONTROLLER://127.0.0.1:1,DIRECT://127.0.0.1:2,LANE0://127.0.0.1:3,LANE1://127.0.0.1:4"
    )
    assert properties()["advertised.listeners"] == (
        "DIRECT://127.0.0.1:2,LANE0://127.0.0.1:7001,LANE1://127.0.0.1:7002"
    )


def test_every_listener_has_a_protocol() -> None:
    listeners = [entry.split("://")[0] for entry in properties()["listeners"].split(",")]
    protocols = properties()["listener.security.protocol.map"]
    assert protocols == ",".join(f"{name}:PLAINTEXT" for name in listeners)


def test_nothing_listens_beyond_the_loopback() -> None:
    assert all("127.0.0.1" in entry for entry in properties()["listeners"].split(","))


def test_groups_are_balanced_at_once() -> None:
    assert properties()["group.initial.rebalance.delay.ms"] == "0"
    assert properties()["group.consumer.assignment.interval.ms"] == "0"


def test_a_lane_without_a_proxy_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        broker_properties(Path("/data"), BrokerPorts(1, 2, (3,)), PROXIES, "token")


def test_ports_are_taken_in_order() -> None:
    assert BrokerPorts.of([1, 2, 3, 4]) == BrokerPorts(1, 2, (3, 4))


def test_a_backslash_is_doubled() -> None:
    assert properties_text({"log.dirs": "/a\\b", "x": "1"}) == "log.dirs=/a\\\\b\nx=1\n"


def test_a_group_waits_for_others_only_where_there_are_others() -> None:
    assert settings_for(1) == {}
    assert int(settings_for(2)["group.initial.rebalance.delay.ms"]) > 0
