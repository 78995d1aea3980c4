"""The parts that check posts before they go out and read live ones."""

from dataclasses import replace
from typing import TYPE_CHECKING

from chalicelib.services.posts.as_sent import AsSent
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.live_posts import LivePosts
from chalicelib.services.posts.plans import Plans
from chalicelib.services.posts.risks import ComingRisks, PostRisks
from chalicelib.storage.posts.plans import PlanRepository

if TYPE_CHECKING:
    from chalicelib.bootstrap.core import Core


class CheckParts:
    """Previews of what is sent, checks, risks, live posts, and plans from spreadsheets."""

    def __init__(self, core: "Core") -> None:
        settings, connectors = core.settings, core.connectors
        stores, clock = core.stores, core.clock
        accounts, posts = core.workspace, core.posting
        self.as_sent = AsSent(connectors=connectors)
        self.checks = PostChecks(
            posts=stores.posts,
            lists=stores.post_lists,
            reads=stores.known_reads,
            choices=accounts.choices,
            connectors=connectors,
            tokens=stores.token_store.read,
            files_are_public=core.media.public_addresses is not None,
            clock=clock,
            calls=accounts.calls_out,
            settings=settings.platform_versions,
        )
        self.risks = PostRisks(
            posts=stores.posts,
            targets=stores.targets,
            reads=stores.known_reads,
            recent_reads=stores.recent_reads,
            queue=stores.lanes.prepare,
            connectors=connectors,
            tokens=accounts.token_keeper,
            checks=self.checks,
            notices=accounts.risk_notices,
            clock=clock,
        )
        self.live_posts: LivePosts = LivePosts(
            posts=stores.posts,
            accounts=stores.account_repository,
            connectors=connectors,
            tokens=accounts.token_keeper,
            updates=posts.updates,
            counter_updates=posts.counter_updates,
            clock=clock,
            calls=accounts.calls_out,
        )
        self.coming_risks = ComingRisks(lists=stores.post_lists, checks=self.checks, clock=clock)
        self.told_risks = replace(self.coming_risks, checks=replace(self.checks, tokens=None))
        """The risks that e-mails mention, found without decrypting tokens."""
        self.plans = Plans(
            rows=PlanRepository(stores.directory_table),
            posts=stores.posts,
            files=core.media.files,
            reads=stores.known_reads,
            drafts=posts.drafts,
            scheduling=posts.scheduling,
            checks=self.checks,
            clock=clock,
        )
