"""One run: the target's whole life in one scenario, from a fresh world to the audit.

The order is that of design.md: fresh database and offsets, start, wait for the moment, act, start
again, drained, audit with the target alive, clean up. What ends a run early stands in `limits`.
"""

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic

from killpoint.faults.actions import ACTIONS
from killpoint.faults.auditor import A, Auditor
from killpoint.faults.burial import bury, clear
from killpoint.faults.drained import Calibration, Judgement, judge, long_quiet_seconds
from killpoint.faults.durability import Stop, states_at
from killpoint.faults.ending import DRAINED, End, Ending
from killpoint.faults.fact_finder import OTHERS_SECONDS, FactFinder
from killpoint.faults.gate import Gate
from killpoint.faults.history import History
from killpoint.faults.hooks import RunHooks
from killpoint.faults.limits import Exits, after_exit, never_came, overdue, restarts
from killpoint.faults.lives import Lives
from killpoint.faults.parting import held_tables, may_hold_rows
from killpoint.faults.progress import Progress
from killpoint.faults.run_record import FaultRecord, RunRecord, Times
from killpoint.faults.scenario import KILLS, Fault, Scenario
from killpoint.faults.spare import Spare
from killpoint.faults.stage import Late, Stage
from killpoint.faults.target import Exit
from killpoint.faults.to_the_end import to_the_end
from killpoint.faults.unseen import unseen_by
from killpoint.faults.watch import Watch

_LOOK_SECONDS = 0.25
_AUDITS = 6


