"""`[target]`: a command, an image or a folder to build, and what only a container can have."""

from collections.abc import Callable
from pathlib import Path

import pytest

from killpoint.cli.config.load import load_project
from killpoint.cli.config.problem import ConfigError
from killpoint.cli.session.subject import subject_of
from killpoint.compose.compose_wish import ComposeWish
from killpoint.compose.container_wish import ContainerWish
from killpoint.faults.environment import Address, Login

Spoil = Callable[[str, str], Path]

COMMAND = 'command = ["{python}", "counter.py"]\n'
KAFKA = Address("172.18.0.1", 19092)
LOGIN = Login("172.18.0.1", 15432, "user", "secret", "db")
MISTAKES = {
    "nothing": ("", "needs command, image, build or compose"),
    "image and build": ('image = "a"\nbuild = "."\n', "has image and build"),
    "compose and image": ('image = "a"\ncompose = "counter.py"\n', "has image and compose"),
    "no service": ('compose = "counter.py"\n', "has compose but no service"),
    "no compose": (COMMAND + 'reset = ["a"]\n', "has reset, which is for a compose file"),
    "no such compose file": (
        'compose = "compose.yaml"\nservice = "a"\n',
        "names a file that does not exist",
    ),
    "the file's own": (
        'compose = "counter.py"\nservice = "a"\nuser = "b"\n',
        "has user, which stands in the compose file",
    ),
    "no address": (
        'compose = "counter.py"\nservice = "a"\nanswer_at = { kafka = "kafka" }\n',
        "answer_at",
    ),
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


def test_a_service_has_its_own_variables_and_what_env_adds(folder: Path, spoil: Spoil) -> None:
    (folder / "counter.py").touch()
    answers = 'answer_at = { kafka = "broker:29092" }\nreset = []\n'
    spoil(COMMAND, 'compose = "counter.py"\nservice = "counter"\n' + answers)
    subject = subject_of(load_project(), "seed")
    assert subject.container == ComposeWish(
        folder / "counter.py", "counter", {"kafka": Address("broker", 29092)}, ()
    )
    launch = subject.launch_target(KAFKA, LOGIN, "group")
    assert (launch.command, launch.environment) == ((), {"BATCH_SIZE": "3"})
    assert subject.what == "service counter of counter.py"


@pytest.mark.parametrize(
    ("target", "run", "message"),
    [
        (COMMAND, "", "but [target] has no compose"),
        ('compose = "counter.py"\nservice = "a"\n', "embedded", "[run] stack is embedded"),
    ],
)
def test_a_postgres_is_not_kept_where_there_is_none(
    folder: Path, spoil: Spoil, target: str, run: str, message: str
) -> None:
    (folder / "counter.py").touch()
    file = spoil(COMMAND, target)
    text = file.read_text("utf-8") + '\n[stack]\npostgres = "compose"\n'
    if run:
        text = text.replace("[run]\n", f'[run]\nstack = "{run}"\n')
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_project()
    assert message in str(caught.value)


def test_a_command_is_no_container(folder: Path) -> None:
    assert subject_of(load_project(), "seed").container is None


def test_a_spare_is_wanted_only_where_it_is_said(spoil: Spoil) -> None:
    assert not subject_of(load_project(), "seed").spare
    spoil(COMMAND, f"{COMMAND}\nspare = true\n")
    assert subject_of(load_project(), "seed").spare
