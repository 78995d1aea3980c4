"""The parts that check a workspace's requests, and those for its accounts, tokens and choices."""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.table import Table
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.posts.risks import RiskNotices
from chalicelib.services.repeats import Repeats
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.services.workspace.creators import Creators
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.switch import TickMark

if TYPE_CHECKING:
    from chalicelib.bootstrap.ground import Ground
    from chalicelib.bootstrap.stores import Stores
    from chalicelib.connectors.shared.registry import Connectors
    from chalicelib.services.health import Health
    from chalicelib.services.workspace.account_groups import AccountGroups
    from chalicelib.services.workspace.accounts import Accounts
    from chalicelib.services.workspace.activity import ActivityLog
    from chalicelib.services.workspace.authentication import Authentication
    from chalicelib.services.workspace.fair_shares import FairShares


class WorkspaceParts:
    """Authentication, fair shares, repeated requests; accounts and their tokens."""

    def __init__(self, ground: "Ground", connectors: "Connectors", stores: "Stores") -> None:
        self._ground, self._stores, clock = ground, stores, ground.clock
        self.repeats = Repeats(rows=stores.repeat_rows, clock=clock)
        notices = RiskNotices(
            posts=stores.posts, lists=stores.post_lists, workspaces=stores.workspaces, clock=clock
        )
        self.risk_notices = notices
        self.token_keeper = TokenKeeper(
            store=stores.token_store,
            clock=clock,
            broke=notices.account_broke,
            warned=notices.sign_in_ends,
        )
        self.calls_out = CallsOut()
        """Limits how many requests wait for platforms at once."""
        self.creators = Creators(connectors=connectors, tokens=self.token_keeper, clock=clock)
        self.choices = AccountChoices(
            connectors=connectors, tokens=self.token_keeper, creators=self.creators, clock=clock
        )

    @cached_property
    def account_groups(self) -> "AccountGroups":
        from chalicelib.services.workspace.account_groups import AccountGroups
        from chalicelib.storage.workspace.chooser import ChooserRepository

        rows = ChooserRepository(self._stores.directory_table)
        return AccountGroups(rows=rows, clock=self._ground.clock)

    @cached_property
    def activity(self) -> "ActivityLog":
        from chalicelib.services.workspace.activity import ActivityLog
        from chalicelib.storage.workspace.activity import ActivityRows

        rows, workspaces = ActivityRows(self._stores.directory_table.table), self._stores.workspaces
        return ActivityLog(rows=rows, workspaces=workspaces, clock=self._ground.clock)

    @cached_property
    def authentication(self) -> "Authentication":
        from chalicelib.services.workspace.authentication import Authentication

        return Authentication(
            callers=self._stores.callers,
            clock=self._ground.clock,
            activity=lambda: self.activity,
            marks=lambda: self._stores.marks,
        )

    @cached_property
    def fair_shares(self) -> "FairShares | None":
        """Limits each workspace to its share of requests; None without a limit."""
        rate = self._ground.settings.workspace_rate
        if not rate:
            return None
        from chalicelib.domain.workspace.fair_share import FairShare
        from chalicelib.services.workspace.fair_shares import FairShares
        from chalicelib.storage.workspace.request_counts import RequestCounts

        counts = RequestCounts(*self._stores.place)
        return FairShares(counts, self._ground.clock, FairShare(rate))

    @cached_property
    def health(self) -> "Health":
        from chalicelib.services.health import Health

        quick, tables = self._ground.clients.quick_dynamodb, self._ground.tables
        read = TickMark(quick, tables).read
        return Health(Table(quick, tables.directory), self._ground.clock, read)

    @cached_property
    def accounts(self) -> "Accounts":
        from chalicelib.services.workspace.accounts import Accounts

        return Accounts(
            accounts=self._stores.account_repository,
            creators=self.creators,
            choices=self.choices,
            calls=self.calls_out,
            settings=self._ground.settings.platform_versions,
        )
