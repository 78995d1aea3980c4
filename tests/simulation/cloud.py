"""The cloud of a run: processes with the real `app.py` in each, over the models of AWS.

Every queue that the app reads has some processes that work its batches off as Lambda does, the
rule of a minute has one, and two answer requests. A process that is killed is replaced, with an
empty memory, after a moment.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, cast

from botocore.exceptions import BotoCoreError, ClientError

import app
from chalicelib.bootstrap import engine as wired
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.local.triggers.handlers import (
    QueueHandler,
    ScheduledHandler,
    failed_ids,
    queue_event,
    queue_handlers,
    scheduled_event,
    scheduled_handlers,
)
from chalicelib.settings import Settings
from chalicelib.storage.tables import SWITCH_KEY
from chalicelib.workers.media import converting
from chalicelib.workers.media.isolated.converter import Ended
from infra.template.functions import PLACES
from tests.simulation.clock_setting import MachineClock
from tests.simulation.faults import Fault, Out
from tests.simulation.models.chain_guard import ChainGuard
from tests.simulation.models.expressions import Wire
from tests.simulation.models.listing_platform import ListingConnector
from tests.simulation.models.platform_model import PlatformModel
from tests.simulation.models.queue_model import HOP, Message, queues
from tests.simulation.models.session_model import SessionModel
from tests.simulation.models.sign_ins import SignIns
from tests.simulation.models.tables_model import Backup, TablesModel
from tests.simulation.surroundings import Surroundings
from tests.simulation.virtual_time.scheduler import Process
from tests.simulation.world import World

SETTINGS = Settings.from_environment({"GOLDENHOUR_STAGE": "local"})
_COLD_START_S, _IDLE_S = 0.7, 300.0
"""How soon a container comes while all of a queue's are at work, and how long it waits for more."""
_POLLERS, CALLS = 200, 16
"""How many threads of one machine read a queue, and how many calls it makes at once: few, so that
those that hang could take them all."""
_WEB = "http://127.0.0.1:8000"
_EVERY_MINUTE = "rate(1 minute)"
_TICK_S = 60.0
_LATE_TICKS = 2
"""How many that wait Lambda still hands on: they are dropped at 120 s (`EventInvokeConfig`)."""
_API_TIMEOUT_S = 29.0
_CHALICE = Path(__file__).parents[2] / ".chalice" / "config.json"
_TIMEOUT_S = {
    name: float(function["lambda_timeout"])
    for name, function in json.loads(_CHALICE.read_text(encoding="utf-8"))[
        "lambda_functions"
    ].items()
}
"""After how long Lambda ends a function, by its name."""
_FAILS_WITHIN_S = 20.0
_SAYS_SO_EVERY_S = 10.0
"""How often who makes a copy says that it still does."""
_EVENTUAL_S = 1.0
"""How far behind a read is that does not ask for consistency."""


@dataclass(slots=True)
class Gap:
    """What a restore lost: from its backup to the end of the disk; and when the engine went on."""

    backup_s: float
    lost_s: float
    resumed_s: float = math.inf


