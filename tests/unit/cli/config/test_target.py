"""`[target]`: a command, an image or a folder to build, and what only a container can have."""

from collections.abc import Callable
from pathlib import Path

import pytest

from killpoint.cli.config.load import load_project
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.session.subject import subject_of
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.environment import Address, Login

Spoil = Callable[[str, str], Path]

COMMAND = 'command = ["{python}", "counter.py"]\n'
KAFKA = Address("172.18.0.1", 19092)
LOGIN = Login("172.18.0.1", 15432, "user", "secret", "db")
MISTAKES = {
    "nothing": ("", "needs command, image or build"),
    "image and build": ('image = "a"\nbuild = "."\n', "has image and build"),
    "memory of a command": (COMMAND + 'memory = "64m"\n', "has memory, which is for a container"),
    "no size": ('image = "a"\nmemory = "64"\n', 'must be a size such as "256m"'),
    "no such way to start again": ('image = "a"\ncontainer = "old"\n', 'cannot be "old"'),
    "no Dockerfile": ('build = "."\n', "names a folder without a Dockerfile"),
    "an interpreter that is not there": (
        'image = "a"\n' + COMMAND,
        "a container does not have",
    ),
    "a placeholder that does not exist": (
        'image = "a"\ncommand = ["{kafkas}"]\n',
        "unknown placeholder {kafkas}",
    ),
}


@pytest.mark.parametrize(("by", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_explained(spoil: Spoil, by: str, message: str) -> None:
    spoil(COMMAND, by)
    with pytest.raises(ConfigError) as caught:
        load_project()
    (problem,) = caught.value.problems
    assert message in str(problem)
    assert problem.hints


def test_an_image_needs_no_command_and_no_program_of_this_machine(spoil: Spoil) -> None:
    spoil(COMMAND, 'image = "acme/clicks:1"\ncommand = ["/only/in/the/image", "{topic}"]\n')
    subject = subject_of(load_project(), "seed")
    launch = subject.launch_target(KAFKA, LOGIN, "group")
    assert launch.command == ("/only/in/the/image", "clicks")
    assert subject.what == "image acme/clicks:1 /only/in/the/image {topic}"


def test_a_container_has_the_variables_of_killpoint_and_of_env_alone(
    spoil: Spoil, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THIS_MACHINE", "1")
    spoil(COMMAND, 'image = "acme/clicks:1"\n')
    subject = subject_of(load_project(), "seed")
    environment = subject.launch_target(KAFKA, LOGIN, "group").environment
    assert "SECRET_OF_THIS_MACHINE" not in environment
    assert environment["KAFKA_BOOTSTRAP_SERVERS"] == "172.18.0.1:19092"
    assert environment["BATCH_SIZE"] == "3"


def test_ports_in_a_container_are_the_same_at_each_start(spoil: Spoil) -> None:
    spoil(COMMAND, 'image = "a"\ncommand = ["{port:health}", "{port:metrics}", "{port:health}"]\n')
    subject = subject_of(load_project(), "seed")
    starts = [subject.launch_target(KAFKA, LOGIN, "group").command for _ in range(2)]
    assert starts[0] == starts[1] == ("20001", "20002", "20001")


def test_wishes_are_taken_over(folder: Path, spoil: Spoil) -> None:
    wishes = 'user = "1000"\nmemory = "64m"\ncontainer = "same"\nvolumes = ["./data:/data"]\n'
    (folder / "Dockerfile").write_text("FROM scratch\n")
    spoil(COMMAND, 'build = "."\n' + wishes)
    assert subject_of(load_project(), "seed").container == ContainerWish(
        build=folder, volumes=(f"{folder}/data:/data",), user="1000", memory=64 << 20, same=True
    )


def test_a_command_is_no_container(folder: Path) -> None:
    assert subject_of(load_project(), "seed").container is None
