"""How operators connect accounts, look at them and disconnect them (docs/operations.md).

A test account needs only a handle; a real one comes from its platform's sign-in, which is part of
its connector. The plan's limit, and each identity only once, hold however it is connected.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health, SignIn
from chalicelib.domain.workspace.activity import OPERATOR, Actor, Deed
from chalicelib.domain.workspace.operator_errors import (
    OperatorError,
    OtherIdentityError,
    UnknownAccountError,
    UnknownWorkspaceError,
)
from chalicelib.domain.workspace.workspaces import check_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.engine.armed_targets import ArmedTargets
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.items import ACCOUNTS
from chalicelib.storage.workspace.owner_index import OwnerIndex, home, require_id
from chalicelib.storage.workspace.profiles import ProfileRepository
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """The accounts of all workspaces, as operators change them."""

    workspaces: WorkspaceRepository
    accounts: AccountRepository
    tokens: SealedTokenStore
    index: OwnerIndex
    armed: ArmedTargets
    profiles: ProfileRepository
    activity: ActivityLog
    clock: Clock
    broke: Callable[[Account], object] | None = None

    def connect_test_account(
        self, workspace_id: str, *, platform: Platform, handle: str, by: Actor = OPERATOR
    ) -> Account:
        """Connect an account of the sandbox platform."""
        now = self.clock()
        account = Account(
            id=new_id(now),
            workspace_id=require_id(workspace_id, UnknownWorkspaceError),
            platform=platform,
            handle=check_name(handle),
            test=True,
            created_at=now,
        )
        self.accounts.add(account)
        self._note(account, Deed.ACCOUNT_CONNECTED, by, "a test account")
        return account

    def connect(self, workspace_id: str, sign_in: SignIn, *, by: Actor = OPERATOR) -> Account:
        """Connect the account that a person signed in to."""
        now = self.clock()
        account = Account(
            id=new_id(now),
            workspace_id=require_id(workspace_id, UnknownWorkspaceError),
            platform=sign_in.platform,
            handle=sign_in.handle,
            test=False,
            created_at=now,
            remote_identity=sign_in.remote_identity,
            token_expires_at=sign_in.tokens.expires_at,
            token_version=1,
            settings=sign_in.settings,
        )
        self.accounts.add(account, self.tokens.seal(account.id, sign_in.tokens))
        self._note(account, Deed.ACCOUNT_CONNECTED, by)
        return account

    def _note(self, account: Account, deed: Deed, by: Actor, detail: str = "") -> None:
        self.activity.note(
            account.workspace_id,
            deed,
            by,
            subject_id=account.id,
            subject=f"{account.handle} ({account.platform})",
            detail=detail,
        )

    def reconnect(self, account_id: str, sign_in: SignIn, *, by: Actor = OPERATOR) -> Account:
        """Store new tokens for the same account; its scheduled posts stay scheduled.

        Its name and settings on the platform are updated too.

        Raises UnknownAccountError, OtherIdentityError.
        """
        while True:
            account = self.find(account_id)
            same = (account.platform, account.remote_identity)
            if same != (sign_in.platform, sign_in.remote_identity):
                raise OtherIdentityError
            told = replace(account, handle=sign_in.handle, settings=sign_in.settings)
            try:
                renewed = self.tokens.renew(told, sign_in.tokens)
            except StaleWriteError:
                continue  # a refresh kept newer tokens meanwhile, or the account is gone
            self.armed.outdate(renewed, now=self.clock())
            self._note(renewed, Deed.ACCOUNT_CONNECTED, by, "again")
            return renewed

    def find(self, account_id: str) -> Account:
        """Return a connected account by its id alone. Raises UnknownAccountError."""
        account = self.accounts.get(self._home(account_id), account_id)
        if account is None:
            raise UnknownAccountError
        return account

    def list(self, workspace_id: str) -> list[Account]:
        """Return a workspace's connected accounts, oldest first."""
        if self.workspaces.get(require_id(workspace_id, UnknownWorkspaceError)) is None:
            raise UnknownWorkspaceError
        return self.accounts.list(workspace_id)

    def disconnect(self, account_id: str, *, by: Actor = OPERATOR) -> Account:
        """Disconnect an account; what was posted through it stays in the posts' history.

        Once this returns, nothing more goes out through it.
        """
        gone = self.accounts.remove(self._home(account_id), account_id, self.clock())
        self.profiles.remove(gone.workspace_id, gone.id)
        self.armed.outdate(gone, now=self.clock())
        self._note(gone, Deed.ACCOUNT_DISCONNECTED, by)
        return gone

    def set_languages(self, account_id: str, languages: Sequence[str]) -> None:
        """Set the languages of an account's posts that name none; no languages: unset.

        Raises UnknownAccountError, OperatorError.
        """
        account = self.find(account_id)
        option = FACTS[account.platform].option("langs")
        if option is None:
            raise OperatorError(
                f"{FACTS[account.platform].name} has no language setting for posts."
            )
        if option.rule.problems([*languages], ()):
            raise OperatorError("Name up to three languages, such as de or pt-BR.")
        self.accounts.set_languages(account, tuple(languages))
        self.armed.outdate(account, now=self.clock())

    def set_health(self, account_id: str, health: Health) -> None:
        """Set an account's health, whatever its platform answered last."""
        reason = None if health is Health.OK else "Set by an operator."
        workspace_id = self._home(account_id)
        self.accounts.set_health(workspace_id, account_id, health, reason)
        account = self.accounts.get(workspace_id, account_id)
        if health is Health.BROKEN and account is not None and self.broke is not None:
            self.broke(account)

    def _home(self, account_id: str) -> str:
        return home(self.index, ACCOUNTS, account_id, UnknownAccountError)
