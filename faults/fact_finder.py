"""The outside facts of a judgement, gathered: what the drained rules want to know of the world.

Counterpart: `drained` judges by them, `run` asks. The load of the machine is read here, and the
position that the target keeps in its database.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from killpoint.faults.drained import Calibration, Facts
from killpoint.faults.position import TopicPartition
from killpoint.faults.stage import Stage
from killpoint.faults.watch import Watch

_LOAD_LIMIT = 10.0
OTHERS_SECONDS = 10.0
"""How long the first clean run waits for replicas to come that have not joined with the first."""


@dataclass(slots=True)
class FactFinder:
    """Gathers the facts of one run.

    `patient`: as in `Facts`. `late_awaited`: events are still to come; `retired`: the replicas that
    have ended for good. Both change as the run goes on.
    """

    stage: Stage
    watch: Watch
    database: str
    calibration: Calibration | None
    patient: bool
    late_awaited: bool = False
    retired: set[int] = field(default_factory=set[int])

    async def facts(self, *, alive: bool) -> Facts:
        """What the world shows now; `alive`: the target lives. Raises what the database raises."""
        position = await self._position() if self.stage.position_query else None
        return Facts(
            now=self.watch.now,
            ends=self._ends(),
            requests_open=self.watch.requests_open,
            alive=alive,
            load=self.load(),
            position=position,
            quiet_limit=self.stage.patience.drain_seconds / 2,
            patient=self.patient,
            replicas=self.replicas_awaited(),
        )

    def replicas_awaited(self) -> int:
        """How many must have come: as many as in the clean runs; the first waits for all a while.

        Some stand by and join only when another is gone.
        """
        if self.calibration is not None:
            return self.calibration.replicas - len(self.retired)
        life = self.watch.progress.life
        limit = OTHERS_SECONDS * self.load()
        late = life.joined is not None and self.watch.now - life.joined > limit
        return len(life.present) if late else self.stage.replicas - len(self.retired)

    def load(self) -> float:
        """How much slower than in the clean runs the target came up, or processes a processor."""
        life = self.watch.progress.life
        waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
        if self.calibration is None or life.joined is None or self.calibration.join_seconds <= 0:
            return min(_LOAD_LIMIT, max(1.0, waiting))
        slower = (life.joined - life.started) / self.calibration.join_seconds
        return min(_LOAD_LIMIT, max(1.0, slower))

    def _ends(self) -> Mapping[TopicPartition, int]:
        """The ends move when the target writes into a topic that it reads."""
        produced, read = self.watch.progress.produced, self.watch.progress.read
        beside = {p: 0 for p in read if p.topic in self.stage.topics_beside}
        back = dict.fromkeys(self.stage.read_back | self.watch.progress.read_back, 0)
        known = {**back, **beside, **self.stage.ends}
        ends = {p: max(end, produced.get(p, 0)) for p, end in known.items()}
        # Until late events have come, the target must ask for every partition, empty ones too.
        return {place: end for place, end in ends.items() if end or self.late_awaited}

    async def _position(self) -> dict[TopicPartition, int]:
        assert self.stage.position_query is not None
        _, rows = await self.stage.database.query(self.database, self.stage.position_query)
        places: dict[TopicPartition, int] = {}
        for topic, partition, offset in rows:
            places[TopicPartition(str(topic), int(str(partition)))] = int(str(offset))
        return places
