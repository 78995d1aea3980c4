"""One run of a plan: what was found, what was struck, and how late posts went out.

    report = run(a_plan(7))
    assert not report.broken

A run is an hour or a day of virtual time in which a client works and things go wrong, then a quiet
time without new faults in which everything must come to its end.
"""

import hashlib
import logging
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from chalicelib.domain.workspace.access import Caller
from tests.simulation.broken import Broken
from tests.simulation.client import OF_A_WORKSPACE, PLATFORMS, TWIN, Client
from tests.simulation.cloud import Cloud, running
from tests.simulation.customers import a_customer
from tests.simulation.faults import Plan, Strike
from tests.simulation.free_authors import move_in, plan_posts, sent_of_free
from tests.simulation.liveness import converted_s
from tests.simulation.models.tables_model import TablesModel
from tests.simulation.operators import go_to_work, popular_s
from tests.simulation.promises import broken_promises, messages_without_end
from tests.simulation.virtual_time.scheduler import Process
from tests.simulation.virtual_time.substitution import substituted
from tests.simulation.world import World

QUIET_HOURS = 28.0
"""After the last fault: a target may wait a day for a platform that asked for it."""
_FIRST_S = 30.0
_TWINS = 0.5
_HANGING, _HANG_TOGETHER = 120, ("x", "threads")
_HANG_BEFORE_S = (20.0, 15.0, 8.0, 4.0, 1.0, 0.0, 0.0)
_TWIN_AFTER_S = (0.0, 0.0, 0.0, 1.0, 20.0, 90.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run came to."""

    plan: Plan
    broken: tuple[Broken, ...]
    struck: tuple[Strike, ...]
    late_s: tuple[float, ...]
    targets: int
    events: int
    statuses: Counter[str] = field(default_factory=Counter)
    longest_chain: int = 0
    woken: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """When messages woke a function for each target."""
    stopped: tuple[tuple[float, str], ...] = ()
    """When the guard on chains stopped what message."""
    trace: str = ""
    """A digest of all that happened: the same plan gives the same."""

    @property
    def suspects(self) -> list[int]:
        """Return the numbers of the posts that broken promises are about."""
        return sorted({one.number for one in self.broken if one.number is not None})


def run(plan: Plan) -> Report:
    """Run a plan from its beginning to its end."""
    with in_world(plan) as (cloud, client):
        return _run(cloud.world, client)


@contextmanager
def in_world(
    plan: Plan, *, tables: type[TablesModel] = TablesModel
) -> Iterator[tuple[Cloud, Client]]:
    """Give the block a world in which everything runs, and a client with an empty workspace."""
    world = World(plan)
    with ExitStack() as around:
        level = logging.root.manager.disable
        logging.disable(logging.CRITICAL)
        around.callback(logging.disable, level)
        around.enter_context(substituted(world.scheduler, plan.seed))
        cloud = around.enter_context(running(world, tables))
        around.callback(world.scheduler.close)
        made: list[Client] = []
        for place in range(plan.workspaces):
            moving_in = partial(_move_in, cloud, made, place)
            world.scheduler.spawn(Process(f"operator {place or ''}".strip()), moving_in)
        authors: list[Caller] = []
        if plan.on_free:
            world.scheduler.spawn(Process("author"), partial(move_in, cloud, authors))
        world.scheduler.run(_FIRST_S)
        for author in authors:
            plan_posts(cloud, author)
        first, *made[0].neighbours = sorted(made, key=lambda client: client.place)
        cloud.start()
        yield cloud, first


def _run(world: World, client: Client) -> Report:
    world.faults.is_armed = True
    clients = [client, *client.neighbours]
    hanging = clients[-1:] if world.plan.hangs else []
    for each in clients[: len(clients) - len(hanging)]:
        _send_clients(world, each)
    for each in hanging:
        _send_hanging(world, each, popular_s(client))
    go_to_work(client)
    world.scheduler.run(world.plan.hours * 3_600)
    world.faults.is_armed = False
    world.scheduler.run((world.plan.hours + QUIET_HOURS) * 3_600)
    return Report(
        plan=world.plan,
        broken=(
            *broken_promises(clients),
            *sent_of_free(client.cloud),
            *messages_without_end(client.cloud.queues.values(), client.cloud.surroundings.lasted_s),
        ),
        struck=tuple(world.faults.struck),
        late_s=tuple(late for each in clients for late in lateness(each)),
        targets=sum(len(story.target_ids) for each in clients for story in each.stories),
        events=world.scheduler.events,
        statuses=sum((_statuses(each) for each in clients), Counter()),
        longest_chain=client.cloud.guard.longest,
        woken=client.cloud.guard.woken(),
        stopped=tuple((at, one.body) for at, one in client.cloud.guard.stopped),
        trace=_digest(clients, world),
    )


def _move_in(cloud: Cloud, made: list[Client], place: int) -> None:
    made.append(a_customer(cloud, place))


def _send_clients(world: World, client: Client) -> None:
    """Start a script for each post: some popular seconds, and times of their own."""
    chance = random.Random(f"posts {world.plan.seed}{client.mark}")
    length_s = world.plan.hours * 3_600
    popular = [chance.uniform(0.1, 0.9) * length_s for _ in range(3)]  # as `popular_s` says
    number, left = client.place * OF_A_WORKSPACE, world.plan.targets // world.plan.workspaces
    while left > 0:
        platforms = chance.sample(PLATFORMS, k=min(left, chance.choice((1, 1, 2, 3))))
        is_popular = chance.random() < 0.4
        due_s = chance.choice(popular) if is_popular else chance.uniform(0.02, 0.95) * length_s
        ahead_s = chance.choice((3.0, 20.0, 200.0, 1_000.0, 3_000.0))
        begin_s = max(due_s - ahead_s, _FIRST_S + 1)
        due = world.scheduler.time_at(float(int(due_s)))
        _send(client, number, due, platforms, after_s=begin_s - world.now)
        if world.plan.twins and _has_twin(world, number):
            twins_due = due + timedelta(seconds=_of_twin(world, number).choice(_TWIN_AFTER_S))
            twin = number + TWIN
            _send(client, twin, twins_due, platforms, after_s=begin_s - world.now)
            left -= len(platforms)
        left -= len(platforms)
        number += 1


def _send_hanging(world: World, client: Client, popular: list[float]) -> None:
    """Have many posts of a workspace hang right before and in its neighbour's popular seconds."""
    first = client.place * OF_A_WORKSPACE
    for place in range(_HANGING):
        at_s = int(popular[place % len(popular)]) - _HANG_BEFORE_S[place % len(_HANG_BEFORE_S)]
        due = world.scheduler.time_at(at_s)
        platform = _HANG_TOGETHER[place % len(_HANG_TOGETHER)]
        after_s = (due - world.scheduler.time_at(0.0)).total_seconds() - 100.0 - world.now
        _send(client, first + place, due, [platform], after_s=max(after_s, 1.0))


def _has_twin(world: World, number: int) -> bool:
    return _of_twin(world, number).random() < _TWINS


def _of_twin(world: World, number: int) -> random.Random:
    return random.Random(f"twin {world.plan.seed} {number}")


def _send(
    client: Client, number: int, due: datetime, platforms: list[str], *, after_s: float
) -> None:
    """Start a post's script."""
    world = client.cloud.world
    if world.plan.only is None or number in world.plan.only:
        process = Process(f"client {number} of {world.plan.seed}")
        world.scheduler.spawn(
            process, partial(client.play, number, due, platforms), after_s=after_s
        )


def lateness(client: Client) -> list[float]:
    """Return how late plain posts went out that nobody changed: nothing else delays them.

    The time that a file's conversion takes is not counted.
    """
    late = []
    for story in client.stories:
        was_left_alone = [call.action for call in story.calls] == ["create", "schedule"]
        if story.word or story.decisions or not was_left_alone:
            continue
        for target_id, at in story.calls[1].times.items():
            mine = [t for t in client.cloud.platform.taken if t.entry.target_id == target_id]
            due_s = (at - client.cloud.world.scheduler.time_at(0.0)) / timedelta(seconds=1)
            for sent_s in (one.sent_s for one in mine):
                late_s = sent_s - max(due_s, converted_s(client, story, sent_s))
                late.append(max(late_s, 0.0))
    return late


def _statuses(client: Client) -> Counter[str]:
    return Counter(
        row["status"]["S"]
        for story in client.stories
        for sk, row in client.cloud.rows_of(story.post_id).items()
        if sk.startswith("TARGET#")
    )


def _digest(clients: list[Client], world: World) -> str:
    told = [
        *(repr(call) for each in clients for story in each.stories for call in story.calls),
        *(repr(one) for one in clients[0].cloud.platform.taken),
        repr(world.faults.struck),
        str(world.scheduler.events),
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