@dataclass(slots=True)
class Run(Generic[A]):
    """Runs one scenario on one stage. `go` may be called once.

    `own_group`: no other run has a group of this name.
    `patient`: wait as long as the limits allow for rows that the target is known to hold.
    """

    stage: Stage
    scenario: Scenario
    database: str
    group: str
    auditor: Auditor[A]
    calibration: Calibration | None = None
    log: Path | None = None
    spare: Spare | None = None
    awaits: Callable[[bool], None] | None = None
    """Told True at each start of the target, False when that has joined or asked for records."""
    patient: bool = False
    own_group: bool = False
    next_database: str | None = None
    """Made while this run waits for nothing but the quiet time."""
    watch: Watch = field(init=False)
    _finder: FactFinder = field(init=False)
    _hooks: RunHooks = field(init=False)
    _lives: Lives = field(init=False)
    _records: list[FaultRecord] = field(default_factory=list[FaultRecord])
    _exits: list[Exit] = field(default_factory=list[Exit])
    _in_a_row: Exits = field(default_factory=Exits)
    _times: Times = field(default_factory=Times)
    _late: Late | None = None
    _unseen: tuple[str, ...] = ()
    _ports: frozenset[int] = frozenset()
    _held: tuple[str, ...] = ()

    async def go(self) -> RunRecord[A]:
        """Run it; whatever happens, the target is gone afterwards, and its database soon after.

        `stage.databases.close` waits for that.
        """
        stage = self.stage
        if stage.reset_topics is not None:
            await stage.reset_topics()
        if stage.late is not None:
            stage.ends, self._late = stage.late.ends, stage.late
        committed = {p.place: p.offset for p in stage.start_positions}
        gate = Gate(self.scenario.faults, stage.rules)
        alone = stage.several is not None
        self.watch = Watch(
            gate,
            self._group_ready,
            committed,
            stage.files,
            stage.sources,
            one_dies=alone,
            group_of_run=self.group if self.own_group else None,
        )
        self._finder = FactFinder(
            stage, self.watch, self.database, self.calibration, self.patient, self._late is not None
        )
        for proxy in stage.proxies:
            proxy.watch, proxy.accepted = self.watch, 0
        if self.log is not None:
            stage.target.log_to(self.log)
            if self.spare is not None:
                self.spare.log_to(self.log.with_name("spare.log"))
        self._hooks = RunHooks(stage.hooks, self.database, self.group)
        self._lives = Lives(
            stage,
            self.watch,
            self._hooks,
            self.database,
            self.group,
            self._finder.retired,
            self.spare,
            self.awaits,
        )
        await stage.databases.make(self.database)
        try:
            if stage.database_made is not None:
                await stage.database_made(self.database)
            if stage.refresh is not None:
                await stage.refresh()
            ending, audit = await self._live()
            history, progress = await self._part(ending)
            if stage.hooks.after is not None:
                await stage.target.kill()
                ending = await self._hooks.after() or ending
        finally:
            await to_the_end(self._clean_up())
        self._remember_resumption()
        self._times.total = self.watch.now
        self._place()
        unreached = tuple(FaultRecord(f) for f in self._unmet)
        return RunRecord(
            self.scenario,
            ending,
            (*self._records, *unreached),
            audit,
            self._times,
            history,
            progress,
            tuple(self.watch.groups),
            tuple(self._exits),
            self._unseen,
            self._ports,
            self._lives.spare_ended,
            self._held,
        )

    # ── the lives of the target ──────────────────────────────────────────────────────────────────

    async def _live(self) -> tuple[Ending, A | None]:
        failed = await self._hooks.before()
        if failed is not None:
            return failed, None
        await self._start_again(None)
        while True:
            happened = await self._next()
            match happened:
                case Fault():
                    await self._act(happened)
                    await self._late_come()
                    await self._start_again(self.watch.dying)
                case Exit():
                    ending = await self._exited(happened)
                    if ending is DRAINED and await self._late_come():
                        ending = None
                    if ending is DRAINED and (closed := await self._drained()) is not None:
                        return closed
                    if ending is not None:
                        return ending, None
                    await self._start_again(self._lives.ended_one)
                case Ending(end=End.DRAINED):
                    closed = await self._drained()
                    if closed is not None:
                        return closed
                case Ending():
                    return happened, None

    async def _start_again(self, replica: int | None) -> None:
        """Start the target; or let the others go on until a replica is to be started again."""
        self._remember_resumption()
        if replica is None:
            await self._lives.start()
        else:
            await self._lives.go_on_without(replica)

    def _remember_resumption(self) -> None:
        """Keep where the life after the latest fault fetched from first, before it is over."""
        after_it = self._records and self.watch.life > self._records[-1].life
        if after_it and not self._records[-1].resumed:
            resumed = dict(self.watch.progress.life.first_asked)
            self._records[-1] = replace(self._records[-1], resumed=resumed)

    def _place(self) -> None:
        """Say of each fault which crash state it left."""
        stops = [
            Stop(met, record.crash.passed if record.crash else None, record.fault.action in KILLS)
            for met, record in zip(self.watch.met_at, self._records, strict=False)
        ]
        found = states_at(self.watch.history.entries(), stops, self.stage.durability)
        for index, place in enumerate(found):
            self._records[index] = replace(self._records[index], place=place)

    async def _next(self) -> Fault | Exit | Ending:
        """Wait for what comes first: the moment, an exit, the end of the work, or a limit."""
        met = asyncio.ensure_future(self.watch.met())
        try:
            while True:
                if not met.done():
                    await self._lives.bring_back()
                exited = self._lives.ended
                self._lives.heard()
                # An exit while the edges are frozen cannot be: the moment comes first.
                if met.done():
                    return met.result()
                if exited.done():
                    return exited.result()
                if self.watch.failure is not None:
                    raise self.watch.failure
                if self._hooks.failed is not None:
                    return self._hooks.failed
                judgement = await self._judge(alive=True)
                if self.watch.frozen:  # it came while that was asked
                    return await met
                done = judgement.drained and not self._lives.gone and not self._hooks.running
                if done and not await self._late_come():
                    return DRAINED
                if judgement.only_quiet and self.next_database is not None:
                    self.stage.databases.make_ahead(self.next_database, self.database)
                if not self._lives.gone:
                    ending = await overdue(self.stage, self.watch, judgement, self.scenario)
                    if ending is not None and not self.watch.frozen:
                        return ending
                await self._look_again(judgement.after_seconds, met, exited)
        finally:
            met.cancel()

    async def _look_again(
        self, seconds: float, *others: asyncio.Future[Fault] | asyncio.Future[Exit]
    ) -> None:
        changed = asyncio.ensure_future(self.watch.changed(min(seconds, _LOOK_SECONDS)))
        await asyncio.wait({changed, *others}, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()

    async def _act(self, fault: Fault) -> None:
        now = self.watch.now
        self._times.to_moment = now - self.watch.progress.life.started
        self.watch.note(f"reached {fault.at}")
        crash = await ACTIONS[fault.action](self.stage, self.watch)
        doubtful, snapshot = await asyncio.gather(
            self.stage.prepared(self.database), self.auditor.snapshot(self.database)
        )
        crash = replace(crash, prepared=tuple(f"prepared transaction {name}" for name in doubtful))
        for words in crash.left_behind:
            self.watch.note(f"left behind: {words}")
        replica = self.watch.met_at[-1].replica or None
        survivors = 0 if self.stage.several is None else len(self.stage.several.living)
        life = self.watch.life
        record = FaultRecord(fault, life, crash, snapshot, replica=replica, survivors=survivors)
        self._records.append(record)
        self._in_a_row = Exits()

    async def _late_come(self) -> bool:
        """Produce the events that come late, once; False if there are none to come."""
        if self._late is None:
            return False
        late, self._late = self._late, None
        self._finder.late_awaited = False
        self.stage.ends = await late.produce()
        self.watch.progress.waited()
        self.watch.note("the late events were produced")
        return True

    async def _exited(self, how: Exit) -> Ending | None:
        """An exit that killpoint did not cause: over, or (None) to be started again."""
        self._exits.append(how)
        one, several = self._lives.ended_one, self.stage.several
        self.watch.note(f"ended by itself: {how}" + (f" (replica {one})" if one else ""))
        await self.stage.kill(one)
        self._lives.alive = several is not None and bool(several.living)
        await self.stage.connections_ended(one)
        await bury(self.stage, self.watch, one)
        if not self._lives.alive and await self._done(how):
            return DRAINED
        if self._lives.alive and one is not None and not restarts(self.stage.restart, how):
            self._finder.retired.add(one)
            return None
        return after_exit(self._in_a_row, self.stage, self.watch, how, self.scenario)

    async def _done(self, how: Exit) -> bool:
        """Whether a target that ended had nothing left to do.

        One that would be started again, as by an orchestrator, is done only if it ended in good
        order and nothing is missing: a crash loop may have fetched everything, too.
        """
        judgement = await self._judge(alive=False)
        if not judgement.drained or not restarts(self.stage.restart, how):
            return judgement.drained
        return how.code == 0 and not (await self._audit_once()).suspicious

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    async def _judge(self, *, alive: bool) -> Judgement:
        facts = await self._finder.facts(alive=alive)
        return judge(self.watch.progress, self.calibration, facts)

    async def _drained(self) -> tuple[Ending, A | None] | None:
        """Audit; None if the target ended meanwhile or came to a moment, which is seen to first."""
        watch, life = self.watch, self.watch.progress.life
        joined = life.joined if life.joined is not None else life.started
        self._times.restart = joined - life.started if self._records else None
        self._times.drain = watch.now - joined
        watch.note("drained")
        began = watch.now
        if self._lives.alive and not self.scenario.faults:
            self._unseen = await unseen_by(self.stage)
            self._ports = frozenset(await self.stage.target.listening())
        if not self.scenario.faults:
            self.stage.read_back |= self.watch.progress.read_back
            # Asked here, as a target may make its tables itself.
            self.stage.numbering_tables |= await self.stage.database.numbering_tables(self.database)
        audit = await self._audit()
        if self._lives.ended_meanwhile or (self._lives.alive and watch.frozen):
            return None
        self._times.audit = watch.now - began
        if self._unmet and not self._records:
            return never_came(self.scenario), audit
        if self._unmet:
            return never_came(self.scenario, self._unmet[0]), audit
        return DRAINED, audit

    @property
    def _unmet(self) -> tuple[Fault, ...]:
        """The faults that nothing was done of: each that was met has a record."""
        return self.scenario.faults[len(self._records) :]

    async def _part(self, ending: Ending) -> tuple[History, Progress]:
        """See whether the target holds rows, where nothing tells yet; what was seen before that."""
        history, progress = self.watch.history, self.watch.progress
        first = self.calibration is None and not self.scenario.faults
        if first and ending is DRAINED and self._lives.alive and may_hold_rows(progress.life):
            kept = History([*history.lines]), copy.deepcopy(progress)
            self._held = await held_tables(self.stage, self.watch)
            return kept
        return history, progress

    async def _audit(self) -> A:
        """Audit; a result in doubt again after a long quiet time, until it stays the same."""
        audit = await self._audit_once()
        for _ in range(_AUDITS):
            doubtful = audit.suspicious or audit.provisional
            if not doubtful or not self._lives.alive or self._lives.ended_meanwhile:
                break
            await self._wait_quiet()
            again = await self._audit_once()
            if again == audit:
                break
            audit = again
        self.watch.note("audited")
        return audit

    async def _audit_once(self) -> A:
        topics = frozenset(self.watch.progress.topics_written)
        return await self.auditor.audit(self.database, topics)

    async def _wait_quiet(self) -> None:
        """Wait until nothing has happened for the long quiet time, within the drain limit."""
        deadline = self.watch.now + self.stage.patience.drain_seconds
        while self.watch.now < deadline and not self._lives.ended_meanwhile:
            facts = await self._finder.facts(alive=True)
            wanted = long_quiet_seconds(self.watch.progress, self.calibration, facts)
            wanted = min(wanted, facts.quiet_limit)
            life = self.watch.progress.life
            rest = wanted - (self.watch.now - (life.last_sign or life.started))
            if rest <= 0:
                return
            await self.watch.changed(rest)

    async def _clean_up(self) -> None:
        self.watch.freeze()
        await self._hooks.close()
        await self._lives.close()
        await self.stage.target.kill()
        await clear(self.stage, self.watch)
        if self.spare is not None:
            await self.spare.clear()
        for proxy in self.stage.proxies:
            proxy.watch = None
        await self.stage.databases.drop_behind(self.database)

    async def _others_come(self) -> None:
        """Wait until as many replicas have connected to Kafka as are awaited, for a while."""
        limit = min(OTHERS_SECONDS * self._finder.load(), self.stage.patience.start_seconds / 2)
        while self.watch.now - self.watch.progress.life.started < limit:
            if len(self.watch.here["kafka"]) >= self._finder.replicas_awaited():
                return
            await self.watch.changed(_LOOK_SECONDS)

    # ── the group ────────────────────────────────────────────────────────────────────────────────

    async def _group_ready(self, group: str) -> None:
        """Set the offsets of a group before the first request that names it is forwarded.

        And wait for the other replicas, so that they join together.
        """
        stage = self.stage
        if stage.replicas > 1:
            await self._others_come()
        if group in stage.groups_used:
            await stage.broker.delete_group(group)
        stage.groups_used.add(group)
        if stage.start_positions:
            await stage.broker.commit_offsets(group, stage.start_positions)
