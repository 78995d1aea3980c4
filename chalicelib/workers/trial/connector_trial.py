"""A live trial of one connector: a real post is made, read back and deleted, step by step.

`connector try` runs it for operators. It makes a connector's steps as the publish worker does,
but nothing of it is a post of the workspace: no row is written, nothing is charged, and every
call is kept for the report. Nothing is sent twice: what stays in doubt is only looked for.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Connector,
    Deletes,
    LivePost,
    Publication,
    RemovalError,
    ReportsMetrics,
)
from chalicelib.connectors.shared.calls.exchanges import Exchange, observe_calls
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.workers.publishing.error_mapping import answer_of
from chalicelib.workers.publishing.signed_connector import SignedConnector

_LONGEST: Final = timedelta(minutes=30)
_LONGEST_LOOK: Final = timedelta(minutes=5)
_LOOK_AGAIN: Final = timedelta(seconds=5)
_UNSETTLED: Final = (
    "A lost answer could not be settled: the target would end as outcome_unknown, and nothing would"
    " be sent again."
)
Pause = Callable[[timedelta], None]


def sleep(wait: timedelta) -> None:
    """Let real time pass."""
    time.sleep(wait.total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of a trial: how it ended, and the calls that it made."""

    name: str
    outcome: str
    is_good: bool = True
    exchanges: tuple[Exchange, ...] = field(default=(), repr=False)


