"""The real engine over a real emulator, with a clock that a test moves and a sandbox on disk.

    room = an_engine_room(emulator, tmp_path)
    post = room.scheduled("Fresh bread", in_=timedelta(minutes=5))
    room.pass_time(timedelta(minutes=5))
    assert room.status(post) == "published"

`pass_time` moves the clock from one time to wake to the next and runs what wakes then, so that an
hour of retries takes a moment.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TypeVar

from botocore.session import Session

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.kit.limits.bulkhead import Bulkhead
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import RecentSwitch
from chalicelib.storage.sandbox_here import SandboxHere
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import Arming
from chalicelib.workers.publishing.firing import FireWorker
from chalicelib.workers.publishing.leases import LeaseKeeper
from chalicelib.workers.publishing.worker import PublishWorker
from tests.support.closed_at_end import closed_at_end
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.people import PeopleStore, a_staff
from tests.support.s3_links import give_links
from tests.support.waking import waking_until

_Ends = TypeVar("_Ends")


class Inline(Executor):
    """Does what is handed to it at once, in the thread that hands it over."""

    def submit(  # type: ignore[override]  # one shape of call is enough
        self, work: Callable[..., _Ends], /, *arguments: object
    ) -> Future[_Ends]:
        done: Future[_Ends] = Future()
        try:
            done.set_result(work(*arguments))
        except BaseException as error:  # noqa: BLE001 - a kill too: whoever waits gets it
            done.set_exception(error)
        return done


class MovesTheClock(Alarm[Call]):
    """Stands in for waiting: it is the moment at once."""

    def __init__(
        self,
        clock: FrozenClock,
        ring: Callable[[Sequence[Call]], None],
        sleep: Callable[[float], None],
    ) -> None:
        super().__init__(clock, ring)
        self._sleep = sleep

    def at_each(self, ones: Sequence[tuple[datetime, Call]]) -> None:
        for moment, one in ones:
            while (left := moment - self._clock()) > timedelta(0):
                self._sleep(left.total_seconds())
            self._ring([one])


@cache
def _session() -> Session:
    """Return one session for all rooms, made after moto has prepared botocore for it."""
    return Session()


@dataclass(slots=True)
class EngineRoom:
    """Everything wired as deployed, but for the clock and the waiting."""

    deployment: Deployment
    people: PeopleStore
    caller: Caller
    clock: FrozenClock
    sandbox: SandboxHere
    waited: list[float] = field(default_factory=list)

    def account_id(self, platform: Platform = Platform.LINKEDIN) -> str:
        """Return the workspace's test account on a platform."""
        accounts = self.deployment.stores.account_repository.list(self.caller.workspace_id)
        return next(account.id for account in accounts if account.platform is platform)

    def draft(
        self,
        caption: str,
        *,
        platforms: tuple[Platform, ...] = (Platform.LINKEDIN,),
        key: str | None = None,
    ) -> Post:
        """Make a text-only draft."""
        targets = tuple(NewTarget(account_id=self.account_id(p)) for p in platforms)
        draft = NewPost(caption=caption, media_ids=(), targets=targets)
        return self.deployment.posting.drafts.create(self.caller, draft, idempotency_key=key)[0]

    def scheduled(
        self,
        caption: str,
        *,
        in_: timedelta = timedelta(minutes=5),
        platforms: tuple[Platform, ...] = (Platform.LINKEDIN,),
    ) -> Post:
        """Make a text-only post that goes out after `in_`."""
        post = self.draft(caption, platforms=platforms)
        at = self.clock() + in_
        return self.deployment.posting.scheduling.schedule(self.caller, post.id, at=at)

    def post(self, post: Post) -> Post:
        """Return a post as it is now, deleted or not."""
        return self.deployment.stores.posts.get_any(post.id)

    def target(self, post: Post) -> Target:
        """Return a post's first target as it is now."""
        return self.post(post).targets[0]

    def taken(self, post: Post) -> list[SandboxEntry]:
        """Return what the sandbox platform took for a post's first target."""
        target = self.target(post)
        return self.sandbox.find(target.account_id, target.id)

    def wake_messages(self, post: Post) -> list[TargetRef]:
        """Return the wake messages that the tick would send for a post's targets."""
        return [
            TargetRef(post.id, target.id, post.workspace_id, target.progress.wake_at)
            for target in self.post(post).targets
            if target.progress.wake_at is not None
        ]

    def waking(self, until: datetime) -> list[TargetRef]:
        """Return what wakes until then, soonest first."""
        return waking_until(self.deployment.clients.dynamodb, self.deployment.tables, until)

    def run_due(self) -> int:
        """Run everything that is due now; return how many targets were woken."""
        refs = self.waking(self.clock())
        for ref in refs:
            self.fire_worker.run(ref)
        return len(refs)

    def pass_time(self, time: timedelta) -> None:
        """Let time go by, running each target when it wakes."""
        end = self.clock() + time
        while refs := self.waking(end):
            self.clock.now = max(self.clock(), refs[0].wake_at)
            self.run_due()
        self.clock.now = end

    def sleep(self, seconds: float) -> None:
        """Stand in for waiting: time goes by at once."""
        self.waited.append(seconds)
        self.clock.pass_time(timedelta(seconds=seconds))

    @property
    def fire_worker(self) -> FireWorker:
        """Both lanes in one: what is no first visible call goes to the worker at once."""
        return self.fire_worker_with(self.clock)

    def fire_worker_with(self, clock: FrozenClock) -> FireWorker:
        """Return both lanes of another process, with its own clock."""
        worker = self.worker_with(clock)
        places = ThreadPlaces(Inline(), 64, ThreadPlaces(Inline(), 64))
        return FireWorker(
            arming=Arming(worker.preflight),
            leases=worker.leases,
            clock=clock,
            wall=clock,
            slower_way=lambda ref, _target: worker.run(
                ref, self.deployment.stores.engine_switch.read()
            ),
            read_switch=self.deployment.stores.engine_switch.read,
            late_switch=RecentSwitch(self.deployment.stores.engine_switch.read, clock),
            places=places,
            armers=ThreadPlaces(Inline(), 64),
            alarm=MovesTheClock(clock, places.begin, self.sleep),
            wait=self.sleep,
        )

    @property
    def worker(self) -> PublishWorker:
        """The worker as deployed, but that it waits by moving the clock."""
        return self.worker_with(self.clock)

    def worker_with(self, clock: FrozenClock) -> PublishWorker:
        """Return another worker, as a process of its own would have, with its own clock."""
        deployed = self.deployment.engine.publish_worker
        attempts = replace(deployed.preflight.keeper.attempts, clock=clock, wait=self.sleep)
        keeper = replace(deployed.preflight.keeper, attempts=attempts, clock=clock, wall=clock)
        return PublishWorker(
            targets=deployed.targets,
            queue=deployed.queue,
            leases=LeaseKeeper(deployed.targets, clock),
            preflight=replace(
                deployed.preflight,
                keeper=keeper,
                connectors=self.deployment.connectors,
                wait=self.sleep,
            ),
            clock=clock,
            wall=clock,
            bounds=Bulkhead(64),
            wait=self.sleep,
        )


def an_engine_room(
    emulator: EmulatorProcess,
    folder: Path,
    *,
    plan: Plan = Plan.STUDIO,
    platforms: tuple[Platform, ...] = (Platform.LINKEDIN, Platform.X),
) -> EngineRoom:
    """Return an engine room with a workspace that has a test account on each platform named."""
    settings = make_resources(emulator.endpoint)
    staff = a_staff(emulator.endpoint, plan, platforms)
    people, clock = staff.move_in(settings), FrozenClock(staff.now)
    sandbox = closed_at_end(SandboxHere(folder))
    deployment = Deployment(settings, clock=clock, session=_session())
    give_links(deployment)
    ConvertsAtOnce.into(deployment)
    room = EngineRoom(deployment, people, staff.caller, clock, sandbox)
    connectors = {
        platform: SandboxConnector(platform, sandbox, "http://127.0.0.1:8000", wait=room.sleep)
        for platform in Platform
    }
    deployment.connectors = Connectors(sandbox=connectors, real={})
    return room
