"""What a workspace's requests pass, and its accounts: their tokens, and what they offer."""

from typing import TYPE_CHECKING

from chalicelib.domain.workspace.fair_share import FairShare
from chalicelib.kit.dynamodb.table import Table
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.health import Health
from chalicelib.services.posts.risk_notices import RiskNotices
from chalicelib.services.repeats import Repeats
from chalicelib.services.workspace.accounts import Accounts
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.services.workspace.authentication import Authentication
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.services.workspace.creators import Creators
from chalicelib.services.workspace.fair_shares import FairShares
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.switch import TickMark

if TYPE_CHECKING:
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.bootstrap.stores import Stores
    from chalicelib.connectors.shared.registry import Connectors


class WorkspaceParts:
    """Who asks, how often, whether it is a repeat; and what hands out a working token."""

    def __init__(self, ground: "Ground", connectors: "Connectors", stores: "Stores") -> None:
        settings, clock = ground.settings, ground.clock
        quick, tables = ground.clients.quick_dynamodb, ground.tables
        rate = settings.workspace_rate
        self.activity = ActivityLog(
            rows=stores.activity_rows, workspaces=stores.workspaces, clock=clock
        )
        self.authentication = Authentication(
            callers=stores.callers,
            clock=clock,
            activity=lambda: self.activity,
            marks=lambda: stores.marks,
        )
        self.fair_shares = (
            FairShares(stores.request_counts, clock, FairShare(rate)) if rate else None
        )
        """What keeps each workspace to its share of requests; None where it may send any."""
        self.health = Health(Table(quick, tables.directory), clock, TickMark(quick, tables).read)
        self.repeats = Repeats(rows=stores.repeat_rows, clock=clock)
        notices = RiskNotices(posts=stores.posts, lists=stores.post_lists, clock=clock)
        self.risk_notices = notices
        self.token_keeper = TokenKeeper(
            store=stores.token_store,
            clock=clock,
            broke=notices.account_broke,
            warned=notices.sign_in_ends,
        )
        self.calls_out = CallsOut()
        """The places of requests that wait for other people's servers."""
        self.creators = Creators(connectors=connectors, tokens=self.token_keeper, clock=clock)
        self.choices = AccountChoices(
            connectors=connectors, tokens=self.token_keeper, creators=self.creators, clock=clock
        )
        self.accounts = Accounts(
            accounts=stores.account_repository,
            creators=self.creators,
            choices=self.choices,
            calls=self.calls_out,
            settings=settings.platform_versions,
        )
