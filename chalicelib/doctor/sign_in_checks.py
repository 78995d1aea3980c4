"""Whether the accounts that people signed in to can still be posted to: a part of `doctor`.

Each sign-in is unsealed and renewed where that is due, as the worker would do before a post. What
only its person can mend is named with the account.
"""

from collections.abc import Iterator

from chalicelib.connectors.connector import connected
from chalicelib.connectors.shared.auth.tokens import TokenKeeper
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.shared.transport.failures import PlatformError, TokenRejectedError
from chalicelib.doctor.examination import Finding, fine, warning, wrong
from chalicelib.domain.platforms.platform import NAMES
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_encryption import UnsealableError
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class SignInChecks:
    """The sign-ins of every workspace; test accounts need none."""

    def __init__(
        self,
        *,
        workspaces: WorkspaceRepository,
        accounts: AccountRepository,
        connectors: Connectors,
        keeper: TokenKeeper,
    ) -> None:
        self._workspaces = workspaces
        self._accounts = accounts
        self._connectors = connectors
        self._keeper = keeper

    def run(self) -> Iterator[Finding]:
        """Look at each, name those that ail, and count the others."""
        good = 0
        for workspace in self._workspaces.list():
            for account in self._accounts.list(workspace.id):
                ailing = _of_test(account) if account.test else self._ailing(account)
                if ailing is None:
                    good += not account.test
                else:
                    yield ailing
        if good:
            yield fine("sign-ins", f"{good} good")

    def _ailing(self, account: Account) -> Finding | None:
        subject = f"account {account.id} ({NAMES[account.platform]} {account.handle})"
        reconnect = f"Run `account reconnect {account.id}`."
        if account.health is Health.BROKEN:
            return wrong(subject, account.health_reason or "Its sign-in is over.", reconnect)
        try:
            self._keeper.signed(account, self._connectors.serving(connected(account)))
        except TokenRejectedError as error:
            return wrong(subject, str(error), reconnect)
        except UnsealableError:
            return wrong(subject, "What is stored of its sign-in cannot be opened.", reconnect)
        except PlatformError:
            message = "The platform could not be asked to renew its sign-in."
            return warning(subject, message, "Run `doctor` again in a few minutes.")
        if account.health is Health.WARN:
            return warning(subject, account.health_reason or "Its sign-in ends soon.", reconnect)
        return None


def _of_test(account: Account) -> Finding | None:
    """Return what is wrong with a test account: nothing but what an operator or a word said."""
    if account.health is not Health.BROKEN:
        return None
    subject = f"test account {account.id} ({NAMES[account.platform]} {account.handle})"
    advice = f"Run `account health {account.id} ok`."
    return wrong(subject, account.health_reason or "It is marked as broken.", advice)
