"""Whether platforms will accept the next post: accounts' sign-ins, and API versions.

Each sign-in is decrypted and refreshed if due, as the worker would do before a post; those that
only the person can mend are named. A version of a platform's API that has ended refuses every post,
so its end is reported 90 days ahead.
"""

from collections.abc import Iterator, Mapping

from chalicelib.connectors.connector import as_connected
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.doctor.examination import Finding, fine, warning, wrong
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.versions import ApiVersion, Standing, versions_that_can_end
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_encryption import UnsealableError
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_UNREADABLE = "It or one of its accounts cannot be read: a later release may have written it."
_RUN_THAT_RELEASE = "Run the release that this service ran before, or a later one."


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
        """Check each, name those with a problem, and count the others."""
        good = 0
        for workspace_id in self._workspaces.marks():
            try:
                self._workspaces.get(workspace_id)
                accounts = self._accounts.list(workspace_id)
            except (ValueError, KeyError, TypeError):
                yield wrong(f"workspace {workspace_id}", _UNREADABLE, _RUN_THAT_RELEASE)
                continue
            for account in accounts:
                ailing = _of_test(account) if account.test else self._finding_of_account(account)
                if ailing is None:
                    good += not account.test
                else:
                    yield ailing
        if good:
            yield fine("sign-ins", f"{good} good")

    def _finding_of_account(self, account: Account) -> Finding | None:
        subject = f"account {account.id} ({FACTS[account.platform].name} {account.handle})"
        reconnect = f"Run `account reconnect {account.id}`."
        if account.health is Health.BROKEN:
            return wrong(subject, account.health_reason or "Its sign-in is over.", reconnect)
        try:
            self._keeper.sign_in(account, self._connectors.serving(as_connected(account)))
        except TokenRejectedError as error:
            return wrong(subject, str(error), reconnect)
        except UnsealableError:
            return wrong(subject, "Its stored sign-in cannot be decrypted.", reconnect)
        except PlatformError:
            message = "The platform could not be asked to renew its sign-in."
            return warning(subject, message, "Run `doctor` again in a few minutes.")
        if account.health is Health.WARN:
            return warning(subject, account.health_reason or "Its sign-in ends soon.", reconnect)
        return None


def _of_test(account: Account) -> Finding | None:
    """Return what is wrong with a test account: only what an operator or a test word set."""
    if account.health is not Health.BROKEN:
        return None
    subject = f"test account {account.id} ({FACTS[account.platform].name} {account.handle})"
    advice = f"Run `account health {account.id} ok`."
    return wrong(subject, account.health_reason or "It is marked as broken.", advice)


class VersionChecks:
    """The versions of the platforms' APIs."""

    def __init__(self, versions: Mapping[str, str], clock: Clock) -> None:
        self._versions = versions
        self._clock = clock

    def run(self) -> Iterator[Finding]:
        """Compare each version's end with today."""
        for one in versions_that_can_end(self._versions, self._clock()):
            yield _finding_of_version(one)


def _finding_of_version(one: ApiVersion) -> Finding:
    subject = f"{one.api} version {one.version}"
    told = one.told
    if told is None:
        ends = one.ends
        until = "no end announced" if ends is None else f"answered until {ends:%Y-%m-%d}"
        return fine(subject, until)
    if one.standing is Standing.ENDED:
        return wrong(subject, told, one.advice)
    return warning(subject, told, one.advice)
