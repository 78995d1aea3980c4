"""A platform that knows no target of ours: it lists what an account posted, and takes tokens.

What a lost answer made is found by its text alone, as on most platforms, so that two targets with
one text (twins) are mistaken for one another. Lists are behind by some minutes, in order: what they
show proves that everything older is shown too. Words in a caption work as in the sandbox.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from chalicelib.connectors.connector import ConnectedAccount, Posted, Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.reconciliation import (
    WITNESS_WITHIN,
    WITNESSES_REACH,
    first_sent,
    is_same_text,
    is_witness,
    poll_again,
)
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    CLOCK_SKEW,
    Absent,
    Checkpoint,
    Done,
    Outcome,
    Reconciliation,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from tests.simulation.models.platform_model import PlatformModel, Taken
from tests.simulation.models.sign_ins import SignIns

_LOOK_EVERY = timedelta(seconds=30)


class ListingConnector(SandboxConnector):
    """One such platform."""

    def __init__(
        self, platform: Platform, model: PlatformModel, sign_ins: SignIns, base_url: str
    ) -> None:
        super().__init__(platform, model, base_url, wait=model.hang)
        self._model = model
        self._sign_ins = sign_ins

    def start(self, publication: Publication) -> Outcome:
        self._check(publication)
        return super().start(publication)

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step in self.irreversible:
            self._sign_ins.check(_identity(publication.account), publication.account.token)
        return super().advance(publication, checkpoint)

    def _check(self, publication: Publication) -> None:
        self._model.world.travel(0.02, 0.1)
        self._sign_ins.check(_identity(publication.account), publication.account.token)

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Return the next tokens."""
        del tokens, now
        return self._sign_ins.refresh(_identity(account))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look for the text on the account's own list."""
        self._check(publication)
        listed = list(self._listed(publication))
        since = first_sent(checkpoint.data, sent.at) - CLOCK_SKEW
        for one in listed:
            if self._made(one) >= since and is_same_text(one.entry.caption, sent.text):
                return Done(remote_id=one.entry.remote_id, url=None)
        again = poll_again(self.platform, publication, checkpoint, sent)
        if again is not None:
            return again
        if any(is_witness(self._made(one), sent) for one in listed):
            return Absent()
        certain = sent.begun_by + CALL_DEADLINE + WITNESS_WITHIN
        return Wait(checkpoint, _LOOK_EVERY) if publication.now < certain else Unknown()

    def posted(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return all that the account posted since then, and some older posts."""
        self._check(publication)
        return [
            Posted(
                live=Done(remote_id=one.entry.remote_id, url=None),
                made=self._made(one),
            )
            for one in self._listed(publication)
            if self._made(one) >= since - WITNESSES_REACH
        ]

    def _listed(self, publication: Publication) -> Iterator[Taken]:
        self._model.world.point("before list")
        self._model.require_answers(self.platform)
        self._model.world.travel(0.02, 0.2)
        return iter(self._model.listed(publication.account.id))

    def _made(self, one: Taken) -> datetime:
        return self._model.world.scheduler.time_at(one.taken_s)


def _identity(account: ConnectedAccount) -> str:
    if account.remote_id is None:
        raise AssertionError("Only accounts that somebody signed in to come here.")
    return account.remote_id
