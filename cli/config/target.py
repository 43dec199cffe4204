"""`[target]`: the consumer under test and how it is started."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, StrictInt, model_validator

from killpoint.cli.config.duration import Seconds
from killpoint.cli.config.size import Bytes
from killpoint.cli.config.table import Table, Text

Command = Annotated[tuple[Text, ...], Field(min_length=1)]
"""A program and its arguments, without a shell."""


_OF_CONTAINERS: Final = ("volumes", "user", "memory", "container")


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
        "with image or build what its container runs instead of the image's own command",
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
    stop_grace: Seconds = Field(
        default=10.0,
        description="after SIGTERM (action terminate), until SIGKILL",
        examples=['"10s"'],
        json_schema_extra={"default": "10s"},
    )
    start_timeout: Seconds = Field(
        default=60.0,
        description="from start to join or first fetch",
        examples=['"60s"'],
        json_schema_extra={"default": "60s"},
    )

    @property
    def in_container(self) -> bool:
        """Whether it runs from an image."""
        return self.image is not None or self.build is not None

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if self.image is not None and self.build is not None:
            raise ValueError("has image and build, but the target is made of one of them")
        if self.command is None and not self.in_container:
            raise ValueError("needs command, image or build: what the consumer is")
        alone = [key for key in _OF_CONTAINERS if key in self.model_fields_set]
        if alone and not self.in_container:
            raise ValueError(f"has {alone[0]}, which is for a container, but no image and no build")
        return self
