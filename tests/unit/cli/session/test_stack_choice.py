from pathlib import Path

import pytest

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import read_document
from killpoint.cli.config.load import read_configuration
from killpoint.cli.init import write_project
from killpoint.cli.session.stack_choice import StackWish, chosen_stack, stack_wish
from killpoint.compose.docker_servers import ServerWishes
from killpoint.faults.environment import Account

STACK = """
[stack]
kafka_image = "acme/kafka:4"
kafka_env = { A = "1" }
postgres_memory = "512m"
"""


def configuration(folder: Path, more: str = "") -> Configuration:
    write_project(folder)
    with (folder / "killpoint.toml").open("a", encoding="utf-8") as file:
        file.write(more)
    return read_configuration(read_document(folder / "killpoint.toml"))


def test_a_file_that_says_nothing_wishes_auto_and_the_official_images(tmp_path: Path) -> None:
    wish = stack_wish(configuration(tmp_path), None)
    assert wish == StackWish("auto", ServerWishes())


def test_the_command_line_goes_before_the_file(tmp_path: Path) -> None:
    read = configuration(tmp_path, 'stack = "docker"\n')
    assert stack_wish(read, None).kind == "docker"
    assert stack_wish(read, "embedded").kind == "embedded"


def test_the_servers_are_as_the_file_says(tmp_path: Path) -> None:
    servers = stack_wish(configuration(tmp_path, STACK), None).servers
    assert (servers.kafka.image, servers.kafka.environment) == ("acme/kafka:4", {"A": "1"})
    assert servers.postgres.memory == 512 << 20


@pytest.fixture
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")


@pytest.mark.parametrize("kind", ["docker", "embedded"])
async def test_what_is_asked_for_is_not_questioned(no_engine: None, kind: str) -> None:
    choice = await chosen_stack(StackWish(kind), lambda words: None)
    assert (choice.environment.stack, choice.reason) == (kind, "")


async def test_auto_without_an_engine_is_embedded_and_says_so(no_engine: None) -> None:
    choice = await chosen_stack(StackWish("auto"), lambda words: None)
    assert choice.environment.stack == "embedded"
    assert choice.reason == "chosen since no Docker engine answers"


def test_the_login_is_wished_of_either_stack(tmp_path: Path) -> None:
    login = '[database]\nname = "shop"\nuser = "app"\npassword = "secret"\n'
    write_project(tmp_path)
    file = tmp_path / "killpoint.toml"
    file.write_text(file.read_text("utf-8").replace("[database]\n", login), "utf-8")
    wish = stack_wish(read_configuration(read_document(file)), None)
    assert wish.database.account == Account("shop", "app", "secret")
