"""One deployment: everything that requests, pages, triggers and commands are given.

`app.py`, the local stack, the operator's commands and journeys in tests begin here. Each file of
this room adds a layer (`adapters`, `storage`, `platforms`, `use_cases`, `people`, here the
workers), and every part is built when it is first asked for.
"""

from __future__ import annotations

import random
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

from chalicelib.bootstrap.people import People
from chalicelib.kit.limits.thread_pool import ThreadPool

if TYPE_CHECKING:
    from chalicelib.domain.posts.target import Target
    from chalicelib.kit.aws_on_sqlite.tables.standing import Progress
    from chalicelib.storage.engine.claims import TargetRef
    from chalicelib.storage.engine.switch import TickMark
    from chalicelib.storage.engine.wake_queue import PublishQueue
    from chalicelib.workers.dispatcher import Dispatcher
    from chalicelib.workers.media.converting import ConvertWorker
    from chalicelib.workers.media.preparing import Preparation
    from chalicelib.workers.media.shared_copies import SharedCopies
    from chalicelib.workers.metrics.worker import MetricsWorker
    from chalicelib.workers.prepare_lane import PrepareLane
    from chalicelib.workers.profiles import ProfileReading
    from chalicelib.workers.publishing.firing import FireWorker
    from chalicelib.workers.publishing.leases import LeaseKeeper
    from chalicelib.workers.publishing.preflight import Preflight
    from chalicelib.workers.publishing.worker import PublishWorker
    from chalicelib.workers.retention import Retention
    from chalicelib.workers.takeover import Takeover
    from chalicelib.workers.token_renewal import TokenRenewal
    from chalicelib.workers.trial.publications import Trials
    from chalicelib.workers.uploads import UploadWorker

_LONG_CONVERSIONS = 2
"""How many videos of one workspace are converted at once."""
CALLS = 256
"""On a stage; threads come as they are needed, and one workspace alone has four fifths of them."""
OUTCOME_THREADS = 16
"""Few, so that outcomes leave the processor to calls that are due."""


class Indexes(Protocol):
    """The indexes of one machine's tables, which a newer version may have to rebuild."""

    def progress(self) -> Progress | None:
        """Return how far their rebuild is; None when they are whole."""
        ...

    def require_whole(self) -> None:
        """Rebuild them if need be. Raises OperatorError where a running stack does that."""
        ...


