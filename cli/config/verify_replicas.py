"""Replicas of the configuration: that there are several where one is to die, and those named.

Counterpart: `--dies` and `--at` are held to the same rules by `commands/run.py`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from killpoint.cli.config.configuration import Configuration
from killpoint.cli.config.document import Document
from killpoint.cli.config.problem import Problem, do
from killpoint.cli.config.target import TargetTable
from killpoint.faults.moment import Moment

ONE: Final = "one"


def verify_replicas(configuration: Configuration, document: Document) -> Iterator[Problem]:
    """The problems of `[run] dies` and of the replicas that `[[scenario]]` names."""
    target = configuration.target
    if why := refusal(configuration.run.dies, target):
        yield document.problem(("run", "dies"), why[0], do(why[1]))
    for index, table in enumerate(configuration.scenario):
        if why := unknown_replica((fault.at for fault in table.faults), target):
            yield document.problem(("scenario", index, "faults"), why[0], do(why[1]))


def refusal(dies: str, target: TargetTable) -> tuple[str, str] | None:
    """Why one cannot die alone, and what to do about it; None if it can."""
    if dies != ONE:
        return None
    if target.replicas < 2:
        return "lets one of several die, but there is one", "[target] replicas = 2"
    if shared := _shared_address(target):
        return (
            f"lets one of several die, but which is which cannot be told: {shared}",
            "give the target the addresses by its command or env, or leave dies out",
        )
    return None


def unknown_replica(moments: Iterable[Moment], target: TargetTable) -> tuple[str, str] | None:
    """Why a moment names no replica of the target, and what to do about it; None if it does."""
    for moment in moments:
        if moment.replica is None:
            continue
        if target.replicas < 2:
            return f"{moment} names a replica, but there is one", "[target] replicas = 2"
        if not 1 <= moment.replica <= target.replicas:
            last = target.replicas
            return f"{moment} names a replica that is not there", f"they are numbered 1 to {last}"
        if shared := _shared_address(target):
            return (
                f"{moment} names a replica, but which is which cannot be told: {shared}",
                "leave the replica out of the name",
            )
    return None


def _shared_address(target: TargetTable) -> str | None:
    """Addresses of this machine are the same for all; those of a compose file are names."""
    told = target.answer_at.model_dump(exclude_none=True)
    if not told or target.compose is not None:
        return None
    return "[target] answer_at leads all replicas to one place"
