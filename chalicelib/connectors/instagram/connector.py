"""Instagram, step by step: developers.facebook.com/docs/instagram-platform/content-publishing.

A container is made, which fetches the file, and watched until it is finished; publishing it is what
everybody sees. Instagram has no idempotency key, but a container tells whether it was published.
Accounts that signed in by Facebook are sent a reel's file itself.
"""

from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import ConnectedAccount, LivePost, Publication
from chalicelib.connectors.http import PlatformHttp
from chalicelib.connectors.instagram.api import InstagramApi, upload_path
from chalicelib.connectors.instagram.errors import (
    ACTION_BLOCKED,
    ERRORS,
    NOT_READY,
    USED_UP,
    WAITS,
    codes,
)
from chalicelib.connectors.instagram.look import figures, look
from chalicelib.connectors.instagram.post import (
    container_fields,
    is_story,
    largest_bytes,
    places_are_known,
    source_of,
)
from chalicelib.connectors.instagram.sign_in import (
    ByFacebook,
    ByInstagram,
    InstagramHosts,
    signed_in_by_facebook,
)
from chalicelib.connectors.meta_graph import Graph, GraphRejectedError
from chalicelib.connectors.pulled_media import refused, unreachable
from chalicelib.connectors.refusals import find_row, refusal_of
from chalicelib.connectors.replies import PlatformError, RejectedError, UnlistedError
from chalicelib.connectors.reply import Reply, count
from chalicelib.connectors.sign_in import Identity
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
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

_POSTS_A_DAY = 50
_QUOTA_WAIT = timedelta(minutes=60)
_ANOTHER_WAIT, _LINK_WAIT = timedelta(seconds=5), timedelta(seconds=10)
_MOST_CONTAINERS, _MOST_TRIES, _QUICK_POLLS = 2, 3, 6
_WORTH_ANOTHER = frozenset({FailureCode.PROCESSING_FAILED, FailureCode.MEDIA_UNAVAILABLE})
_FULL = "Instagram takes no more posts from this account today."
_PLACELESS = "Instagram needs x and y for everybody in user_tags on a photo."


