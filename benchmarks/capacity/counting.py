"""Counts what a target asks of AWS: the real handlers over the embedded engine, on its whole way.

Ticks go by minute by minute, from before the check to after the second. Each message that the code
sends is handed over when it would arrive: those of one queue and moment together, dealt out to
three deployments as to three containers of Lambda, which work at once. Accounts have sealed tokens,
so the key is asked as often as it would be; the platform alone is the sandbox, and answers at once.
"""

import heapq
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from botocore.model import OperationModel

from benchmarks.capacity.call_cost import call_cpu_s
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.http.pipeline import Pipeline
from chalicelib.settings import Settings
from chalicelib.storage.engine.wake_queue import read_wake_message
from chalicelib.storage.sandbox_here import SandboxHere
from chalicelib.workers.batches import run_together
from tests.api.http.endpoint_cases import a_photo
from tests.api.http_room import Document, House, Room
from tests.support.closed_at_end import closed_at_end
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import make_resources, start_embedded
from tests.support.frozen_clock import FrozenClock
from tests.support.s3_links import give_links

CONTAINERS = 3
BATCH = 100
WORKSPACES = 4
_DUE = timedelta(minutes=30)
"""How far ahead everything is scheduled: before the first check, also of what is prepared."""
_AFTER = timedelta(minutes=2)
_MINUTE = timedelta(minutes=1)
_LEFT = timedelta(seconds=2)
"""How long before its second a batch is handed over here; on AWS it is `ARM_AHEAD`."""
_READS = frozenset({"GetItem", "BatchGetItem", "Query", "TransactGetItems", "Scan"})

TICK, CHECK, PREPARE, FIRE, RESCUE = "tick", "check", "prepare", "fire", "rescue"


@dataclass(slots=True)
class Used:
    """What the targets asked for in one step of their way, all of them together."""

    invocations: int = 0
    messages: int = 0
    cpu_s: float = 0.0
    calls: Counter[str] = field(default_factory=Counter)
    """By service and operation, as in kms.Decrypt."""
    refused: Counter[str] = field(default_factory=Counter)
    read_units: float = 0.0
    written: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Write units by operation and by table or index: `posts` or `posts wake`."""


@dataclass(slots=True)
class Counted:
    """What so many targets asked for, by step; `call_cpu_s` is what botocore takes for a call."""

    targets: int
    steps: dict[str, Used]
    call_cpu_s: float


class Listener:
    """Listens to deployments' clients and adds to the step of the moment."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self.steps: dict[str, Used] = {}
        self.step = ""
        self.sent: list[tuple[datetime, str, str]] = []
        self._guard = threading.Lock()

    def listen(self, deployment: Deployment) -> None:
        """Hear every client of a deployment."""
        for service in ("dynamodb", "sqs", "s3", "kms"):
            events = getattr(deployment.clients, service).meta.events
            events.register(f"before-call.{service}", self._before)
            events.register(f"after-call.{service}", self._after)
        tables = deployment.clients.dynamodb.meta.events
        tables.register("before-parameter-build.dynamodb", _ask_for_units)
        deployment.clients.sqs.meta.events.register("before-call.sqs", self._message)

    @contextmanager
    def during(self, step: str, messages: int, invocations: int) -> Iterator[None]:
        """Count all that is asked for in the block for a step."""
        used = self.steps.setdefault(step, Used())
        used.messages += messages
        used.invocations += invocations
        self.step, began = step, time.process_time()
        try:
            yield
        finally:
            used.cpu_s += time.process_time() - began
            self.step = ""

    def _used(self) -> Used:
        return self.steps.setdefault(self.step, Used())

    def _before(self, model: OperationModel, event_name: str, **_: object) -> None:
        with self._guard:
            self._used().calls[_named(event_name, model)] += 1
            self._used().refused[_named(event_name, model)] += 1

    def _after(
        self, parsed: dict[str, Any], model: OperationModel, event_name: str, **_: object
    ) -> None:
        with self._guard:
            used = self._used()
            used.refused[_named(event_name, model)] -= 1
            spent = parsed.get("ConsumedCapacity", [])
            for one in spent if isinstance(spent, list) else [spent]:
                if model.name in _READS:
                    used.read_units += float(one["CapacityUnits"])
                else:
                    used.written.update(_units_written(model.name, one))

    def _message(self, params: dict[str, Any], model: OperationModel, **_: object) -> None:
        if model.name == "SendMessageBatch":
            queue = params["QueueUrl"].rpartition("-")[2]
            now = self._clock()
            with self._guard:
                self.sent += [
                    (now + timedelta(seconds=entry["DelaySeconds"]), queue, entry["MessageBody"])
                    for entry in params["Entries"]
                ]


