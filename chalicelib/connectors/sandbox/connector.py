"""The sandbox platform: what a test account publishes to, steered by words in the caption.

It behaves like a real platform outside the service (docs/api.md "Sandbox"): it never deduplicates,
every accepted call is a new random post, written to a store of its own before the answer. It can
fail, stall, lose answers and hide posts on demand, so that tests and users can see the engine cope.
Its store is a table of its own (`storage/sandbox`).
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, Protocol
from urllib.parse import quote

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Connector,
    Data,
    LivePost,
    Publication,
    RemovalError,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.sandbox.answers import play_answer, unfit_answer
from chalicelib.connectors.sandbox.kept_files import keep_files
from chalicelib.connectors.sandbox.refusals import SandboxRefusal
from chalicelib.connectors.sandbox.squares import square_of
from chalicelib.connectors.shared.prechecks import omitted_options, sandbox_refusal_ahead
from chalicelib.connectors.shared.reconciliation import wait_until
from chalicelib.connectors.shared.staging import Staged, sent_content
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry, SandboxWords, sandbox_words
from chalicelib.kit.transport.fence import check_fence
from chalicelib.kit.waiting import about_to_wait, have_waited


class SandboxStore(Protocol):
    """A durable store: what `take` accepted is there after any crash."""

    def take(self, entry: SandboxEntry) -> None:
        """Keep a post, durably, before returning."""
        ...

    def keep_file(self, name: str, pieces: Iterator[bytes]) -> bool:
        """Keep a file's bytes under a name, once; tell whether they are kept here."""
        ...

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return what was taken for a target, oldest first, removed ones too."""
        ...

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        ...

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Mark a post as deleted; tell whether it was there and live."""
        ...

    def bump(self, key: str) -> int:
        """Count up a durable counter and return its new value, starting at 1."""
        ...

    def forget(self, account_ids: Collection[str]) -> None:
        """Delete for good what accounts posted, with its bytes."""
        ...


READ_LAG = timedelta(seconds=5)
_POLL_EVERY = timedelta(seconds=2)
"""How soon a doubt is looked at again at first; later after half as long as it has lasted."""