@dataclass(slots=True)
class Cloud:
    """Everything that runs, and what it runs on."""

    world: World
    kind: type[TablesModel] = TablesModel
    tables: TablesModel = field(init=False)
    platform: PlatformModel = field(init=False)
    sign_ins: SignIns = field(init=False)
    clock: MachineClock = field(init=False)
    surroundings: Surroundings = field(init=False)
    pauses: list[tuple[float, float]] = field(default_factory=list)
    """When an operator stopped the engine, and when it went on."""
    gaps: list[Gap] = field(default_factory=list)
    """What restores from backups lost."""
    free_posts: list[str] = field(default_factory=list)
    """The posts of an author on the Free plan."""
    converted: list[tuple[str, float]] = field(default_factory=list)
    """Which file had been converted when."""
    guard: ChainGuard = field(init=False)
    _names: Counter[str] = field(default_factory=Counter)
    _more: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.tables = self.kind(
            SETTINGS.resource_prefix, lambda: self.world.now, self._lag_s, eventual_s=_EVENTUAL_S
        )
        self.platform = PlatformModel(self.world)
        self.clock = MachineClock(self.world.scheduler)
        self.surroundings = Surroundings(self)
        self.sign_ins = SignIns(self.world)
        self.guard = ChainGuard.of(self.world)
        self.queues = queues(self.world, SETTINGS.resource_prefix)
        self.world.restart = self._restart
        self.start_api()

    machine: Process | None = None
    queues: Any = field(init=False)
    api: list[Process] = field(init=False)

    def _lag_s(self) -> float:
        if self.world.strikes(Fault.INDEX_LAG):
            return self.world.faults.chance(Fault.INDEX_LAG).uniform(1.0, 75.0)
        return self.world.chance.uniform(0.005, 0.05)

    def process(self, kind: str) -> Process:
        """Return a new process of a kind: its number follows its name."""
        self._names[kind] += 1
        return self.world.process(f"{kind} {self._names[kind]}")

    def outsider(self, name: str) -> Process:
        """Return what never fails: the cloud itself."""
        return Process(f"{name} of {self.world.plan.seed}")

    # The app in each process.

    def deployment(self, settings: Settings = SETTINGS) -> Deployment:
        """Return the running process's own deployment over the models."""
        process = self.world.scheduler.current.process
        made = Deployment(
            settings,
            clock=self.clock.wall_of(process),
            session=SessionModel(self),  # type: ignore[arg-type]  # what the deployment uses of it
        )
        if self.world.plan.on_one_machine:
            made.clock = self.clock.steady_of(process)
        connectors = {
            platform: SandboxConnector(platform, self.platform, _WEB, wait=self.platform.hang)
            for platform in Platform
        }
        real = {
            platform: ListingConnector(platform, self.platform, self.sign_ins, _WEB)
            for platform in Platform
        }
        made.connectors = Connectors(sandbox=connectors, real=real)
        return made

    def of_process(self, make: Callable[..., object]) -> Callable[..., object]:
        """Return what makes a thing once a process, as `functools.cache` does in a real one."""

        def get() -> object:
            things = self.world.scheduler.current.process.things
            name = getattr(make, "__name__", "")
            if name not in things:
                things[name] = make()
            return things[name]

        return get

    def convert(self, media: Media, *others: object) -> Ended:
        """Take the time of a conversion, in no process of its own: every photo is fit already."""
        self.world.point("before convert")
        left_s = self.world.chance.uniform(*self.world.plan.copies_s)
        while left_s > _SAYS_SO_EVERY_S:
            self.world.scheduler.sleep(_SAYS_SO_EVERY_S)
            left_s -= _SAYS_SO_EVERY_S
            cast("Callable[[], None]", others[-1])()  # alive
        self.world.scheduler.sleep(left_s)
        self.converted.append((media.id, self.world.now))
        self.world.point("after convert")
        return Ended.SAME

    def clean(self, media: Media, *others: object) -> None:
        """Take as long to find that nothing must go from a photo before it leaves."""
        self.convert(media, *others)

    # What runs.

    def start(self) -> None:
        """Start everything."""
        if self.world.plan.on_one_machine:
            self.start_machine()
            self.surroundings.begin()
            if self.world.plan.sets_clock:
                self._set_clock()
            return
        self.surroundings.begin_on_stage()
        for source in queue_handlers(app.app):
            for place in range(self.world.plan.containers):
                self._start_queue(source, place)
        for rule in scheduled_handlers(app.app):
            if rule.expression == _EVERY_MINUTE:
                self._start_rule(rule)

    def start_machine(self) -> None:
        """Start one process for everything, as on one machine."""
        machine = self.machine = self.process("machine")
        machine.things["begin"] = self.start_machine
        self.world.scheduler.spawn(machine, self._play_machine)

    @property
    def is_machine_up(self) -> bool:
        """Tell whether that process runs."""
        return self.machine is not None and not self.machine.is_dead

    def stop_machine(self) -> None:
        """End it and what answers requests, so that they get no answer."""
        for process in (self.machine, *self.api):
            if process is not None:
                self.world.scheduler.kill(process)

    def start_api(self) -> None:
        """Start what answers requests."""
        self.api = [self.process("api 0"), self.process("api 1")]

    def _play_machine(self) -> None:
        machine = self.world.scheduler.current.process
        self._take_over()
        for source in queue_handlers(app.app):
            for _ in range(_POLLERS):
                self.world.scheduler.spawn(machine, partial(self._poll, source, math.inf))
        for rule in scheduled_handlers(app.app):
            if rule.expression == _EVERY_MINUTE:
                self.world.scheduler.spawn(machine, partial(self._fire_rule, rule, machine))

    def _set_clock(self) -> None:
        plan = self.world.plan
        ends_s = plan.hours * 3_600
        setting = partial(self.clock.keep_setting, plan.seed, self._notice_step, ends_s)
        self.world.scheduler.spawn(self.outsider("clock"), setting)

    def _notice_step(self, after_s: float) -> None:
        """Have the machine tick as `local/triggers/schedules.py` does when the clock was set."""
        machine = self.machine
        if machine is None or machine.is_dead:
            return  # the one after it ticks when it begins
        self.world.scheduler.spawn(machine, self._tick_anew, after_s=after_s)

    def _tick_anew(self) -> None:
        with suppress(ClientError, BotoCoreError):
            app.deployment().stores.tick_mark.forget()
        for rule in scheduled_handlers(app.app):
            if rule.expression == _EVERY_MINUTE:
                self._run_rule(rule)

    def _run_rule(self, rule: ScheduledHandler) -> None:
        _quietly(rule, scheduled_event("rule", self.world.scheduler.true_time(), "us-east-1"))

    def _take_over(self) -> None:
        """Go on with what the process before had, as one machine does before it begins."""
        while True:
            with suppress(ClientError, BotoCoreError):
                app.deployment().takeover.run()
                return
            self.world.scheduler.sleep(0.5)

    def lose_everything(self, backup: Backup, *, is_paused: bool = True) -> None:
        """End every process, and go on with what a backup has: the disk has died."""
        for process in [one for one in self.world.processes if not one.is_dead]:
            self.world.scheduler.kill(process)
            self._restart(process)
        self.tables.restore(backup)
        for queue in self.queues.values():
            queue.clear()
        if is_paused:
            paused = {**SWITCH_KEY, "paused": True}
            self.tables.put({"TableName": SETTINGS.directory_table, "Item": attributes(paused)})

    def _restart(self, process: Process) -> None:
        begin = process.things.get("begin")
        after_s = process.chance.uniform(0.5, 4.0)
        if process in self.api:
            place = self.api.index(process)
            self.api[place] = self.process(f"api {place}")
        elif begin is not None:
            work: Callable[[], object] = begin  # type: ignore[assignment]  # `_start_…` put it there
            self.world.scheduler.spawn(self.outsider("cloud"), work, after_s=after_s)

    def _start_queue(self, source: QueueHandler, place: int, patience_s: float = math.inf) -> None:
        process = self.process(f"{source.handler.name} {place}")
        process.things["begin"] = partial(self._start_queue, source, place)
        if place >= self.world.plan.containers:
            process.things["begin"] = partial(self._end_queue, source)
        self.world.scheduler.spawn(process, partial(self._poll, source, patience_s))

    def _start_one_more(self, source: QueueHandler) -> None:
        """Start a container where every one is at work, as Lambda does."""
        if self.world.plan.on_one_machine:
            return
        more = self._more[source.queue]
        place = self.world.plan.containers + more
        if self.queues[source.queue].waiting or place >= places_of(source):
            return
        self._more[source.queue] += 1
        start = partial(self._start_queue, source, place, _IDLE_S)
        self.world.scheduler.spawn(self.outsider("cloud"), start, after_s=_COLD_START_S)

    def _end_queue(self, source: QueueHandler) -> None:
        self._more[source.queue] -= 1

    def _poll(self, source: QueueHandler, patience_s: float) -> None:
        queue = self.queues[source.queue]
        while True:
            batch = queue.receive(source.batch_size, patience_s)
            if not batch:
                self._end_queue(source)
                return
            self._start_one_more(source)
            batch = self.guard.let_through(source.handler.name, batch)
            if not batch:
                continue
            ids = [message.id for message in batch]
            self._begin_hop(batch)
            try:
                with self._invocation(source):
                    answer = source.handler(queue_event(map(_record, batch), "arn", "us-east-1"))
                queue.delete(set(ids) - failed_ids(answer, ids))
            except Exception:  # noqa: BLE001 - as in Lambda: the batch comes again
                self.world.scheduler.sleep(0.1)

    def _begin_hop(self, batch: list[Message]) -> None:
        """Note which hop of its chain the running process is, as Lambda does in its environment.

        One machine's many threads are no chain of Lambda's.
        """
        if not self.world.plan.on_one_machine:
            things = self.world.scheduler.current.process.things
            things[HOP] = max(message.hop for message in batch)

    @contextmanager
    def _invocation(self, source: QueueHandler) -> Iterator[None]:
        """Do with the running process what Lambda does: it runs for one batch and is frozen then.

        At its time-out it is ended, whatever it is at, and the batch comes again; a container that
        fails ends sooner.
        """
        if not self.world.plan.on_lambda:
            yield
            return
        scheduler, is_over = self.world.scheduler, Event()
        process, name = scheduler.current.process, source.handler.name
        ends_s = _TIMEOUT_S[name]
        if self.world.strikes(Fault.KILLED, f"during {name}"):
            ends_s = self.world.faults.chance(Fault.KILLED).uniform(0.0, _FAILS_WITHIN_S)
        scheduler.thaw()

        def end() -> None:
            if not (is_over.is_set() or process.is_dead):
                self._restart(process)
                scheduler.kill(process)

        scheduler.spawn(self.outsider("lambda"), end, after_s=ends_s)
        try:
            yield
        finally:
            is_over.set()
            scheduler.freeze()

    def _start_rule(self, rule: ScheduledHandler) -> None:
        self.world.scheduler.spawn(self.outsider("rule"), partial(self._fire_rule, rule))

    def _fire_rule(self, rule: ScheduledHandler, machine: Process | None = None) -> None:
        """Have a rule's function run each minute, in processes of its own or in one machine's.

        A machine runs it as it starts, too.
        """
        if machine is not None and self._has_work():
            self.world.scheduler.spawn(machine, partial(self._run_rule, rule))
        late = 0
        while True:
            self.world.scheduler.sleep(_TICK_S + self.world.chance.uniform(-1.5, 1.5))
            if self.world.without.keys() & {Out.RULES, Out.FUNCTIONS}:
                late = min(late + 1, _LATE_TICKS)
                continue
            if self.world.strikes(Fault.TICK_MISSED) or not self._has_work():
                continue
            now, late = late + (2 if self.world.strikes(Fault.TICK_TWICE) else 1), 0
            for _ in range(now):
                process = machine or self.process(rule.handler.name)
                self.world.scheduler.spawn(process, partial(self._run_rule, rule))

    def _has_work(self) -> bool:
        """Tell whether a tick would find anything: one that finds nothing only costs time."""
        self.tables.follow()
        wake = self.tables.tables[SETTINGS.posts_table].indexes["wake"]
        soon = self.world.scheduler.time_at(self.world.now + 300).isoformat()
        return any(wake_at < soon for _, wake_at in wake.places.values())

    def rows_of(self, post_id: str) -> dict[str, Wire]:
        """Return every row of a post as it is, by its sort key."""
        return self.tables.tables[SETTINGS.posts_table].rows.get(post_id, {})

    def directory(self) -> dict[str, dict[str, Wire]]:
        """Return every row of the directory, by partition and sort key."""
        return self.tables.tables[SETTINGS.directory_table].rows

    def ask(self, request: Request) -> Response | None:
        """Send a request to the API from outside; None when no answer came in time."""
        scheduler = self.world.scheduler
        process, waiting = self.world.chance.choice(self.api), scheduler.current
        answers: list[Response] = []

        def work() -> None:
            answer: Response = app.pipeline().answer(request)
            answers.append(answer)
            scheduler.wake(waiting)

        self.world.travel(0.005, 0.03)
        scheduler.spawn(process, work)
        scheduler.park_for(_API_TIMEOUT_S)
        return answers[0] if answers else None