@dataclass(slots=True, kw_only=True)
class ConnectorTrial:
    """One post on its way out, and back."""

    connector: Connector
    account: Account
    keeper: TokenKeeper
    publication: Publication
    clock: Clock
    pause: Pause
    done: Done | None = field(default=None, init=False)
    _sent: Sent | None = field(default=None, init=False)
    _doubt: Checkpoint | None = field(default=None, init=False)
    _exchanges: list[Exchange] = field(default_factory=list, init=False)

    def run(self, *, keep: bool = False) -> Iterator[Stage]:
        """Publish, find, count and delete; yield each step as it is over."""
        yield from self._publish()
        if self.done is None:
            return
        yield self._find()
        if isinstance(self.connector, ReportsMetrics):
            yield self._count(self.connector)
        if not keep:
            yield from self._delete()

    def _publish(self) -> Iterator[Stage]:
        signed = SignedConnector(self.connector, self.account, self.keeper)
        checkpoint: Checkpoint | None = None
        ends = self.clock() + _LONGEST
        while self.clock() < ends:
            step = "start" if checkpoint is None else checkpoint.step
            outcome = self._step(signed, checkpoint)
            yield self._stage(step, _words(outcome), is_good=not isinstance(outcome, Failed))
            match outcome:
                case Done():
                    self.done = outcome
                    return
                case Failed():
                    return
                case Wait():
                    checkpoint = outcome.checkpoint
                    self.pause(outcome.delay)
                case Unanswered():
                    yield self._find()
                    return
        yield self._stage(
            "time", "It took more than 30 minutes. Check the platform.", is_good=False
        )

    def _step(self, signed: SignedConnector, checkpoint: Checkpoint | None) -> Outcome:
        publication = replace(self.publication, now=self.clock())
        with observe_calls(self._exchanges.append):
            if checkpoint is None:
                return answer_of(lambda: signed.start(publication))
            step = checkpoint
            is_visible = step.step in self.connector.irreversible
            if is_visible:
                self._sent, self._doubt = self._sending(), step
            return answer_of(
                lambda: signed.advance(publication, step), doubt=step if is_visible else None
            )

    def _sending(self) -> Sent:
        media = self.publication.media
        ids = () if media is None else (media.id,)
        return Sent(text=self.publication.text, media_ids=ids, at=self.clock())

    def _find(self) -> Stage:
        """Look for the post as after a lost answer: a service that finds it sends it once."""
        if self._sent is None or self._doubt is None:
            return self._stage("reconcile", "No step of it is irreversible.")
        found = self._look(self._doubt, self._sent)
        if isinstance(found, Done):
            self.done = self.done or found
            same = "the same post" if found.remote_id == self.done.remote_id else found.remote_id
            return self._stage("reconcile", f"A lost answer would be settled: it finds {same}.")
        if isinstance(found, Wait | Unknown):
            return self._stage("reconcile", _UNSETTLED)
        return self._stage("reconcile", f"After a lost answer: {_words(found)}", is_good=False)

    def _look(self, checkpoint: Checkpoint, sent: Sent) -> Reconciliation | Failed | Unanswered:
        signed = SignedConnector(self.connector, self.account, self.keeper)
        ends = self.clock() + _LONGEST_LOOK
        while True:
            asked = replace(self.publication, now=self.clock())
            with observe_calls(self._exchanges.append):
                found = answer_of(partial(signed.reconcile, asked, checkpoint, sent))
            if not isinstance(found, Wait) or self.clock() >= ends:
                return found
            checkpoint = found.checkpoint
            self.pause(max(found.delay, _LOOK_AGAIN))

    def _count(self, reporting: ReportsMetrics) -> Stage:
        with observe_calls(self._exchanges.append):
            try:
                (metrics,) = reporting.metrics([self._live()])
            except PlatformError as error:
                return self._stage("metrics", f"They could not be read: {error}", is_good=False)
        told = "The platform says that the post is gone." if metrics is None else str(metrics)
        return self._stage("metrics", told, is_good=metrics is not None)

    def _delete(self) -> Iterator[Stage]:
        """Delete the post twice: the second time it is gone already, which is no error."""
        platform = self.connector.platform
        if not (FACTS[platform].limits.can_delete and isinstance(self.connector, Deletes)):
            where = self._live().url or "the account's own page"
            told = f"{FACTS[platform].name} lets no application delete posts. Delete it at {where}."
            yield self._stage("delete", told)
            return
        deleting: Deletes = self.connector
        for name in ("delete", "delete again"):
            with observe_calls(self._exchanges.append):
                try:
                    deleting.delete(self._live())
                except (RemovalError, PlatformError) as error:
                    told = f"It was not deleted: {error} Delete it by hand: {self._live().url}"
                    yield self._stage(name, told, is_good=False)
                    return
            yield self._stage(name, "It is gone.")

    def _live(self) -> LivePost:
        if self.done is None:
            raise AssertionError("Nothing is live.")
        return LivePost(
            target_id=self.publication.target_id,
            account=self._signed_account(),
            remote_id=self.done.remote_id,
            url=self.done.url,
            published_at=self._at(),
            now=self.clock(),
        )

    def _signed_account(self) -> ConnectedAccount:
        return self.keeper.sign_in(self.account, self.connector)

    def _at(self) -> datetime:
        return self.clock() if self._sent is None else self._sent.at

    def _stage(self, name: str, outcome: str, *, is_good: bool = True) -> Stage:
        exchanges, self._exchanges = tuple(self._exchanges), []
        return Stage(name=name, outcome=outcome, is_good=is_good, exchanges=exchanges)


def _words(outcome: Outcome | Reconciliation | Failed | Unanswered) -> str:
    match outcome:
        case Done():
            return f"It is published: {outcome.url or outcome.remote_id}"
        case Failed():
            return f"It failed as {outcome.code}: {outcome.message}{_platform_words(outcome)}"
        case Wait():
            return f"Next: {outcome.checkpoint.step}, in {outcome.delay.total_seconds():.0f} s."
        case Unanswered():
            return "The answer is missing: it may be published. It is looked for."
        case Absent():
            return "the platform does not show it, and it would be sent again."
        case Unknown():
            return "nobody can tell whether it is published."


def _platform_words(failed: Failed) -> str:
    answer = failed.answer
    return "" if answer is None or answer.sentence is None else f" It said: {answer.sentence}"