class SandboxConnector:
    """One platform's sandbox."""

    irreversible: ClassVar[frozenset[str]] = frozenset({"publish"})
    step_timeout: ClassVar[timedelta] = timedelta(hours=1)
    metrics_batch: ClassVar[int] = 50
    metrics_calls: ClassVar[int] = 1_000
    first_poll: timedelta | None = timedelta(seconds=5)
    """Whoever tries the service out wants to see counts at once."""

    def __init__(
        self,
        platform: Platform,
        store: SandboxStore,
        base_url: str,
        *,
        rules: Connector | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a sandbox; `rules` is the platform's own connector, whose options hold here too."""
        self.platform = platform
        self._store = store
        self._base_url = base_url
        self._rules = rules
        self._staged = rules if rules is not None and isinstance(rules, Staged) else None
        self._wait = wait

    def start(self, publication: Publication) -> Outcome:
        """Refuse as the platform's own rules would, or begin with the upload."""
        if self._rules is not None:
            unfit = sandbox_refusal_ahead(self._rules, publication)
            if unfit is not None:
                return unfit
        ready = publication.now + sandbox_words(publication.text).seconds("slow_upload")
        return Wait(Checkpoint("upload", {"until": ready.isoformat()}))

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return made-up followers, always as many, and a square of one colour."""
        seed = hashlib.sha256(f"{self.platform} {account.handle}".encode()).digest()
        return SeenProfile(followers=100 + seed[0] * seed[1], picture=square_of(seed[2:5]))

    def omitted_options(self, publication: Publication) -> Mapping[str, str]:
        """Return the options that the platform would leave out."""
        return {} if self._rules is None else omitted_options(self._rules, publication)

    def _refusal(self, publication: Publication, words: SandboxWords) -> Failed | None:
        if words.has("fail"):
            code = words.text("fail") or FailureCode.UNKNOWN
            return replace(SandboxRefusal.ASKED_FOR.end(), code=code)
        if words.has("expired"):
            return SandboxRefusal.EXPIRED.end()
        if words.has("flaky") and publication.tries < words.number("flaky"):
            return SandboxRefusal.FLAKY.open_end()
        if words.has("limit") and publication.tries == 0:
            return SandboxRefusal.SLOWER.end_for(words.seconds("limit"))
        return None

    def _count(self, word: str, publication: Publication) -> int:
        return self._store.bump(f"{word}#{publication.target_id}")

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Upload, publish or look whether processing is over."""
        steps = {"upload": self._upload, "publish": self._publish, "processing": self._process}
        return take_step(steps, publication, checkpoint)

    def _upload(self, publication: Publication, data: Data) -> Outcome:
        """Refuse, or take the time, as the caption asks; see that the file can be read."""
        words = sandbox_words(publication.text)
        unfit = unfit_answer(publication) if words.has("answer") else None
        problem = unfit or self._refusal(publication, words)
        if problem is not None:
            return problem
        left = datetime.fromisoformat(str(data["until"])) - publication.now
        if left > timedelta(0):
            return Wait(Checkpoint("upload", data), left)
        if publication.media is None:
            return Wait(Checkpoint("publish"))
        publication.media.source.read(0, 1)
        kept = keep_files(publication, self._store.keep_file)
        return Wait(Checkpoint("publish", {"files": kept}))

    def _publish(self, publication: Publication, data: Data) -> Outcome:
        """Take the post, once a call, and answer as the caption asks."""
        words = sandbox_words(publication.text)
        if words.has("lost") and self._count("lost", publication) == 1:
            return Unanswered(Checkpoint("publish", data))
        check_fence()
        hang = words.seconds("hang")
        if hang:
            about_to_wait()
        self._wait(min(hang, CALL_DEADLINE).total_seconds())
        if hang:
            have_waited()
        if words.has("refuse") and self._count("refuse", publication) <= words.number("refuse"):
            return SandboxRefusal.SLOWER.end_for(words.wait("refuse"))
        answered = words.has("answer") and play_answer(self._staged, publication, data)
        if answered:
            return answered
        hidden = max(words.seconds("hidden"), hang - CALL_DEADLINE)
        remote_id = self._take(publication, hidden, data)
        lost_answers = ("ambiguous", "taken_5xx", "hidden", "untellable")
        if hang > CALL_DEADLINE or any(words.has(word) for word in lost_answers):
            return Unanswered(Checkpoint("publish", data))
        if words.has("slow"):
            return _processing(remote_id, publication.now, words.seconds("slow"))
        return self._as_done(remote_id)

    def _take(self, publication: Publication, hidden: timedelta, data: Data) -> str:
        media, kept = publication.media, data.get("files")
        entry = SandboxEntry(
            remote_id=secrets.token_hex(10),
            account_id=publication.account.id,
            platform=self.platform,
            handle=publication.account.handle,
            caption=publication.text,
            media_id=None if media is None else media.id,
            media_kind=None if media is None else media.kind,
            options=publication.options,
            target_id=publication.target_id,
            created_at=publication.now,
            visible_at=publication.now + hidden,
            sent=None if self._staged is None else sent_content(self._staged, publication),
            files={k: str(v) for k, v in kept.items()} if isinstance(kept, dict) else {},
        )
        self._store.take(entry)
        return entry.remote_id

    def _process(self, publication: Publication, data: Data) -> Outcome:
        left = datetime.fromisoformat(str(data["until"])) - publication.now
        if left > timedelta(0):
            return Wait(Checkpoint("processing", data), left)
        return self._as_done(str(data["remote_id"]))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look for the target's post; absent only once the call and the read lag are over."""
        words = sandbox_words(sent.text)
        if words.has("untellable"):
            return decide(Evidence(untellable=True), publication.now)
        taken = self._store.find(publication.account.id, publication.target_id)
        visible = [entry for entry in taken if entry.visible_at <= publication.now]
        if visible:
            return self._as_done(visible[0].remote_id)
        lag = READ_LAG + max(words.seconds("hidden"), words.seconds("hang"))
        certain = sent.begun_by + CALL_DEADLINE + lag
        every = max((publication.now - sent.at) / 2, _POLL_EVERY)
        evidence = Evidence(
            own_key=True,
            certain_from=certain,
            next_look=wait_until(certain, publication, checkpoint, every),
        )
        return decide(evidence, publication.now)

    def _as_done(self, remote_id: str) -> Done:
        url = f"{self._base_url}/sandbox/{quote(self.platform)}/{remote_id}"
        return Done(remote_id=remote_id, url=url, first_poll=self.first_poll)

    def delete(self, live: LivePost) -> None:
        """Delete a live post, unless its caption asks for a failure. Raises RemovalError."""
        entry = self._store.get(self.platform, live.remote_id)
        if entry is None:
            return
        if sandbox_words(entry.caption).has("remove_failed"):
            raise RemovalError
        self._store.remove(self.platform, live.remote_id)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return figures that grow with a post's age, the same for everybody who asks."""
        return [self._metrics(live) for live in lives]

    def _metrics(self, live: LivePost) -> Metrics | None:
        entry = self._store.get(self.platform, live.remote_id)
        if entry is None or entry.removed:
            return None
        return sandbox_metrics(live.remote_id, live.now - entry.created_at)


def _processing(remote_id: str, now: datetime, time: timedelta) -> Wait:
    """Return that the sandbox has a post and shows it after some time."""
    taken: Data = {"remote_id": remote_id, "until": (now + time).isoformat()}
    return Wait(Checkpoint("processing", taken), time)


def sandbox_metrics(remote_id: str, age: timedelta) -> Metrics:
    """Return what the sandbox reports: 10 to 59 views at once, as many again every hour."""
    catch_up = 10 + int.from_bytes(hashlib.sha256(remote_id.encode()).digest()[:2]) % 50
    views = catch_up + int(max(age, timedelta(0)).total_seconds()) * catch_up // 3600
    return Metrics(
        views=views,
        likes=views // 10,
        comments=views // 40,
        shares=views // 80,
        followers=views // 200,
    )
