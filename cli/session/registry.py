"""The registry of a subject, served for as long as a session lasts.

Counterparts: `formats/registry_api` answers, `compose/http_server` listens where targets can reach.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from killpoint.cli.formats.registry import Registry
from killpoint.cli.formats.registry_api import RegistryApi
from killpoint.compose.housing import Housing
from killpoint.compose.http_server import serving

_CONTENT: Final = "application/vnd.schemaregistry.v1+json"


@contextmanager
def registry_served(registry: Registry, housing: Housing) -> Generator[None, None, None]:
    """Its addresses are those of the server meanwhile. Raises EnvironmentFailed."""
    with serving(housing.host, RegistryApi(registry).answer, _CONTENT) as port:
        registry.url = f"http://{housing.host}:{port}"
        registry.url_in_containers = f"http://{housing.named}:{port}"
        registry.addresses = frozenset({(housing.host, port)})
        try:
            yield
        finally:
            registry.url = registry.url_in_containers = ""
            registry.addresses = frozenset()
