"""`[target]`: the consumer under test and how it is started."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, StrictBool, StrictInt, StringConstraints, model_validator

from killpoint.cli.config.duration import Seconds
from killpoint.cli.config.size import Bytes
from killpoint.cli.config.table import Table, Text

Command = Annotated[tuple[Text, ...], Field(min_length=1)]
"""A program and its arguments, without a shell."""


_OF_IMAGES: Final = ("volumes", "user", "memory")
_OF_CONTAINERS: Final = (*_OF_IMAGES, "container")
_OF_COMPOSE: Final = ("service", "reset", "once")

HostPort = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+:[1-9][0-9]{0,4}$")]
"""A name and a port, as in "kafka:9092"."""


class AnswerAtTable(Table):
    """Where the service reaches Kafka and Postgres; found in the compose file where that says it.

    These very names and ports lead to killpoint.
    """

    kafka: HostPort | None = Field(default=None, description="of Kafka", examples=['"kafka:9092"'])
    postgres: HostPort | None = Field(
        default=None, description="of Postgres", examples=['"db:5432"']
    )


class FileTable(Table):
    """A file that the target reads its addresses from."""

    template: Text = Field(
        description="a Jinja template; its variables are the placeholders, port('name') and "
        "databases.KEY",
        examples=['"config.toml.j2"'],
    )
    path: Text = Field(
        description="its name in a folder of the run, which {file:path} stands for",
        examples=['"config.toml"'],
    )


class TargetTable(Table):
    """Run in the configuration file's folder; `restart` governs exits killpoint did not cause."""

    command: Command | None = Field(
        default=None,
        description="the consumer: program and arguments, run in this file's folder; "
        "in a container what that runs instead of the image's or the service's own command",
        examples=['["{python}", "counter.py"]'],
    )
    image: Text | None = Field(
        default=None,
        description="or an image that it runs from, in a container",
        examples=['"acme/clicks:1.4"'],
    )
    build: Text | None = Field(
        default=None,
        description="or a folder with a Dockerfile that its image is built from",
        examples=['"."'],
    )
    compose: Text | None = Field(
        default=None,
        description="or a compose file that it is a service of; the file stays as it is",
        examples=['"compose.yaml"'],
    )
    service: Text | None = Field(
        default=None, description="that service's name", examples=['"counter"']
    )
    answer_at: AnswerAtTable = Field(
        default_factory=AnswerAtTable,
        description="where that service reaches Kafka and Postgres, if its file names several; or "
        "where a command does that cannot be told: killpoint listens just there, on one lane",
        examples=['{ kafka = "kafka:9092", postgres = "db:5432" }'],
    )
    reset: tuple[Text, ...] | None = Field(
        default=None,
        description="the services beside it that start anew for each scenario; absent: all",
        examples=['["redis"]'],
    )
    once: tuple[Text, ...] = Field(
        default=(),
        description="services that end by themselves and come first, such as a migration, beyond "
        "those that others in the file wait for to be done",
        examples=['["migrate"]'],
    )
    env: dict[str, str] = Field(
        default_factory=dict[str, str],
        description="variables of its environment, placeholders allowed",
        examples=['{ BATCH_SIZE = "3" }'],
    )
    env_file: Text | None = Field(
        default=None,
        description="a file of variables, NAME=value, below those of env and killpoint's own",
        examples=['".env"'],
    )
    files: tuple[FileTable, ...] = Field(
        default=(),
        description="configuration files, made for each start; in containers they are mounted",
        examples=['[{ template = "config.toml.j2", path = "config.toml" }]'],
    )
    after_start: Command | None = Field(
        default=None,
        description="a program of this machine that runs beside it after each of its starts, such "
        "as one that registers a connector; with direct addresses and the target's {port:NAME}",
        examples=['["./register-connector.sh", "{port:rest}"]'],
    )
    group: Text | None = Field(
        default=None,
        description="its consumer group; absent: learnt on the wire in the first clean run",
        examples=['"click-counter"'],
    )
    volumes: tuple[Text, ...] = Field(
        default=(),
        description="of its container, as docker run --volume takes them",
        examples=['["./rules:/rules:ro"]'],
    )
    user: Text | None = Field(
        default=None, description="of its container, a name or a number", examples=['"1000:1000"']
    )
    memory: Bytes | None = Field(
        default=None,
        description="what its container may use, without swap, before the kernel kills it",
        examples=['"256m"'],
    )
    container: Literal["new", "same"] = Field(
        default="new",
        description="after a crash a new container, as in a rollout, or the same one again with "
        "its files, as a restart policy gives it",
    )
    restart: Literal["always", "on-failure", "never"] = Field(
        default="always", description="when it is started again after an exit of its own"
    )
    restart_limit: Annotated[StrictInt, Field(ge=0)] = Field(
        default=5, description="more restarts in a row without progress mean stuck"
    )
    spare: StrictBool = Field(
        default=False,
        description="start the replacement beforehand and keep what it says until the first is "
        "dead: faster, but at its start it sees files, clocks and leases as before the crash",
    )
    replicas: Annotated[StrictInt, Field(ge=1, le=16)] = Field(
        default=1,
        description="instances that run side by side in one group, of a command, an image or a "
        "service; [run] dies says who is killed; {port:NAME} gives each a port of its own",
    )
    stop_grace: Seconds = Field(
        default=10.0,
        description="after SIGTERM (action terminate), until SIGKILL",
        examples=['"10s"'],
        json_schema_extra={"default": "10s"},
    )
    start_timeout: Seconds = Field(
        default=60.0,
        description="from start to join or first fetch; once the clean runs are over at least "
        "five times what they took",
        examples=['"60s"'],
        json_schema_extra={"default": "60s"},
    )

    @property
    def in_container(self) -> bool:
        """Whether it runs in a container."""
        return self.image is not None or self.build is not None or self.compose is not None

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        origins = [key for key in ("image", "build", "compose") if getattr(self, key) is not None]
        if len(origins) > 1:
            made = " and ".join(origins[:2])
            raise ValueError(f"has {made}, but the target is made of one of them")
        if self.command is None and not self.in_container:
            raise ValueError("needs command, image, build or compose: what the consumer is")
        if alone := self._given(_OF_CONTAINERS, needed=self.in_container):
            raise ValueError(f"has {alone}, which is for a container, but no image and no build")
        if self.spare and self.after_start is not None:
            raise ValueError("has spare and after_start, which cannot run beside a spare")
        if self.spare and self.in_container:
            raise ValueError("has spare, which is for a command of this machine, not a container")
        if self.spare and self.replicas > 1:
            raise ValueError("has spare, which replaces one instance, and replicas")
        return self

    @model_validator(mode="after")
    def _whole_service(self) -> Self:
        if self.compose is not None and self.service is None:
            raise ValueError("has compose but no service: which one of the file is the target")
        if alone := self._given(_OF_COMPOSE, needed=self.compose is not None):
            raise ValueError(f"has {alone}, which is for a compose file, but no compose")
        if self.compose is None and self.in_container and "answer_at" in self.model_fields_set:
            raise ValueError("has answer_at, which is for a command of this machine or a service")
        if alone := self._given(_OF_IMAGES, needed=self.compose is None):
            raise ValueError(f"has {alone}, which stands in the compose file")
        return self

    def _given(self, keys: tuple[str, ...], *, needed: bool) -> str | None:
        """The first of these keys that is given although nothing needs it."""
        given = (key for key in keys if key in self.model_fields_set)
        return None if needed else next(given, None)