class InstagramConnector:
    """One professional account."""

    platform: ClassVar[Platform] = Platform.INSTAGRAM
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish", "comment"})
    ceiling: ClassVar[timedelta] = timedelta(minutes=15)
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 300

    def __init__(self, hosts: InstagramHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or InstagramHosts()
        self._http = PlatformHttp(Platform.INSTAGRAM, ERRORS, codes, clock=clock)
        graph = Graph(self._http, WAITS)
        self._api = InstagramApi(graph, hosts)
        self._by_instagram = ByInstagram(graph, hosts, clock)
        self.by_facebook = ByFacebook(graph, hosts, clock)
        self.oauth = self._by_instagram.oauth

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in at Instagram."""
        return self._by_instagram.identities(tokens, now)

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Give the token 60 more days, or get the Page's anew."""
        if signed_in_by_facebook(account):
            return self.by_facebook.renewed(account, tokens)
        return self._by_instagram.renewed(tokens, now)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Instagram does not take or cannot fetch."""
        media = publication.media
        if media is None:
            return refused(Platform.INSTAGRAM, FailureCode.MEDIA_REJECTED)
        if media.size_bytes > largest_bytes(publication, media):
            return refused(Platform.INSTAGRAM, FailureCode.MEDIA_TOO_LARGE)
        if media.kind is MediaKind.IMAGE and media.mime != "image/jpeg":
            return refused(Platform.INSTAGRAM, FailureCode.MEDIA_REJECTED)
        if not places_are_known(publication):
            return Failed(code=FailureCode.INVALID_OPTIONS, message=_PLACELESS, final=True)
        if source_of(publication) is None:
            return unreachable(Platform.INSTAGRAM)
        return Wait(Checkpoint("container"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "container": self._container,
            "upload": self._upload,
            "processing": self._processing,
            "quota": self._quota,
            "publish": self._publish,
            "permalink": self._permalink,
            "comment": self._comment,
        }
        return steps[checkpoint.step](publication, checkpoint)

    def _container(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        source = source_of(publication)
        if source is None:
            return unreachable(Platform.INSTAGRAM)
        account = publication.account
        fields = container_fields(publication, source, has_places=signed_in_by_facebook(account))
        reply = self._api.create(account, fields)
        made = count(dict(checkpoint.data), "containers") + 1
        data: dict[str, Json] = {"container": reply.text("id"), "containers": made}
        if "upload_type" in source:
            return Wait(Checkpoint("upload", {**data, "path": upload_path(reply)}))
        return Wait(Checkpoint("processing", data), _poll_delay(publication, 0))

    def _upload(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Send the file; what was cut off goes into a new container, which nobody sees either."""
        data, media = dict(checkpoint.data), publication.media
        if media is not None and self._api.upload(publication.account, str(data["path"]), media):
            return Wait(Checkpoint("processing", data), _poll_delay(publication, 0))
        return _another_container(data, FailureCode.PROCESSING_FAILED)

    def _processing(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        data = dict(checkpoint.data)
        polls = data["polls"] = count(data, "polls") + 1
        again = Wait(Checkpoint("processing", data), _poll_delay(publication, polls))
        try:
            reply = self._api.status(publication.account, str(data["container"]))
        except GraphRejectedError as error:
            if not error.is_gone:
                raise
            # Containers have been unreadable for a moment after they were made.
            lost = _another_container(data, FailureCode.PROCESSING_FAILED)
            return again if polls <= _MOST_TRIES else lost
        status, text = reply.find("status_code"), reply.find("status")
        if status == "FINISHED":
            return Wait(Checkpoint("quota", data))
        is_error = status is None and isinstance(text, str) and text.startswith("Error")
        return _failed(reply, data) if is_error or status in ("ERROR", "EXPIRED") else again

    def _quota(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """See whether one of the day's posts is left; what cannot be read hinders nobody."""
        go_on = Wait(Checkpoint("publish", checkpoint.data))
        try:
            reply = self._api.quota(publication.account)
        except (RejectedError, UnlistedError):
            return go_on
        named = reply.find("data", 0, "config", "quota_total")
        most = named if isinstance(named, int) else _POSTS_A_DAY
        if count(reply.json(), "data", 0, "quota_usage") < most:
            return go_on
        return Failed(code=FailureCode.RATE_LIMITED, message=_FULL, retry_after=_QUOTA_WAIT)

    def _publish(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Show the post."""
        data = dict(checkpoint.data)
        if "blocked" in data:
            return refused(Platform.INSTAGRAM, FailureCode.ACCOUNT_RESTRICTED)
        try:
            media = self._api.publish(publication.account, str(data["container"]))
        except GraphRejectedError as error:
            if ACTION_BLOCKED in error.codes:
                return Unanswered(Checkpoint("publish", {**data, "blocked": True}))
            if not NOT_READY.isdisjoint(error.codes):
                return _not_ready(data)
            if not USED_UP.isdisjoint(error.codes):
                return _another_container(data, error.code)
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
        comments = publication.options.get("first_comment") and not is_story(publication)
        return Wait(Checkpoint("comment", data)) if comments else _live(data)

    def _comment(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Comment once; without it the post is as live as with it."""
        data, text = dict(checkpoint.data), str(publication.options.get("first_comment"))
        try:
            self._api.comment(publication.account, str(data["media"]), text)
        except PlatformError:
            return _live(data)
        return _live(data)

    def confirm(self, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> Finding:
        """Ask the container and the account's list whether it was published."""
        if checkpoint.step == "comment":
            return _live(dict(checkpoint.data))
        return look(self._api, publication, checkpoint, sent)

    def metrics(self, lives: list[LivePost]) -> list[Figures | None]:
        """Return the figures of each post."""
        return [figures(self._api, live) for live in lives]


def _failed(reply: Reply, data: dict[str, Json]) -> Outcome:
    """Make another container once, where that can help."""
    row = find_row(ERRORS, codes(reply)) or FailureCode.PROCESSING_FAILED
    refusal = refusal_of(Platform.INSTAGRAM, row)
    if refusal.code in _WORTH_ANOTHER:
        return _another_container(data, refusal.code)
    return Failed(code=refusal.code, message=refusal.sentence, final=True)


def _another_container(data: dict[str, Json], code: FailureCode) -> Outcome:
    if count(data, "containers") >= _MOST_CONTAINERS:
        return refused(Platform.INSTAGRAM, code)
    return Wait(Checkpoint("container", {"containers": data["containers"]}), _ANOTHER_WAIT)


def _not_ready(data: dict[str, Json]) -> Outcome:
    """Look at the container again; after some times make another one, once."""
    tries = count(data, "tries") + 1
    if tries > _MOST_TRIES:
        return _another_container(data, FailureCode.PROCESSING_FAILED)
    return Wait(Checkpoint("processing", {**data, "tries": tries}), _ANOTHER_WAIT * tries)


def _poll_delay(publication: Publication, polls: int) -> timedelta:
    """Return when to look at a container: soon at first, seldom later."""
    if publication.media is not None and publication.media.kind is MediaKind.VIDEO:
        return timedelta(seconds=10 if polls < _QUICK_POLLS else 30)
    return timedelta(seconds=3 if polls < _QUICK_POLLS else 5)


def _live(data: dict[str, Json]) -> Done:
    return Done(remote_id=str(data["media"]), url=str(data["url"]))
