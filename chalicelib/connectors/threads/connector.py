"""Threads, step by step: developers.facebook.com/docs/threads/posts.

A container is made, which fetches the file, and watched until it is finished; publishing it is what
everybody sees. Threads has no idempotency key, but a container tells whether it was published.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    LivePost,
    Publication,
    RemovalError,
)
from chalicelib.connectors.http import PlatformHttp
from chalicelib.connectors.meta_graph import Graph, GraphRejectedError, codes
from chalicelib.connectors.pulled_media import refused, unreachable
from chalicelib.connectors.refusals import find_row, refusal_of
from chalicelib.connectors.replies import PlatformError, RejectedError, UnlistedError
from chalicelib.connectors.reply import Reply, count
from chalicelib.connectors.sign_in import Identity
from chalicelib.connectors.threads import comment
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.connectors.threads.comment import comment_on, live
from chalicelib.connectors.threads.errors import ACTION_BLOCKED, ERRORS, NOT_READY
from chalicelib.connectors.threads.look import NAMELESS, figures, look
from chalicelib.connectors.threads.post import container_fields
from chalicelib.connectors.threads.sign_in import ThreadsHosts, ThreadsSignIn, threads_oauth
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import (
    Checkpoint,
    Failed,
    FailureCode,
    Finding,
    Json,
    Outcome,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms import MediaKind, Platform
from chalicelib.domain.results import Figures
from chalicelib.domain.tokens import Tokens

LARGEST_PHOTO, LARGEST_VIDEO = 8_000_000, 1_000_000_000
PHOTOS = frozenset({"image/jpeg", "image/png"})
_FETCHED_WITHIN = timedelta(hours=24)
_QUOTA_WAIT = timedelta(minutes=30)
_ANOTHER_WAIT = timedelta(seconds=5)
_LINK_WAIT = timedelta(seconds=10)
_MOST_CONTAINERS, _MOST_TRIES, _QUICK_POLLS = 2, 3, 12
_WORTH_ANOTHER = frozenset({FailureCode.PROCESSING_FAILED, FailureCode.MEDIA_UNAVAILABLE})
_FULL = "Threads takes no more posts from this account today."
_NAMELESS = "Threads never said which post this is. Delete it in Threads' own app."


class ThreadsConnector:
    """One person's Threads profile."""

    platform: ClassVar[Platform] = Platform.THREADS
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish", comment.PUBLISH})
    ceiling: ClassVar[timedelta] = timedelta(minutes=10)
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 500

    def __init__(self, hosts: ThreadsHosts | None = None, *, clock: Clock = system_clock) -> None:
        self._hosts = hosts or ThreadsHosts()
        self._http = PlatformHttp(Platform.THREADS, ERRORS, codes, clock=clock)
        graph = Graph(self._http)
        self._api = ThreadsApi(graph, self._hosts)
        self._sign_in = ThreadsSignIn(graph, self._hosts)
        self.oauth = threads_oauth(self._hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the profile that signed in."""
        return [self._sign_in.identity(tokens, now)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Give the token 60 more days."""
        del account
        return self._sign_in.renewed(tokens, now)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse a file that Threads does not take or cannot fetch."""
        media = publication.media
        if media is not None:
            is_video = media.kind is MediaKind.VIDEO
            if media.size_bytes > (LARGEST_VIDEO if is_video else LARGEST_PHOTO):
                return refused(Platform.THREADS, FailureCode.MEDIA_TOO_LARGE)
            if not is_video and media.mime not in PHOTOS:
                return refused(Platform.THREADS, FailureCode.MEDIA_REJECTED)
            if media.source.public_url(_FETCHED_WITHIN) is None:
                return unreachable(Platform.THREADS)
        return Wait(Checkpoint("container"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        match checkpoint.step:
            case "container":
                return self._container(publication, checkpoint)
            case "processing":
                return self._processing(publication, checkpoint)
            case "quota":
                return self._quota(publication, checkpoint)
            case "publish":
                return self._publish(publication, checkpoint)
            case "permalink":
                return self._permalink(publication, checkpoint)
            case _:
                return comment.step(self._api, publication, checkpoint)

    def _container(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        media = publication.media
        address = None if media is None else media.source.public_url(_FETCHED_WITHIN)
        if media is not None and address is None:
            return unreachable(Platform.THREADS)
        fields = container_fields(publication, address)
        container = self._api.create(publication.account, fields)
        made = count(dict(checkpoint.data), "containers") + 1
        data: Mapping[str, Json] = {"container": container, "containers": made}
        return Wait(Checkpoint("processing", data), _poll_delay(publication, 0))

    def _processing(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        data = dict(checkpoint.data)
        reply = self._api.status(publication.account, str(data["container"]))
        status, polls = reply.find("status"), count(data, "polls") + 1
        if status == "FINISHED":
            return Wait(Checkpoint("quota", data))
        if status in ("ERROR", "EXPIRED"):
            return _failed(reply, data)
        if status is None and publication.media is None and polls >= _MOST_TRIES:
            return Wait(Checkpoint("quota", data))
        data["polls"] = polls
        return Wait(Checkpoint("processing", data), _poll_delay(publication, polls))

    def _quota(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """See whether one of the day's posts is left; what cannot be read hinders nobody."""
        go_on = Wait(Checkpoint("publish", checkpoint.data))
        try:
            reply = self._api.quota(publication.account)
        except (RejectedError, UnlistedError):
            return go_on
        most = reply.find("data", 0, "config", "quota_total")
        if not isinstance(most, int) or count(reply.json(), "data", 0, "quota_usage") < most:
            return go_on
        return Failed(code=FailureCode.RATE_LIMITED, message=_FULL, retry_after=_QUOTA_WAIT)

    def _publish(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Show the post."""
        data = dict(checkpoint.data)
        if "blocked" in data:
            return refused(Platform.THREADS, FailureCode.ACCOUNT_RESTRICTED)
        try:
            media = self._api.publish(publication.account, str(data["container"]))
        except GraphRejectedError as error:
            if ACTION_BLOCKED in error.codes:
                return Unanswered(Checkpoint("publish", {**data, "blocked": True}))
            if NOT_READY in error.codes:
                return _not_ready(data)
            raise
        return Wait(Checkpoint("permalink", {"media": media}))

    def _permalink(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Ask for the link of a post that is live, whatever comes of it."""
        data, account = dict(checkpoint.data), publication.account
        link = None
        try:
            link = self._api.link(account, str(data["media"]))
        except PlatformError:
            tries = count(data, "tries") + 1
            if tries < _MOST_TRIES:
                return Wait(Checkpoint("permalink", {**data, "tries": tries}), _LINK_WAIT)
        data["url"] = link or self._api.profile(account)
        return comment_on(data) if publication.options.get("first_comment") else live(data)

    def confirm(self, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
        """Ask the container and the profile whether it was published."""
        if checkpoint.step == comment.PUBLISH:
            return live(dict(checkpoint.data))
        return look(self._api, publication, checkpoint, sent)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post."""
        if live.remote_id.startswith(NAMELESS):
            raise RemovalError(_NAMELESS)
        try:
            self._api.delete(live.account, live.remote_id)
        except GraphRejectedError as error:
            if not error.is_gone:
                raise RemovalError(error.message) from error

    def metrics(self, lives: list[LivePost]) -> list[Figures | None]:
        """Return the figures of each post."""
        return [figures(self._api, live) for live in lives]


def _failed(reply: Reply, data: dict[str, Json]) -> Outcome:
    """Make another container once, where that can help."""
    row = find_row(ERRORS, codes(reply)) or FailureCode.PROCESSING_FAILED
    refusal = refusal_of(Platform.THREADS, row)
    if refusal.code in _WORTH_ANOTHER and count(data, "containers") < _MOST_CONTAINERS:
        return Wait(Checkpoint("container", {"containers": data["containers"]}), _ANOTHER_WAIT)
    return Failed(code=refusal.code, message=refusal.sentence, final=True)


def _not_ready(data: dict[str, Json]) -> Outcome:
    """Look at the container again; after some times make another one, once."""
    tries = count(data, "tries") + 1
    if tries <= _MOST_TRIES:
        return Wait(Checkpoint("processing", {**data, "tries": tries}), _ANOTHER_WAIT * tries)
    if count(data, "containers") < _MOST_CONTAINERS:
        return Wait(Checkpoint("container", {"containers": data["containers"]}))
    return refused(Platform.THREADS, FailureCode.PROCESSING_FAILED)


def _poll_delay(publication: Publication, polls: int) -> timedelta:
    """Return when to look at a container: soon at first, seldom later."""
    media = publication.media
    if media is None or media.kind is MediaKind.IMAGE:
        return timedelta(seconds=2 if polls == 0 else 3)
    return timedelta(seconds=5 if polls < _QUICK_POLLS else 15)
