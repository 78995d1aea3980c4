"""What a caller may do with connected accounts: list them, ask for choices, set audience regions.

`api/resources/accounts` calls it. Connecting and disconnecting are operators' work (`connections`).
An account of another workspace is not found.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import field, replace

from chalicelib.domain.errors import AccountNotFound, TiktokUnsupported
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.platforms.tiktok_form import form_for, is_audited
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account, first_regions
from chalicelib.domain.workspace.operator_errors import UnknownAccountError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.services.workspace.creators import Creators
from chalicelib.storage.workspace.accounts import AccountRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """The connected accounts of the caller's workspace."""

    accounts: AccountRepository
    creators: Creators
    choices: AccountChoices
    calls: CallsOut
    settings: Mapping[str, str] = field(default_factory=dict)

    def list(self, caller: Caller) -> list[Account]:
        """Return every account, oldest first."""
        return self.accounts.list(caller.workspace_id)

    def set_regions(self, caller: Caller, account_id: str, regions: Sequence[str]) -> Account:
        """Set where an account's audience is; regions after the third are dropped.

        Raises AccountNotFound.
        """
        if account_id not in caller.accounts:
            raise AccountNotFound
        kept = first_regions(regions)
        try:
            return self.accounts.set_regions(caller.workspace_id, account_id, kept)
        except UnknownAccountError as error:
            raise AccountNotFound from error

    def creator_options(self, caller: Caller, account_id: str, media: MediaKind) -> CreatorOptions:
        """Return what a TikTok creator can choose for a post with such a file, read just now.

        Raises AccountNotFound, TiktokUnsupported, TiktokUnreachable and Busy.
        """
        account = self._account(caller, account_id)
        if not FACTS[account.platform].has_creator:
            raise TiktokUnsupported("This account is not a TikTok account.")
        with nullcontext() if account.test else self.calls.place(caller.workspace_id):
            creator = self.creators.read(account).suiting(media)
        audited = is_audited(self.settings, test=account.test)
        return replace(creator, form=form_for(media, is_audited=audited))

    def read_choices(
        self, caller: Caller, account_id: str, query: ChoiceQuery, *, fresh: bool
    ) -> Choices:
        """Return what an account offers, by option.

        Raises AccountNotFound, TiktokUnsupported, PlatformUnreachable and Busy.
        """
        account, choices = self._account(caller, account_id), self.choices
        is_known = account.test or (not fresh and choices.find_known(account, query))
        with nullcontext() if is_known else self.calls.place(caller.workspace_id):
            return choices.read(account, query, fresh=fresh)

    def _account(self, caller: Caller, account_id: str) -> Account:
        if account_id in caller.accounts:
            account = self.accounts.get(caller.workspace_id, account_id)
            if account is not None:
                return account
        raise AccountNotFound
