from pathlib import Path

from killpoint.compose.docker_kafka import as_variables
from killpoint.compose.kafka_config import BrokerPorts, broker_properties
from killpoint.faults.environment import Address


def test_properties_are_the_images_variables() -> None:
    assert as_variables({"group.initial.rebalance.delay.ms": "0"}) == {
        "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS": "0"
    }


def test_clients_are_bound_everywhere_and_told_the_proxy() -> None:
    ports = BrokerPorts(1, 2, (3,))
    told = broker_properties(Path("/d"), ports, [Address("10.0.0.1", 9)], "token", "0.0.0.0")
    variables = as_variables(told)
    assert variables["KAFKA_LISTENERS"].split(",") == [
        "CONTROLLER://127.0.0.1:1",
        "DIRECT://0.0.0.0:2",
        "LANE0://0.0.0.0:3",
    ]
    assert "LANE0://10.0.0.1:9" in variables["KAFKA_ADVERTISED_LISTENERS"]
    assert not any(character in name for name in variables for character in ".-")
