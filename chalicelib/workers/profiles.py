"""Reads each account's profile once a day: name, followers and picture, stored here.

`review` runs it; once an hour it goes through all workspaces and reads profiles a day old.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from chalicelib.connectors.connector import SeenProfile, ShowsProfile, as_connected
from chalicelib.connectors.shared.profile_pictures import fetch_picture
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.operator_errors import UnknownAccountError
from chalicelib.domain.workspace.profiles import READ_EVERY, Profile
from chalicelib.domain.workspace.rounds import Stand, in_turn
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.profiles import ProfileRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

EVERY = timedelta(hours=1)
ROUND = timedelta(minutes=2)
"""A round begins no profile after this time: the rest is first in the next round."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileReading:
    """Keeps accounts' profiles fresh; safe to run at any time."""

    workspaces: WorkspaceRepository
    accounts: AccountRepository
    profiles: ProfileRepository
    connectors: Connectors
    keeper: TokenKeeper
    fetch: GuardedFetch
    clock: Clock

    def run(self) -> int:
        """Read the profiles that are a day old, at most once an hour; return how many were read."""
        now, stand = self.clock(), self.profiles.stand()
        if stand is not None and now - stand.at < EVERY:
            return 0
        last_id = "" if stand is None else stand.last_id
        self.profiles.note(Stand(at=now, last_id=last_id))
        read = 0
        for workspace_id in in_turn([*self.workspaces.marks()], stand):
            if self.clock() > now + ROUND:
                break
            try:
                read += self._read_of(workspace_id, now + ROUND)
            except Exception:  # noqa: BLE001 - a row that a later release wrote keeps no others
                facts = {"action": "profile.not_read", "workspace_id": workspace_id}
                _LOG.exception("The profiles of a workspace were not read.", extra=facts)
            last_id = workspace_id
        self.profiles.note(Stand(at=now, last_id=last_id))
        return read

    def _read_of(self, workspace_id: str, end: datetime) -> int:
        known = self.profiles.of_workspace(workspace_id)
        read = 0
        for account in self.accounts.list(workspace_id):
            kept = known.get(account.id)
            is_old = kept is None or self.clock() - kept.read_at >= READ_EVERY
            if is_old and account.health is not Health.BROKEN and self.clock() <= end:
                read += self._read(account, kept)
        return read

    def _read(self, account: Account, kept: Profile | None) -> bool:
        """Read one profile; one that cannot be read stays as it was, and is read tomorrow."""
        seen = SeenProfile()
        with suppress(NoConnectorError):
            connector = self.connectors.serving(as_connected(account))
            if not isinstance(connector, ShowsProfile):
                return False
            shows: ShowsProfile = connector
            try:
                seen = self.keeper.calling(account, connector, shows.profile)
            except PlatformError as error:
                facts = {"action": "profile.not_read", "account_id": account.id}
                _LOG.info("A profile was not read: %s", type(error).__name__, extra=facts)
        now = self.clock()
        before = kept or Profile(account_id=account.id, read_at=now)
        profile = before.read_again(now, seen.followers, self._picture(seen))
        if self.accounts.get(account.workspace_id, account.id) is not None:
            self.profiles.put(account.workspace_id, profile)
        called = (seen.handle or account.handle, seen.name or account.name)
        if called != (account.handle, account.name):
            with suppress(UnknownAccountError):  # disconnected meanwhile
                self.accounts.rename(account, *called)
        return True

    def _picture(self, seen: SeenProfile) -> bytes | None:
        if seen.picture is not None or seen.picture_url is None:
            return seen.picture
        return fetch_picture(self.fetch, seen.picture_url)
