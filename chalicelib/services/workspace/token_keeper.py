"""Gives every call to a platform a valid token, and notices when a sign-in has ended.

The worker, removal and metrics ask the keeper. An account's token is refreshed by one process at a
time, and stored before it is used; only a platform's definite refusal makes an account `broken`.
`broke` is called for each such account, and `warned` for each whose sign-in ends within days, so
that scheduled posts are known to be at risk.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Connector,
    RefreshesTokens,
    as_connected,
)
from chalicelib.connectors.shared.calls.failures import RateLimitedError, TokenRejectedError
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import KeptTokens, Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import NotSentError, PlatformError, UnansweredError
from chalicelib.storage.workspace.token_store import LOCK, SealedTokenStore

_LAPSING = "The sign-in ends within days and could not be renewed so far. Reconnect the account."
_ENDS = "The sign-in ends on {:%Y-%m-%d}. Reconnect the account before that."
_BEGINS_WITHIN = LOCK / 2
"""A process that paused longer leaves its lock to expire: another may soon have it."""
_LOOKS = 20
_LOOK_EVERY_S = 0.5
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenKeeper:
    """Hands out accounts as connectors need them: with a working token."""

    store: SealedTokenStore
    clock: Clock
    broke: Callable[[Account], object] | None = None
    warned: Callable[[Account, datetime], object] | None = None
    wait: Callable[[float], None] = time.sleep

    def calling(
        self, account: Account, connector: Connector, call: Callable[[ConnectedAccount], _T]
    ) -> _T:
        """Make a call that may be repeated, with a token that is renewed once if it is refused.

        Raises what the call raises; a refusal for good is noted on the account.
        """
        signed = self.sign_in(account, connector)
        try:
            return call(signed)
        except TokenRejectedError:
            anew = self.sign_in_anew(account, connector, signed)
        try:
            return call(anew)
        except TokenRejectedError as error:
            self.require_over(account, anew, str(error))
            raise

    def sign_in(self, account: Account, connector: Connector) -> ConnectedAccount:
        """Return the account with its token, refreshed ahead of its end.

        Raises TokenRejectedError for a sign-in that has ended, NotSentError when that cannot be
        found out now.
        """
        if account.test:
            return as_connected(account)
        kept = self._read_kept(account)
        if kept.tokens.is_due(self.clock()):
            kept = self._ahead_of_its_end(account, connector, kept)
        return _with(account, kept.tokens)

    def sign_in_anew(
        self, account: Account, connector: Connector, refused: ConnectedAccount
    ) -> ConnectedAccount:
        """Return the account with another token than the one that the platform refused.

        Raises as `sign_in` does.
        """
        if account.test:
            raise TokenRejectedError(_over(account))
        kept = self._read_kept(account)
        if kept.tokens.access == refused.token:
            try:
                kept = self._refresh(account, connector, kept)
            except TokenRejectedError as error:
                self._note_broken(account, kept.version, str(error))
                raise
        return _with(account, kept.tokens)

    def require_over(self, account: Account, refused: ConnectedAccount, reason: str) -> None:
        """Note that a sign-in has ended, because its latest token was refused.

        Raises NotSentError for one that goes on, as `note_refusal` finds.
        """
        if not self.note_refusal(account, refused, reason):
            raise NotSentError("The token was replaced meanwhile.")

    def note_refusal(self, account: Account, refused: ConnectedAccount, reason: str) -> bool:
        """Note that the platform refuses the account's sign-in; return whether it has ended.

        The refusal of a token that was replaced meanwhile says nothing about the new one.
        """
        kept = None if account.test else self.store.read(account)
        if kept is not None and kept.tokens.access != refused.token:
            return False
        version = account.token_version if kept is None else kept.version
        self._note_broken(account, version, reason)
        return True

    def look(self, account: Account, connector: Connector) -> None:
        """Renew a sign-in that was not used for long, or warn that it ends.

        Raises PlatformError when it could not be renewed now.
        """
        kept = self.store.read(account)
        if kept is None:
            return
        if kept.tokens.refresh is not None and isinstance(connector, RefreshesTokens):
            self.sign_in(account, connector)
            self._look_at_end(account)
            return
        ends_at = kept.tokens.expires_at
        if ends_at is None or ends_at <= self.clock():
            self._note_broken(account, kept.version, _over(account))
            self.store.watch(account, kept.version, None)
            return
        self._call_out_end(account, kept.version, ends_at)
        self.store.watch(account, kept.version, ends_at)

    def _look_at_end(self, account: Account) -> None:
        """Warn about a sign-in that soon can no longer be renewed without a person."""
        kept = self._read_kept(account)
        ends_at = kept.tokens.ends_for_good_at
        if ends_at is not None and kept.tokens.is_ending(self.clock()):
            self._call_out_end(account, kept.version, ends_at)
            self.store.watch(account, kept.version, kept.tokens.expires_at)

    def _call_out_end(self, account: Account, version: int, ends_at: datetime) -> None:
        self.store.note(account, version, Health.WARN, _ENDS.format(ends_at))
        if self.warned is not None and account.health is not Health.WARN:
            self.warned(account, ends_at)

    def _note_broken(self, account: Account, version: int, reason: str) -> None:
        self.store.note(account, version, Health.BROKEN, reason)
        if self.broke is not None and account.health is not Health.BROKEN:
            self.broke(account)

    def _read_kept(self, account: Account) -> KeptTokens:
        kept = self.store.read(account)
        if kept is None:
            raise TokenRejectedError(_over(account))
        return kept

    def _ahead_of_its_end(
        self, account: Account, connector: Connector, kept: KeptTokens
    ) -> KeptTokens:
        """Refresh the token; where that is not possible now, use one that is still valid."""
        holds = not kept.tokens.is_over(self.clock())
        try:
            return self._refresh(account, connector, kept)
        except TokenRejectedError as error:
            if not holds or kept.tokens.refresh is not None:
                self._note_broken(account, kept.version, str(error))
            if not holds:
                raise
        except PlatformError:
            if not holds:
                raise
            if kept.tokens.is_lapsing(self.clock()):
                self.store.note(account, kept.version, Health.WARN, _LAPSING)
        return kept

    def _refresh(self, account: Account, connector: Connector, kept: KeptTokens) -> KeptTokens:
        if not isinstance(connector, RefreshesTokens) or kept.tokens.refresh is None:
            raise TokenRejectedError(_over(account))
        locked_at = self.clock()
        if not self.store.lock(account, kept.version, now=locked_at):
            return self._await_refresh_by_another(account, kept)
        if self.clock() > locked_at + _BEGINS_WITHIN:
            raise NotSentError("The right to refresh the sign-in came too late.")
        try:
            tokens = connector.refresh(_with(account, kept.tokens), kept.tokens, self.clock())
        except PlatformError as error:
            self.store.unlock(account, kept.version, locked_at=locked_at)
            if isinstance(error, UnansweredError | RateLimitedError):
                raise NotSentError("The sign-in could not be refreshed.") from error
            found = self._read_kept(account)
            if found.version == kept.version:
                raise
            return found  # another refreshed meanwhile, and the platform refused what that spent
        return self._store_tokens(account, kept, tokens)

    def _store_tokens(self, account: Account, kept: KeptTokens, tokens: Tokens) -> KeptTokens:
        """Store new tokens before they are used, unless a person signed in anew meanwhile."""
        if not self.store.keep(account, kept.version, tokens):
            return self._read_kept(account)
        version, ends_at = kept.version + 1, tokens.ends_for_good_at
        if ends_at is not None and tokens.is_ending(self.clock()):
            self._call_out_end(account, version, ends_at)
        elif account.health is Health.WARN:
            self.store.note(account, version, Health.OK, None)
        return KeptTokens(tokens, version)

    def _await_refresh_by_another(self, account: Account, kept: KeptTokens) -> KeptTokens:
        """Wait for the tokens of the lock's holder. Raises NotSentError when none come."""
        for _ in range(_LOOKS):
            self.wait(_LOOK_EVERY_S)
            found = self._read_kept(account)
            if found.version != kept.version:
                return found
        raise NotSentError("Somebody else is refreshing the sign-in.")


def _with(account: Account, tokens: Tokens) -> ConnectedAccount:
    return replace(as_connected(account), token=tokens.access, extra=tokens.extra)


def _over(account: Account) -> str:
    return f"The sign-in to {FACTS[account.platform].name} is over. Reconnect the account."
