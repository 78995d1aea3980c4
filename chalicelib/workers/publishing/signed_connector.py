"""A connector with a valid token, as the worker uses it.

The token is renewed before it ends, and when the platform refuses it. Then the worker begins the
step again, instead of a repetition here, so that an irreversible one is saved as in doubt with its
real time. If the platform refuses the sign-in for good, that is noted on the account.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Connector,
    ConnectsAhead,
    ListsPosts,
    Posted,
    Publication,
)
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.shared.staging import Staged
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.fence import connect_only, without_fence
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.workers.publishing.application_gate import ApplicationGate

_GOOD_FOR = timedelta(minutes=5)
_MOST_RENEWALS = 2
_T = TypeVar("_T")
_NO_COMMENT = "The first comment may be missing: {0} did not confirm the post itself."


@dataclass(slots=True, eq=False)
class SignedConnector:
    """One run's connector for one account.

    `_gate` is there from the beginning if its platform holds anything up; else `_make_gate` makes
    it once a step is refused for the whole application.
    """

    _connector: Connector
    _account: Account
    _keeper: TokenKeeper
    _make_gate: Callable[[], ApplicationGate] | None = None
    _gate: ApplicationGate | None = None
    _signed: ConnectedAccount | None = None
    _good_until: datetime = datetime.max.replace(tzinfo=UTC)
    _renewals: int = 0

    @property
    def platform(self) -> Platform:
        """Which platform this is."""
        return self._connector.platform

    @property
    def irreversible(self) -> frozenset[str]:
        """Names of the steps that make the post visible."""
        return self._connector.irreversible

    @property
    def step_timeout(self) -> timedelta:
        """How long one step may go on waiting."""
        return self._connector.step_timeout

    @property
    def connects_ahead(self) -> bool:
        """Tell whether a visible step can open its connection before its second."""
        return isinstance(self._connector, ConnectsAhead)

    def start(self, publication: Publication) -> Outcome:
        """Prepare, under a working token."""
        return self._note_refusal(self._twice(lambda: self._start(publication)))

    def _start(self, publication: Publication) -> Outcome:
        signed = self._with_token(publication)
        return self._refusal_of_gate(signed) or self._connector.start(signed)

    def _refusal_of_gate(self, signed: Publication) -> Failed | None:
        return None if self._gate is None else self._gate.why_closed(signed)

    @property
    def is_held(self) -> bool:
        """Tell whether its platform holds up the application of the account that is signed in."""
        gate, signed = self._gate, self._signed
        return gate is not None and signed is not None and gate.holds(signed)

    def learn_from(self, outcome: Outcome) -> Outcome:
        """Return a step's outcome; a refusal of the whole application makes other posts wait."""
        if isinstance(outcome, Failed) and outcome.app_wide and self._make_gate is not None:
            self._gate = self._gate or self._make_gate()
        gate, signed = self._gate, self._signed
        return outcome if gate is None or signed is None else gate.learn_from(signed, outcome)

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make a step; if its token was refused, it is to be begun again with the next token."""
        try:
            signed = self._with_token(publication)
            outcome = self._refusal_of_gate(signed) or self._connector.advance(signed, checkpoint)
        except TokenRejectedError as error:
            self._renew(error)
            return Wait(checkpoint)
        return self._note_refusal(outcome)

    def connect_ahead(self, publication: Publication, checkpoint: Checkpoint) -> None:
        """Open the connection of a visible step's first request; nothing is written to it."""
        if self._signed is None:
            return
        at_its_second = replace(publication, account=self._signed, now=publication.due_at)
        with suppress(PlatformError), connect_only():
            self._connector.advance(at_its_second, checkpoint)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Reconcile an irreversible call; note if the first comment may be missing."""
        finding = self._twice(
            lambda: self._connector.reconcile(self._with_token(publication), checkpoint, sent)
        )
        if not isinstance(finding, Done) or finding.note or finding.then or sent.is_suspicion:
            return finding
        return replace(finding, note=_lost_comment(self._connector, publication))

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the account posted since then, None on a platform that does not list it."""
        connector = self._connector
        if not isinstance(connector, ListsPosts):
            return None
        return self._twice(lambda: connector.list_posts(self._with_token(publication), since))

    def _twice(self, call: Callable[[], _T]) -> _T:
        """Make a call that changes nothing visible; if its token is refused, with the next one."""
        try:
            return call()
        except TokenRejectedError as error:
            self._renew(error)
        return self._twice(call)

    def _with_token(self, publication: Publication) -> Publication:
        return replace(publication, account=self.sign_in(publication.now))

    def sign_in(self, now: datetime) -> ConnectedAccount:
        """Return the account with a token that works for some time. Raises PlatformError."""
        if self._signed is None or now >= self._good_until:
            with without_fence():
                self._signed = self._keeper.sign_in(self._account, self._connector)
            self._good_until = now + _GOOD_FOR
        return self._signed

    def _renew(self, error: TokenRejectedError) -> None:
        """Get another token, at most twice: another process may have used up the first one.

        A test account has no tokens. Raises TokenRejectedError when the sign-in has ended, and
        NotSentError when others keep replacing the token: the step is tried again later.
        """
        if self._signed is None:
            raise error
        if self._account.test or self._renewals == _MOST_RENEWALS:
            self._keeper.require_over(self._account, self._signed, str(error))
            raise error
        self._renewals += 1
        with without_fence():
            self._signed = self._keeper.sign_in_anew(self._account, self._connector, self._signed)

    def _note_refusal(self, outcome: Outcome) -> Outcome:
        signed, expired = self._signed, FailureCode.AUTH_EXPIRED
        if signed is not None and isinstance(outcome, Failed) and outcome.code == expired:
            self._keeper.note_refusal(self._account, signed, outcome.message)
        return outcome


def _lost_comment(connector: Connector, publication: Publication) -> str | None:
    """Return the note about a first comment whose post a reconciliation found, None without one."""
    if not isinstance(connector, Staged) or connector.stage(publication).first_comment is None:
        return None
    return _NO_COMMENT.format(FACTS[connector.platform].name)
