"""The parts for scheduled work besides posts: uploads, conversions, metrics, tokens, retention."""

from functools import partial
from typing import TYPE_CHECKING

from chalicelib.domain.version import USER_AGENT
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.storage.deletion.posts import PostRemains
from chalicelib.storage.posts.former_reviews import FormerReviewRows
from chalicelib.workers.canary import Canary
from chalicelib.workers.former_reviews import FormerReviews
from chalicelib.workers.media.converting import ConvertWorker, CopyMaker
from chalicelib.workers.metrics.calls import MetricCalls
from chalicelib.workers.metrics.worker import MetricsWorker
from chalicelib.workers.profiles import ProfileReading
from chalicelib.workers.retention import Retention
from chalicelib.workers.series_making import SeriesMaking
from chalicelib.workers.token_renewal import TokenRenewal
from chalicelib.workers.trial.publications import Trials
from chalicelib.workers.uploads import UploadWorker

if TYPE_CHECKING:
    from chalicelib.bootstrap.checks import CheckParts
    from chalicelib.bootstrap.core import Core
    from chalicelib.workers.media.preparing import Preparation

LONG_CONVERSIONS = 2
"""How many videos of one workspace are converted at once."""


class UpkeepParts:
    """The workers of the triggers, and operators' trial publications."""

    def __init__(self, core: "Core", checking: "CheckParts", preparation: "Preparation") -> None:
        connectors, clock = core.connectors, core.clock
        stores, accounts = core.stores, core.workspace
        posts, media = core.posting, core.media
        keeper = accounts.token_keeper
        self.upload_worker = UploadWorker(media.direct_uploads, media.fetched_uploads)
        self.convert_worker = ConvertWorker(
            rows=media.conversions,
            queue=media.convert_queue,
            maker=CopyMaker(media.store),
            clock=clock,
            places=LONG_CONVERSIONS,
        )
        self.retention = Retention(
            files=media.files,
            uploads=media.uploads,
            posts=stores.posts,
            library=media.library,
            direct_uploads=media.direct_uploads,
            clock=clock,
        )
        self.metrics_worker = MetricsWorker(
            counter_updates=posts.counter_updates,
            reads=stores.result_reads,
            directory=stores.directory_table,
            accounts=stores.account_repository,
            live_posts=checking.live_posts,
            begin_calls=partial(MetricCalls, connectors, keeper, clock),
            clock=clock,
        )
        self.token_renewal = TokenRenewal(
            rows=stores.token_store.rows,
            accounts=stores.account_repository,
            connectors=connectors,
            keeper=keeper,
            clock=clock,
        )
        self.series_making = SeriesMaking(
            rows=stores.series_repository,
            workspaces=stores.workspaces,
            series=posts.series,
            clock=clock,
        )
        self.former_reviews = FormerReviews(
            rows=FormerReviewRows(stores.directory_table), lists=stores.post_lists, clock=clock
        )
        self.canary = Canary(
            workspace_id=core.settings.canary_workspace,
            workspaces=stores.workspaces,
            members=stores.members,
            accounts=stores.account_repository,
            drafts=posts.drafts,
            scheduling=posts.scheduling,
            deleted=stores.deleted_posts,
            remains=PostRemains(*stores.place),
            clock=clock,
        )
        self.profile_reading = ProfileReading(
            workspaces=stores.workspaces,
            accounts=stores.account_repository,
            profiles=stores.profiles,
            connectors=connectors,
            keeper=keeper,
            fetch=GuardedFetch(user_agent=USER_AGENT),
            clock=clock,
        )
        self.trials = Trials(
            connectors=connectors,
            keeper=keeper,
            tokens=stores.token_store.read,
            files=media.files,
            preparation=preparation,
            clock=clock,
        )
