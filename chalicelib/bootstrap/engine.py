"""The parts that send posts: the checks before one goes out, and the workers of the lanes."""

import random
from functools import cached_property, partial
from typing import TYPE_CHECKING

from chalicelib.kit.limits.bulkhead import Bulkhead
from chalicelib.kit.limits.thread_places import ThreadPlaces
from chalicelib.kit.limits.thread_pool import ThreadPool
from chalicelib.storage.engine.switch import LastLook, RecentSwitch
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.workers.media.preparing import Preparation
from chalicelib.workers.media.shared_copies import SharedCopies
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import Arming
from chalicelib.workers.publishing.attempts import Attempts
from chalicelib.workers.publishing.firing import FireWorker
from chalicelib.workers.publishing.leases import LeaseKeeper
from chalicelib.workers.publishing.preflight import Preflight
from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper
from chalicelib.workers.publishing.worker import PublishWorker

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bootstrap.core import Core
    from chalicelib.domain.posts.target import Target
    from chalicelib.services.posts.risks import PostRisks
    from chalicelib.storage.engine.claims import TargetRef
    from chalicelib.workers.prepare_lane import PrepareLane

CALLS = 256
"""The most calls to platforms at once in a stage; one workspace gets at most four fifths of it."""
CALLS_AT_START = 8
"""How many calls compute at once in a process on one machine, where writes wait for each other."""
OUTCOME_THREADS = 16
"""Few, so that saving outcomes does not slow down calls that are due."""


def make_preparation(core: "Core") -> Preparation:
    """Return the part that finds the file for a target, or asks the convert lane to make it."""
    media = core.media
    copies = SharedCopies(
        rows=media.prepared_copies,
        conversions=media.conversions,
        queue=media.convert_queue,
        clock=core.clock,
    )
    return Preparation(
        files=media.files,
        copies=copies,
        store=media.store,
        creator_limit=core.workspace.creators.longest_video_s,
        addresses=media.public_addresses,
    )


def make_preflight(core: "Core", preparation: Preparation) -> Preflight:
    """Return the checks before a target goes out, with the part that saves their verdict."""
    stores, clock = core.stores, core.clock
    attempts = Attempts(
        outcomes=stores.outcomes,
        clock=clock,
        erasures=core.posting.erasures,
        workspaces=stores.workspaces,
    )
    keeper = VerdictKeeper(
        attempts=attempts,
        lanes=stores.lanes,
        clock=clock,
        spread=partial(random.uniform, -1, 1),  # jitter
        wall=core.wall,
        is_closed=LastLook(stores.engine_switch.read).is_closed,
    )
    return Preflight(
        keeper=keeper,
        targets=stores.targets,
        posts=stores.posts,
        accounts=stores.account_repository,
        catch_up=stores.catch_up,
        preparation=preparation,
        connectors=core.connectors,
        tokens=core.workspace.token_keeper,
        switch=stores.engine_switch,
        plan_of=stores.workspaces.plan_of,
    )


class EngineParts:
    """The workers of the lanes, which share one keeper of leases for this process."""

    def __init__(
        self, core: "Core", preflight: Preflight, risks: "Callable[[], PostRisks]"
    ) -> None:
        settings, stores = core.settings, core.stores
        clock, wall = core.clock, core.wall
        self._risks, self._switch = risks, stores.engine_switch
        leases = LeaseKeeper(stores.targets, clock)

        def worker(queue: PublishQueue) -> PublishWorker:
            return PublishWorker(
                targets=stores.targets,
                queue=queue,
                leases=leases,
                preflight=preflight,
                clock=clock,
                wall=wall,
                bounds=Bulkhead(settings.record_threads),
            )

        def places(name: str, threads: int, rests: ThreadPlaces | None = None) -> ThreadPlaces:
            pool = ThreadPool(threads, name=name)
            return ThreadPlaces(pool, threads, rests, at_start=at_start)

        at_start = CALLS_AT_START if settings.calls_at_once else None
        lanes = stores.lanes

        def slower_way(ref: "TargetRef", target: "Target | None") -> None:
            lane = lanes.prepare if target is None else lanes.slower(target)
            lane.send([ref], now=clock())

        self.publish_worker = worker(lanes.prepare)
        self.retry_worker = worker(lanes.retry)
        most = settings.calls_at_once or CALLS
        calls = places("fire", most, places("outcome", OUTCOME_THREADS))
        self.fire_worker = FireWorker(
            arming=Arming(preflight),
            leases=leases,
            clock=clock,
            wall=wall,
            slower_way=slower_way,
            read_switch=stores.engine_switch.read,
            late_switch=RecentSwitch(stores.engine_switch.read, clock),
            places=calls,
            armers=places("arm", most),
            alarm=Alarm(wall, calls.begin, calls.stand_by),
        )

    @cached_property
    def prepare_lane(self) -> "PrepareLane":
        """Handles a message of the prepare queue: checks a target or works on publishing it."""
        from chalicelib.workers.prepare_lane import PrepareLane

        worker, read_switch = self.publish_worker, self._switch.read
        return PrepareLane(risks=self._risks(), worker=worker, read_switch=read_switch)
