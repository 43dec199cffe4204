from pathlib import Path

import pytest

from killpoint.compose import facts as module
from killpoint.compose.facts import Fact, facts
from killpoint.compose.java import Java
from killpoint.compose.kafka_files import jars_folder
from killpoint.compose.manifest import manifest_of, write_manifest
from killpoint.faults.environment import EnvironmentFailed


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def told(name: str) -> Fact:
    (found,) = (fact for fact in facts() if fact.name == name)
    return found


def test_names_differ_and_each_says_something() -> None:
    told_facts = facts()
    assert len({fact.name for fact in told_facts}) == len(told_facts)
    assert all(fact.what for fact in told_facts)


@pytest.mark.parametrize(
    "name", ["Kafka's jars", "Kafka's folder", "start-up cache", "Postgres's folder"]
)
def test_what_is_not_made_yet_has_a_remedy(name: str) -> None:
    fact = told(name)
    assert not fact.found
    assert "killpoint demo" in fact.remedy


def test_python_is_there() -> None:
    assert told("Python").found


def test_a_missing_java_is_told_once_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Java:
        raise EnvironmentFailed("no Java at all. Install one.")

    monkeypatch.setattr(module, "find_java", fail)
    assert told("Java") == Fact("Java", False, "no Java at all", "Install one.")


def test_damaged_jars_are_named() -> None:
    folder = jars_folder()
    folder.mkdir(parents=True)
    jar = folder / "kafka.jar"
    jar.write_bytes(b"right")
    write_manifest(folder, manifest_of(folder, [jar]))
    assert told("Kafka's jars").found
    jar.write_bytes(b"wrong")
    fact = told("Kafka's jars")
    assert (fact.found, fact.what) == (False, "damaged: kafka.jar")
    assert str(folder) in fact.remedy


def test_a_full_disk_is_told_while_the_cache_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ROOM", 2**62)
    fact = told("cache")
    assert not fact.found
    assert "XDG_CACHE_HOME" in fact.remedy
