"""What a run lacks for a while: one machine room, threads, its wake index; a stage a whole service.

A full disk refuses every write, and reads go on. Where threads are short, those that were begun go
on and no further one begins. A new version that makes the wake index anew lets nothing run before
that is whole; whoever cuts it off has it begin again.

A service of AWS that is out refuses every call, or does what it does late, as in us-east-1 on 20
October 2025 (aws.amazon.com/message/101925).
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from chalicelib.settings import Settings
from tests.simulation.faults import Out, popular_seconds

if TYPE_CHECKING:
    from tests.simulation.cloud import Cloud
    from tests.simulation.models.tables_model import Index

_APART_S = (30.0, 400.0)
_LASTS_S = (1.0, 120.0)
_UPGRADES_APART_S = (200.0, 1_500.0)
_REBUILD_S = (2.0, 200.0)
_CUT_OFF = (0, 0, 1, 1, 2, 3)
"""How often a rebuild may be cut off."""
_OUT_APART_S, _OUT_S = (200.0, 1_500.0), (5.0, 9_000.0)
_BEFORE_S, _BESIDE_MANY = (1.0, 15.0), 0.7
_REACHES_BACK_S = 300.0
"""How long before its second a target's steps and messages begin."""
_LEASE_AND_TICK_S = 66.0 + 62.0
"""How much later at most a full disk may have made what is due around then.

What was under way as it began is looked for after its lease, and whatever was not, at a tick.
"""
_START_S = 2.0
"""How much later a start, or threads that can begin again, may have made it after that."""


@dataclass(slots=True)
class Surroundings:
    """When what was missing."""

    cloud: "Cloud"
    spans: list[tuple[float, float, float]] = field(default_factory=list)
    """From when until when, and how many seconds after that what was due may still be late."""

    def begin(self) -> None:
        """Start what the plan has of one machine, until its faults are over."""
        plan, world = self.cloud.world.plan, self.cloud.world
        kept: tuple[tuple[str, bool, Callable[[random.Random], None]], ...] = (
            ("disk", plan.fills_disk, self._keep_filling),
            ("threads", plan.refuses_threads, self._keep_refusing),
            ("upgrades", plan.rebuilds, self._keep_upgrading),
        )
        for name, is_planned, keep in kept:
            if is_planned:
                chance = random.Random(f"{name} {plan.seed}")
                world.scheduler.spawn(self.cloud.outsider(name), partial(keep, chance))

    def begin_on_stage(self) -> None:
        """Start what the plan has of a stage, until its faults are over."""
        plan, scheduler = self.cloud.world.plan, self.cloud.world.scheduler
        for out in plan.goes_without:
            keep_out = partial(self._keep_out, out, random.Random(f"{out} {plan.seed}"))
            scheduler.spawn(self.cloud.outsider(out), keep_out)

    @property
    def lasted_s(self) -> float:
        """Return how long something was missing, in all."""
        return sum(end - begin for begin, end, _ in self.spans)

    def explains_s(self, due_s: float, sent_s: float) -> float:
        """Return how late this may make what was due then and sent at last."""
        return sum(
            max(min(end, sent_s) - max(begin, due_s), 0.0) + after_s
            for begin, end, after_s in self.spans
            if begin <= sent_s and end >= due_s - _REACHES_BACK_S
        )

    def _keep_filling(self, chance: random.Random) -> None:
        world = self.cloud.world
        for lasts_s in self._moments(chance, _APART_S, _LASTS_S):
            with self._span(explains_after_s=_LEASE_AND_TICK_S):
                world.disk_is_full = True
                world.scheduler.sleep(lasts_s)
                world.disk_is_full = False

    def _keep_out(self, out: Out, chance: random.Random) -> None:
        world = self.cloud.world
        for lasts_s in self._moments(chance, _OUT_APART_S, _OUT_S):
            with self._span(explains_after_s=_LEASE_AND_TICK_S):
                world.without[out] = world.now + lasts_s
                world.scheduler.sleep(lasts_s)
                del world.without[out]

    def _keep_refusing(self, chance: random.Random) -> None:
        scheduler = self.cloud.world.scheduler
        for lasts_s in self._moments(chance, _APART_S, _LASTS_S):
            with self._span(explains_after_s=_START_S):
                scheduler.refuses_threads = True
                scheduler.sleep(lasts_s)
                scheduler.refuses_threads = False

    def _keep_upgrading(self, chance: random.Random) -> None:
        scheduler = self.cloud.world.scheduler
        for rebuild_s in self._moments(chance, _UPGRADES_APART_S, _REBUILD_S):
            while not self.cloud.is_machine_up:
                scheduler.sleep(1.0)
            with self._span(explains_after_s=_START_S):
                self.cloud.stop_machine()
                self.make_index_anew(chance, rebuild_s)
                self.cloud.start_machine()
                self.cloud.start_api()

    def make_index_anew(self, chance: random.Random, rebuild_s: float) -> None:
        """Make the wake index of what is in the table; a start that is cut off leaves none."""
        index, scheduler = self.empty_index(), self.cloud.world.scheduler
        for _ in range(chance.choice(_CUT_OFF)):
            scheduler.sleep(chance.random() * rebuild_s)
        scheduler.sleep(rebuild_s)
        for key, row in self._rows():
            index.see(key, row)

    def empty_index(self) -> "Index":
        """Forget every entry of the wake index, and return it."""
        index = self.cloud.tables.tables[self._posts].indexes["wake"]
        for kept in (index.members, index.places, index.seen):
            kept.clear()
        return index

    def _rows(self) -> list[tuple[tuple[str, str], dict[str, dict[str, object]]]]:
        """Return the rows of the table as they are."""
        table = self.cloud.tables.tables[self._posts]
        return [((pk, sk), row) for pk, rows in table.rows.items() for sk, row in rows.items()]

    @property
    def _posts(self) -> str:
        return Settings.from_environment({"GOLDENHOUR_STAGE": "local"}).posts_table

    def _moments(
        self, chance: random.Random, apart_s: tuple[float, float], lasts_s: tuple[float, float]
    ) -> Iterator[float]:
        """Yield again and again how long something is to last now, short times more often.

        Mostly it begins right before a popular second of the first workspace, if the next
        one comes sooner.
        """
        world, (least, most) = self.cloud.world, lasts_s
        while True:
            at_s = world.now + chance.uniform(*apart_s)
            coming = [at - chance.uniform(*_BEFORE_S) for at in popular_seconds(world.plan)]
            near = [begin for begin in coming if world.now < begin < at_s]
            if near and chance.random() < _BESIDE_MANY:
                at_s = min(near)
            world.scheduler.sleep(at_s - world.now)
            if world.now > world.plan.hours * 3_600:
                return
            yield least * (most / least) ** chance.random()

    @contextmanager
    def _span(self, *, explains_after_s: float) -> Iterator[None]:
        """Note from when until when the block ran, and how long after that it explains delays."""
        begin, place = self.cloud.world.now, len(self.spans)
        self.spans.append((begin, float("inf"), explains_after_s))
        yield
        self.spans[place] = (begin, self.cloud.world.now, explains_after_s)
