"""A runner: the runs of one lane, each with a database and a group of its own.

Counterpart: the examination has one for each of its lanes and says what is run; `world` made what
every run starts from.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from killpoint.cli.session.audit import Audit
from killpoint.cli.session.evidence import Evidence
from killpoint.cli.session.stack import Lane
from killpoint.cli.session.world import World
from killpoint.compose.housing import OwnedTarget
from killpoint.faults.drained import Calibration
from killpoint.faults.run import Run
from killpoint.faults.run_record import RunRecord
from killpoint.faults.scenario import Scenario
from killpoint.faults.spare import Spare
from killpoint.faults.stage import Stage


@dataclass(slots=True)
class Runner:
    """One lane at work; it owns its targets. `evidence` is None where none is kept.

    `second` is the target that takes turns with the first where a spare is wanted; `awaits` is told
    of starts, see `faults.run`.
    """

    lane: Lane
    world: World
    target: OwnedTarget
    stage: Stage
    evidence: Evidence | None = None
    second: OwnedTarget | None = None
    awaits: Callable[[bool], None] | None = None
    spare: Spare | None = field(init=False, default=None)
    _runs: int = 0

    def __post_init__(self) -> None:
        if self.second is not None:
            self.spare = self.world.spare(self.second)

    async def run(
        self,
        scenario: Scenario,
        calibration: Calibration | None = None,
        *,
        patient: bool = False,
    ) -> RunRecord[Audit]:
        """Run a scenario to its end, and keep its evidence; `patient`: see `faults.run`."""
        self._runs += 1
        number = f"{self.lane.number}-{self._runs}"
        world, evidence = self.world, self.evidence
        run = Run(
            stage=self.stage,
            scenario=scenario,
            database=self._database(self._runs),
            next_database=self._database(self._runs + 1),
            group=world.subject.group or f"killpoint-{world.run}-{number}",
            own_group=world.subject.group is None,
            auditor=world,
            calibration=calibration,
            log=evidence.folder(scenario.id) / "target.log" if evidence else None,
            spare=self.spare,
            awaits=self.awaits,
            patient=patient,
        )
        record = await run.go()
        if evidence is not None:
            evidence.write(scenario.id, record.history)
        return record

    def _database(self, run: int) -> str:
        return self.world.database_of(f"{self.lane.number}_{run}")

    async def close(self) -> None:
        """End the targets and drop what is left of their databases. Idempotent."""
        await self.target.close()
        if self.second is not None:
            await self.second.close()
        await self.stage.databases.close()
