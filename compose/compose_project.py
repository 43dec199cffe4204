"""The run's compose project: the services beside the target, and the container it is copied from.

Counterparts: `compose_rewrite` says what is in it, `compose_cli` runs it, `compose_house` owns it.
What Compose makes carries the run's labels, so it goes with the run, however that ends.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from killpoint.compose.compose_cli import ComposeCli, composed
from killpoint.compose.docker_container import body_of, log_of
from killpoint.compose.docker_image import Report, need_image
from killpoint.compose.docker_remains import Thing, remains, remove
from killpoint.compose.docker_run import DockerRun
from killpoint.compose.docker_server import telling_lines
from killpoint.faults.target import TargetError

Json = dict[str, Any]

_PROJECT, _SERVICE = "com.docker.compose.project", "com.docker.compose.service"
_ONCE_SECONDS: Final = 300.0
_LOOK_LINES = 200


@dataclass(slots=True)
class ComposeProject:
    """One project in the run's part of the engine; `resolved` is what Compose is given."""

    run: DockerRun
    resolved: Json
    cli: ComposeCli = field(init=False)

    def __post_init__(self) -> None:
        name = self.run.name("project")
        file = self.run.folder.path / f"{name}.json"
        # Variables in it may be secret: the run's folder is the user's alone.
        file.touch(0o600)
        file.write_text(json.dumps(self.resolved), encoding="utf-8")
        self.cli = ComposeCli(file, name)

    @property
    def services(self) -> Mapping[str, Json]:
        """The services by name."""
        found: dict[str, Json] = self.resolved["services"]
        return found

    async def need_images(self, report: Report) -> None:
        """Return when every image is there, pulled or built. Raises ImageMissing, TargetError."""
        built = [name for name, service in self.services.items() if "build" in service]
        for name, service in self.services.items():
            if name not in built:
                key = f"the image of the service {name}"
                await need_image(self.run.engine, service["image"], key, report)
        if built:
            report(f"building {', '.join(built)}")
            await composed(f"build {', '.join(built)}", self.cli, "build", *built)

    async def body(self, service: str) -> Json:
        """What the engine is to make containers of a service from.

        Compose makes one, which is never started. Raises TargetError or EngineRefused.
        """
        words = ("up", "--no-start", "--no-deps", "--no-build", service)
        await composed(f"make a container of {service}", self.cli, *words)
        (made,) = await self._containers({service})
        body = body_of(await self.run.engine.inspect(made.id))
        await self.remove({service})
        return body

    async def run_once(self, services: Collection[str]) -> None:
        """Run services to their end, after what they need; then remove all that was started.

        Raises TargetError with the end of the log of one that fails.
        """
        words = ("up", "--detach", "--no-build", *services)
        try:
            await composed(f"run {', '.join(services)}", self.cli, *words)
            for thing in await self._containers(services):
                async with asyncio.timeout(_ONCE_SECONDS):
                    code = await self.run.engine.waiting(thing.id)
                if code:
                    raise TargetError(f"{thing.labels[_SERVICE]} failed: exit {code}")
        except TargetError as error:
            raise TargetError(f"{error}{await self._logs(services)}") from error
        except TimeoutError as error:
            what = f"{', '.join(services)} did not end within {_ONCE_SECONDS:.0f} s"
            raise TargetError(f"{what}{await self._logs(services)}") from error
        finally:
            await self.remove(self.services)

    async def start(self, services: Collection[str]) -> None:
        """Start services anew; returns when they run, and are healthy where they say how.

        Raises TargetError with the end of the log of one that ends.
        """
        await self.remove(services)
        words = ("up", "--detach", "--no-build", "--no-deps", "--wait", *services)
        try:
            await composed(f"start {', '.join(services)}", self.cli, *words)
        except TargetError as error:
            hint = ""
            if done := await self._done(services):
                hint = f"\n{done[0]} ended in good order. If it comes first and is to end, say so: "
                hint += f'[target] once = ["{done[0]}"]'
            raise TargetError(f"{error}{await self._logs(services)}{hint}") from error

    async def addresses(self) -> dict[str, str]:
        """The service behind each address on the run's networks."""
        found: dict[str, str] = {}
        for thing in await self._containers(self.services):
            networks = (await self.run.engine.inspect(thing.id))["NetworkSettings"]["Networks"]
            found |= {one["IPAddress"]: thing.labels[_SERVICE] for one in networks.values()}
        return found

    async def _done(self, services: Collection[str]) -> list[str]:
        """Those that have ended in good order."""
        found: list[str] = []
        for thing in await self._containers(services):
            state = (await self.run.engine.inspect(thing.id))["State"]
            if state["Status"] == "exited" and state["ExitCode"] == 0:
                found.append(thing.labels[_SERVICE])
        return found

    async def remove(self, services: Collection[str]) -> None:
        """Remove the containers of services, with their volumes that have no name."""
        await remove(
            self.run.engine,
            lambda labels: labels.get(_SERVICE) in services,
            f"{_PROJECT}={self.cli.project}",
        )

    async def _containers(self, services: Collection[str]) -> list[Thing]:
        found = await remains(self.run.engine, f"{_PROJECT}={self.cli.project}")
        return [one for one in found if one.labels.get(_SERVICE) in services]

    async def _logs(self, services: Collection[str]) -> str:
        lines: list[str] = []
        for thing in await self._containers(services):
            text = await log_of(self.run.engine, thing.id, _LOOK_LINES)
            said = telling_lines(text.decode("utf-8", "replace"))
            lines += [f"    {thing.labels[_SERVICE]}  {line}" for line in said]
        return "".join(f"\n{line}" for line in lines)
