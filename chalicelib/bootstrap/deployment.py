"""The only place that constructs adapters and wires services and workers together.

`app.py`, the local stack, the operator's commands and journeys in tests begin here. One boto3
session makes every client, each when it is first needed, so that a function of one trigger does
not pay for the clients of another.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.deployed_services import DeployedServices

if TYPE_CHECKING:
    from chalicelib.storage.engine.claims import TargetRef
    from chalicelib.storage.engine.switch import SwitchState
    from chalicelib.workers.dispatcher import Dispatcher, Takeover
    from chalicelib.workers.media.converting import ConvertWorker
    from chalicelib.workers.media.shared_copies import SharedCopies
    from chalicelib.workers.metrics.worker import MetricsWorker
    from chalicelib.workers.publishing.firing import FireWorker
    from chalicelib.workers.publishing.leases import LeaseKeeper
    from chalicelib.workers.publishing.preflight import Preflight
    from chalicelib.workers.publishing.worker import PublishWorker
    from chalicelib.workers.retention import Retention
    from chalicelib.workers.token_renewal import TokenRenewal
    from chalicelib.workers.uploads import UploadWorker

_LONG_CONVERSIONS = 2
"""How many videos of one workspace are converted at once."""
OUTCOME_THREADS = 4
"""Few, so that outcomes leave the processor to calls that are due."""


class Deployment(DeployedServices):
    """One deployment's services and workers over its adapters, each built when it is asked for."""

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """The tick."""
        from chalicelib.workers.dispatcher import Dispatcher

        return Dispatcher(
            self.targets, self.publish_queue, self.clock, slower_queue=self.prepare_queue
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
        from chalicelib.bootstrap.analytics import make_metrics_worker

        return make_metrics_worker(
            self.directory_table, self.live_posts, self.connectors, self.token_keeper, self.clock
        )

    @cached_property
    def token_renewal(self) -> TokenRenewal:
        """What keeps unused sign-ins alive."""
        from chalicelib.workers.token_renewal import TokenRenewal

        return TokenRenewal(
            rows=self.token_store.rows,
            accounts=self.accounts,
            connectors=self.connectors,
            keeper=self.token_keeper,
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
        from chalicelib.bootstrap.preparation import make_preparation, public_addresses
        from chalicelib.storage.engine.catch_up import CatchUpRepository
        from chalicelib.storage.engine.outcomes import OutcomeRepository
        from chalicelib.workers.publishing.attempts import Attempts
        from chalicelib.workers.publishing.endings import Tools
        from chalicelib.workers.publishing.error_mapping import RetryPolicy
        from chalicelib.workers.publishing.preflight import Preflight

        attempts = Attempts(OutcomeRepository(self.dynamodb, self.tables), self.clock)
        tools = Tools(
            attempts=attempts,
            fire_queue=self.publish_queue,
            prepare_queue=self.prepare_queue,
            retry=RetryPolicy(),
            clock=self.clock,
        )
        return Preflight(
            tools=tools,
            targets=self.targets,
            posts=self.posts,
            accounts=self.accounts,
            catch_up=CatchUpRepository(self.dynamodb, self.tables),
            preparation=make_preparation(
                self.media_files,
                self.shared_copies,
                self.media_store,
                addresses=public_addresses(
                    self.settings, self.pull_links, self.media_store, self.clock
                ),
                read_creator=lambda account: self.creators.read(account),
            ),
            connectors=self.connectors,
            tokens=self.token_keeper,
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
        from chalicelib.workers.dispatcher import Takeover

        return Takeover(self.targets, self.clock)

    @cached_property
    def publish_worker(self) -> PublishWorker:
        """What works on one wake message of the prepare queue."""
        from chalicelib.workers.publishing.worker import PublishWorker

        return PublishWorker(
            targets=self.targets,
            queue=self.prepare_queue,
            leases=self.leases,
            preflight=self.preflight,
            clock=self.clock,
        )

    def work_off(self, ref: TargetRef, switch: SwitchState) -> None:
        """Do what one message of the prepare queue asks for."""
        if ref.is_check:
            self.risks.check(ref)
        else:
            self.publish_worker.run(ref, switch)

    @cached_property
    def fire_worker(self) -> FireWorker:
        """What works on wake messages of the publish queue, which come ahead of their second."""
        from chalicelib.storage.engine.fires import Fires
        from chalicelib.workers.publishing.alarm import Alarm
        from chalicelib.workers.publishing.arming import Arming
        from chalicelib.workers.publishing.firing import FireWorker
        from chalicelib.workers.publishing.places import Places

        def slower_way(ref: TargetRef, switch: SwitchState) -> None:
            del switch
            self.prepare_queue.send([ref], now=self.clock())

        threads = self.settings.record_threads
        places = Places(
            ThreadPoolExecutor(threads, thread_name_prefix="fire"),
            threads,
            ThreadPoolExecutor(OUTCOME_THREADS, thread_name_prefix="outcome"),
        )
        return FireWorker(
            arming=Arming(self.preflight),
            fires=Fires(self.dynamodb, self.tables),
            leases=self.leases,
            clock=self.clock,
            slower_way=slower_way,
            read_switch=self.engine_switch.read,
            places=places,
            armers=ThreadPoolExecutor(threads, thread_name_prefix="arm"),
            alarm=Alarm(self.clock, places.begin),
        )
