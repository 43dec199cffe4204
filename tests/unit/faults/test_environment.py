"""How an address reads."""

from killpoint.faults.environment import Address


def test_an_address_is_a_port_or_a_socket() -> None:
    assert str(Address("127.0.0.1", 9092)) == "127.0.0.1:9092"
    assert str(Address("", 5432, "/run/.s.PGSQL.5432")) == "/run/.s.PGSQL.5432"