def _quietly(rule: ScheduledHandler, event: Any) -> None:  # noqa: ANN401 - EventBridge's
    with suppress(Exception):  # the next minute ticks again
        rule.handler(event)


def places_of(source: QueueHandler) -> int:
    """Return how many containers a stage in an account of a thousand has for a queue at once."""
    return PLACES["1000"]["".join(word.title() for word in source.handler.name.split("_"))]


def _record(message: Message) -> Any:  # noqa: ANN401 - SQS's
    return {
        "MessageId": message.id,
        "ReceiptHandle": message.id,
        "Body": message.body,
        "MD5OfBody": "",
        "Attributes": {"MessageGroupId": message.group},
    }


@contextmanager
def running(world: World, tables: type[TablesModel]) -> Any:  # noqa: ANN401 - a generator
    """Run the app's own functions in the world's processes while the block runs."""
    cloud, module = Cloud(world, tables), vars(app)
    cached = {name: value for name, value in module.items() if hasattr(value, "cache_info")}
    module.update({name: cloud.of_process(value.__wrapped__) for name, value in cached.items()})
    module.update(deployment=cloud.of_process(cloud.deployment))
    names = vars(converting)
    honest = {name: names[name] for name in ("convert", "clean_copy")}
    names.update(convert=cloud.convert, clean_copy=cloud.clean)
    wiring = vars(wired)
    calls = wiring["CALLS"]
    if world.plan.on_one_machine:
        wiring["CALLS"] = CALLS
    try:
        yield cloud
    finally:
        names.update(honest)
        wiring["CALLS"] = calls
        module.update(cached)


def body_of(response: Response) -> Any:  # noqa: ANN401 - JSON
    """Return what an answer says."""
    return json.loads(response.body) if response.body else None