class Deployment(People):
    """What wakes by itself, over everything else; `indexes` is None for a stage in AWS."""

    indexes: Indexes | None = None

    @cached_property
    def tick_mark(self) -> TickMark:
        """What the last tick sent."""
        from chalicelib.storage.engine.switch import TickMark

        return TickMark(self.dynamodb, self.tables)

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """The tick."""
        from chalicelib.workers.dispatcher import Dispatcher

        return Dispatcher(
            self.targets,
            self.publish_queue,
            self.wall,
            mark=self.tick_mark,
            slower_queues=(self.prepare_queue, self.retries_queue),
            places=self.settings.publish_places,
        )

    @cached_property
    def upload_worker(self) -> UploadWorker:
        """What takes in files that arrived in S3."""
        from chalicelib.workers.uploads import UploadWorker

        return UploadWorker(self.direct_uploads, self.fetched_uploads)

    @cached_property
    def retention(self) -> Retention:
        """What lets files go when their time is over."""
        from chalicelib.workers.retention import Retention

        return Retention(
            files=self.media_files,
            uploads=self.media_uploads,
            posts=self.posts,
            library=self.media_library,
            direct_uploads=self.direct_uploads,
            clock=self.clock,
        )

    @cached_property
    def metrics_worker(self) -> MetricsWorker:
        """What asks platforms how live posts do."""
        from chalicelib.workers.metrics.calls import MetricCalls
        from chalicelib.workers.metrics.worker import MetricsWorker

        return MetricsWorker(
            counter_updates=self.counter_updates,
            reads=self.result_reads,
            directory=self.directory_table,
            accounts=self.account_repository,
            live_posts=self.live_posts,
            begin_calls=partial(MetricCalls, self.connectors, self.token_keeper, self.clock),
            clock=self.clock,
        )

    @cached_property
    def token_renewal(self) -> TokenRenewal:
        """What keeps unused sign-ins alive."""
        from chalicelib.workers.token_renewal import TokenRenewal

        return TokenRenewal(
            rows=self.token_store.rows,
            accounts=self.account_repository,
            connectors=self.connectors,
            keeper=self.token_keeper,
            clock=self.clock,
        )

    @cached_property
    def profile_reading(self) -> ProfileReading:
        """What reads once a day how accounts look."""
        from chalicelib.domain.version import USER_AGENT
        from chalicelib.kit.transport.guarded import GuardedFetch
        from chalicelib.workers.profiles import ProfileReading

        return ProfileReading(
            workspaces=self.workspaces,
            accounts=self.account_repository,
            profiles=self.profiles,
            connectors=self.connectors,
            keeper=self.token_keeper,
            fetch=GuardedFetch(user_agent=USER_AGENT),
            clock=self.clock,
        )

    @cached_property
    def leases(self) -> LeaseKeeper:
        """What renews the leases of this process."""
        from chalicelib.workers.publishing.leases import LeaseKeeper

        return LeaseKeeper(self.targets, self.clock)

    @cached_property
    def preflight(self) -> Preflight:
        """What is looked at before a target goes out."""
        from chalicelib.storage.engine.catch_up import CatchUpRepository
        from chalicelib.storage.engine.outcomes import OutcomeRepository
        from chalicelib.workers.publishing.attempts import Attempts
        from chalicelib.workers.publishing.preflight import Preflight
        from chalicelib.workers.publishing.verdict_keeper import VerdictKeeper

        attempts = Attempts(
            outcomes=OutcomeRepository(self.dynamodb, self.tables),
            clock=self.clock,
            erasures=self.erasures,
        )
        keeper = VerdictKeeper(
            attempts=attempts,
            lanes=self.lanes,
            clock=self.clock,
            spread=lambda: random.uniform(-1, 1),  # noqa: S311  # jitter
            wall=self.wall,
        )
        return Preflight(
            keeper=keeper,
            targets=self.targets,
            posts=self.posts,
            accounts=self.account_repository,
            catch_up=CatchUpRepository(self.dynamodb, self.tables),
            preparation=self.preparation,
            connectors=self.connectors,
            tokens=self.token_keeper,
            switch=self.engine_switch,
        )

    @cached_property
    def preparation(self) -> Preparation:
        """What finds the file that a target sends, or asks for it."""
        from chalicelib.workers.media.preparing import Preparation

        return Preparation(
            files=self.media_files,
            copies=self.shared_copies,
            store=self.media_store,
            creator_limit=self.creators.longest_video_s,
            addresses=self.public_addresses,
        )

    @cached_property
    def shared_copies(self) -> SharedCopies:
        """What finds copies of files, or asks the convert lane for them."""
        from chalicelib.workers.media.shared_copies import SharedCopies

        return SharedCopies(
            rows=self.prepared_copies,
            conversions=self.conversions,
            queue=self.convert_queue,
            clock=self.clock,
        )

    @cached_property
    def convert_worker(self) -> ConvertWorker:
        """What works on one message of the convert queue."""
        from chalicelib.workers.media.converting import ConvertWorker, CopyMaker

        return ConvertWorker(
            rows=self.conversions,
            queue=self.convert_queue,
            maker=CopyMaker(self.media_store),
            clock=self.clock,
            places=_LONG_CONVERSIONS,
        )

    @cached_property
    def takeover(self) -> Takeover:
        """What ends the leases of dead workers when a local stack starts."""
        from chalicelib.workers.takeover import Takeover

        return Takeover(self.targets, self.tick_mark, self.clock)

    @cached_property
    def publish_worker(self) -> PublishWorker:
        """What works on one wake message of the prepare queue."""
        return self._worker_of(self.prepare_queue)

    @cached_property
    def retry_worker(self) -> PublishWorker:
        """The same for the queue of retries, in places of its own."""
        return self._worker_of(self.retries_queue)

    def _worker_of(self, queue: PublishQueue) -> PublishWorker:
        from chalicelib.kit.limits.bulkhead import Bulkhead
        from chalicelib.workers.publishing.worker import PublishWorker

        return PublishWorker(
            targets=self.targets,
            queue=queue,
            leases=self.leases,
            preflight=self.preflight,
            clock=self.clock,
            wall=self.wall,
            bounds=Bulkhead(self.settings.record_threads),
        )

    @cached_property
    def prepare_lane(self) -> PrepareLane:
        """What does what one message of the prepare queue asks for."""
        from chalicelib.workers.prepare_lane import PrepareLane

        return PrepareLane(
            risks=self.risks, worker=self.publish_worker, read_switch=self.engine_switch.read
        )

    @cached_property
    def fire_worker(self) -> FireWorker:
        """What works on wake messages of the publish queue, which come ahead of their second."""
        from chalicelib.kit.limits.thread_places import ThreadPlaces
        from chalicelib.workers.publishing.alarm import Alarm
        from chalicelib.workers.publishing.arming import Arming
        from chalicelib.workers.publishing.firing import FireWorker

        def slower_way(ref: TargetRef, target: Target | None) -> None:
            lane = self.prepare_queue if target is None else self.lanes.slower(target)
            lane.send([ref], now=self.clock())

        def places(name: str, threads: int, rests: ThreadPlaces | None = None) -> ThreadPlaces:
            return ThreadPlaces(ThreadPool(threads, name=name), threads, rests)

        most = self.settings.calls_at_once or CALLS
        calls = places("fire", most, places("outcome", OUTCOME_THREADS))
        return FireWorker(
            arming=Arming(self.preflight),
            leases=self.leases,
            clock=self.clock,
            wall=self.wall,
            slower_way=slower_way,
            read_switch=self.engine_switch.read,
            places=calls,
            armers=places("arm", most),
            alarm=Alarm(self.wall, calls.begin),
        )

    @cached_property
    def trials(self) -> Trials:
        """What tries connectors out with posts of its own, for operators."""
        from chalicelib.workers.trial.publications import Trials

        return Trials(
            connectors=self.connectors,
            keeper=self.token_keeper,
            tokens=self.token_store.read,
            files=self.media_files,
            preparation=self.preparation,
            clock=self.clock,
        )