def _units_written(operation: str, spent: dict[str, Any]) -> dict[tuple[str, str], int]:
    table = spent["TableName"].rpartition("-")[2]
    indexes = spent.get("GlobalSecondaryIndexes", {})
    alone = spent.get("Table", spent)["CapacityUnits"]
    units = {(operation, table): int(alone)}
    return units | {
        (operation, f"{table} {name}"): int(one["CapacityUnits"]) for name, one in indexes.items()
    }


def _named(event_name: str, model: OperationModel) -> str:
    return f"{event_name.split('.')[1]}.{model.name}"


def _ask_for_units(params: dict[str, Any], **_: object) -> None:
    params["ReturnConsumedCapacity"] = "INDEXES"


class MovedClock:
    """Stands still at `now`, or runs on from there; a handler that waits needs it to run."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._ran_from: float | None = None

    def __call__(self) -> datetime:
        """Return the time."""
        ran_s = 0.0 if self._ran_from is None else time.monotonic() - self._ran_from
        return self._now + timedelta(seconds=ran_s)

    def stand_at(self, now: datetime) -> None:
        """Be that time until told otherwise."""
        self._now, self._ran_from = now, None

    def run_from(self, now: datetime) -> None:
        """Be that time, and go on."""
        self._now, self._ran_from = now, time.monotonic()


class NineOClock:
    """Three containers, their clock, and the messages that were sent and not yet handed over."""

    def __init__(
        self, clock: MovedClock, containers: Sequence[Deployment], counter: Listener
    ) -> None:
        self.clock, self.containers, self.counter = clock, containers, counter
        self._coming: list[tuple[datetime, int, str, str]] = []
        self._number = 0

    def go(self, end: datetime) -> None:
        """Let time go by until then: ticks by the minute, messages as they arrive."""
        tick = self.clock()
        while (now := min(tick, self._next())) <= end:
            self.clock.stand_at(now)
            if tick == now:
                with self.counter.during(TICK, 0, 1):
                    self.containers[0].dispatcher.tick()
                tick += _MINUTE
            else:
                self._hand_over(now)
            self.note_sent()

    def _next(self) -> datetime:
        return self._coming[0][0] if self._coming else datetime.max.replace(tzinfo=UTC)

    def note_sent(self) -> None:
        """Let what was sent arrive after its delay."""
        for at, queue, body in self.counter.sent:
            self._number += 1
            heapq.heappush(self._coming, (at, self._number, queue, body))
        self.counter.sent.clear()

    def _hand_over(self, now: datetime) -> None:
        bodies: dict[str, list[str]] = {}
        while self._next() - now < timedelta(seconds=1):
            _, _, queue, body = heapq.heappop(self._coming)
            bodies.setdefault(queue, []).append(body)
        for queue, some in bodies.items():
            if queue == "publish":
                self._fire(some, now)
            elif queue == "prepare":
                self.clock.run_from(now)  # it waits out what is left of a second
                self._prepare(some)

    def _fire(self, bodies: list[str], now: datetime) -> None:
        due = max(read_wake_message(body).wake_at for body in bodies)
        batches = [bodies[place : place + BATCH] for place in range(0, len(bodies), BATCH)]
        self.clock.run_from(max(now, due - _LEFT))
        with self.counter.during(FIRE if now < due else RESCUE, len(bodies), len(batches)):
            self._in_containers(batches)
        self.clock.stand_at(max(now, due))

    def _in_containers(self, batches: list[list[str]]) -> None:
        def work(place: int) -> None:
            records = [{"messageId": body, "body": body} for body in batches[place]]
            fire = self.containers[place % CONTAINERS].engine.fire_worker.run_all
            failures = run_together(records, read_wake_message, fire)["batchItemFailures"]
            if failures:
                raise RuntimeError(f"{len(failures)} messages failed.")

        with ThreadPoolExecutor(CONTAINERS) as threads:
            list(threads.map(work, range(len(batches))))

    def _prepare(self, bodies: list[str]) -> None:
        for place, body in enumerate(bodies):
            ref = read_wake_message(body)
            step = CHECK if ref.kind.is_check else PREPARE
            container = self.containers[place % CONTAINERS]
            with self.counter.during(step, 1, 1):
                container.engine.prepare_lane.run(ref)


def counted(targets: int = 300, *, files: bool = False) -> Counted:
    """Return what so many targets ask for that are due in one second, with a photo each or not."""
    emulator = start_embedded()
    try:
        with tempfile.TemporaryDirectory() as folder:
            nine, rooms = _made(make_resources(emulator.endpoint), Path(folder))
            due = nine.clock() + _DUE
            posts = [
                _schedule(rooms[number % WORKSPACES], due, number, files=files)
                for number in range(targets)
            ]
            nine.counter.steps.clear()
            nine.note_sent()
            nine.go(due + _AFTER)
            steps = dict(nine.counter.steps)
            for room, post in posts:
                if room.statuses(post) != ["published"]:
                    raise RuntimeError(f"A post did not go out: {room.show(post)}")
            return Counted(targets, steps, call_cpu_s())
    finally:
        emulator.stop()


def _made(settings: Settings, folder: Path) -> tuple[NineOClock, list[Room]]:
    # Whole seconds, as everybody's nine o'clock is.
    clock = MovedClock(datetime.now(UTC).replace(microsecond=0))
    store = closed_at_end(SandboxHere(folder))
    listener = Listener(clock)
    containers = [_container(settings, clock, store, listener) for _ in range(CONTAINERS)]
    first = containers[0]
    house = House(
        first,
        Pipeline(KeyGatekeeper(first, every_endpoint(), clock=clock)),
        first,
        FrozenClock(clock()),
        store,
    )
    rooms = [house.room(plan=Plan.STUDIO) for _ in range(WORKSPACES)]
    for room in rooms:
        sign_in(room, Platform.LINKEDIN, clock())
    return NineOClock(clock, containers, listener), rooms


def sign_in(room: Room, platform: Platform, now: datetime) -> None:
    """Connect an account with sealed tokens, as a person's: the key is asked whenever it posts."""
    tokens = Tokens(access="a", refresh="r", expires_at=now + timedelta(days=90))
    signed_in = SignIn(
        platform=platform, handle="@bakery", remote_identity=room.workspace_id, tokens=tokens
    )
    account = room.house.operator.people.connections.connect(room.workspace_id, signed_in)
    room.accounts[platform.value] = account.id


def _container(
    settings: Settings, clock: MovedClock, store: SandboxHere, listener: Listener
) -> Deployment:
    made = Deployment(settings, clock=clock)
    give_links(made)
    ConvertsAtOnce.into(made)
    platform = SandboxConnector(Platform.LINKEDIN, store, "http://127.0.0.1:8000")
    made.connectors = Connectors(sandbox={}, real={Platform.LINKEDIN: platform})
    listener.listen(made)
    return made


def _schedule(room: Room, due: datetime, number: int, *, files: bool) -> tuple[Room, Document]:
    media = [room.upload(a_photo(), "bread.jpg")] if files else []
    post = room.draft("linkedin", caption=f"Bread {number}", media_ids=media)
    room.act(post, "schedule", {"at": due.isoformat()})
    return room, post
