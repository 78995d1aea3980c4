"""Instagram, step by step: developers.facebook.com/docs/instagram-platform/content-publishing.

A container is made and watched and published (`shared/meta/containers.py`); Instagram
fetches its file, but an account that signed in by Facebook is sent a reel's file itself.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    LivePost,
    MediaFile,
    Pace,
    Posted,
    Publication,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.instagram import staged
from chalicelib.connectors.instagram.account import (
    BY_FACEBOOK,
    BY_INSTAGRAM,
    ByFacebook,
    ByInstagram,
    InstagramHosts,
    is_by_facebook,
)
from chalicelib.connectors.instagram.api import InstagramApi, upload_path
from chalicelib.connectors.instagram.errors import (
    ACTION_BLOCKED,
    ERRORS,
    NOT_READY,
    WAITS,
    error_codes,
)
from chalicelib.connectors.instagram.metrics import metrics
from chalicelib.connectors.instagram.post import (
    container_fields,
    cover_address,
    crowded_caption,
    is_story,
    largest_bytes,
    source_of,
    unfit_option,
)
from chalicelib.connectors.instagram.reconciliation import container_reconciliation, posts_since
from chalicelib.connectors.shared.auth.sign_in import SignInMethod
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.meta.containers import (
    ContainerSettings,
    ContainerSteps,
    as_done,
)
from chalicelib.connectors.shared.meta.graph import NO_COMMENT, Graph, GraphRejectedError
from chalicelib.connectors.shared.prechecks import (
    refuse,
    refuse_unreachable_media,
    unfit_video,
)
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
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
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import count

_STILL_OPEN = "Comments may still be open: Instagram did not confirm that it closed them."


def _pace(publication: Publication) -> Pace:
    is_video = publication.require_media().kind is MediaKind.VIDEO
    return (10,) * 6 + (30,) if is_video else (3,) * 6 + (5,)


_HABITS = ContainerSettings(
    blocked=ACTION_BLOCKED,
    not_ready=NOT_READY,
    posts_a_day=50,
    quota_wait=timedelta(minutes=60),
    pace=_pace,
)


class InstagramConnector:
    """One professional account."""

    platform: ClassVar[Platform] = Platform.INSTAGRAM
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish", "comment"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=15)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 300
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: InstagramHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or InstagramHosts()
        self._http = PlatformHttp(Platform.INSTAGRAM, ERRORS, error_codes, clock=clock)
        self._graph = Graph(self._http, WAITS, clock=clock)
        self._api = InstagramApi(self._graph, hosts)
        self._look = container_reconciliation(self._api)
        self._containers = ContainerSteps(self._api, _HABITS, self._look)
        self._by_instagram = ByInstagram(self._graph, hosts, clock)
        self._by_facebook = ByFacebook(self._graph, hosts, clock)
        own, behind_page = self._by_instagram, self._by_facebook
        self.methods: Mapping[str, SignInMethod] = {
            BY_INSTAGRAM: SignInMethod(own.oauth, own.identities, "with Instagram"),
            BY_FACEBOOK: SignInMethod(
                behind_page.oauth, behind_page.identities, "with Facebook, for places and partners"
            ),
        }

    # Signing in.

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Give the token 60 more days, or get the Page's anew."""
        if is_by_facebook(account):
            return self._by_facebook.renew_tokens(tokens)
        return self._by_instagram.renew_tokens(tokens, now)

    # What can be chosen.

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return places to tag, found by words."""
        return self._api.places(account, query)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return followers and picture."""
        fields = "username,followers_count,profile_picture_url"
        me = self._api.get(account, account.remote_id or "", fields)
        return SeenProfile.of(
            me.find("followers_count"), me.find("profile_picture_url"), me.find("username")
        )

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Instagram does not take or cannot fetch."""
        media = publication.media
        if media is None:
            return refuse(Platform.INSTAGRAM, FailureCode.MEDIA_REJECTED)
        never_taken = _unfit_file(publication, media)
        if never_taken is not None:
            return never_taken
        unfit = unfit_option(publication) or crowded_caption(publication)
        if unfit is not None:
            return unfit
        lacks_cover = publication.own_cover is not None and not is_story(publication)
        if source_of(publication) is None or (lacks_cover and cover_address(publication) is None):
            return refuse_unreachable_media(Platform.INSTAGRAM)
        return Wait(Checkpoint("container"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "container": self._container,
            "upload": self._upload,
            "processing": self._containers.processing,
            "quota": self._containers.quota,
            "publish": self._containers.publish,
            "permalink": self._containers.permalink,
            "live": self._live,
            "comment": self._comment,
        }
        return take_step(steps, publication, checkpoint)

    def _container(self, publication: Publication, data: Data) -> Outcome:
        """Have the file fetched, or learn where to send it."""
        source, account = source_of(publication), publication.account
        if source is None:
            return refuse_unreachable_media(Platform.INSTAGRAM)
        fields = container_fields(publication, source, has_places=is_by_facebook(account))
        try:
            response = self._api.create(account, fields)
        except GraphRejectedError as error:
            return self._containers.not_made(error, data)
        made: Data = {"container": response.text("id"), "containers": count(data, "containers") + 1}
        if "upload_type" in source:
            return Wait(Checkpoint("upload", {**made, "path": upload_path(response)}))
        return self._containers.watch(publication, made)

    def _upload(self, publication: Publication, data: Data) -> Outcome:
        """Send the file; what was cut off goes into a new container, which nobody sees either."""
        media = publication.media
        if media is not None and self._api.upload(publication.account, str(data["path"]), media):
            return self._containers.watch(publication, data)
        return self._containers.another(data)

    def _live(self, publication: Publication, data: Data) -> Outcome:
        """Go on to the first comment, if there is one."""
        comments = publication.options.get("first_comment") and not is_story(publication)
        return (
            Wait(Checkpoint("comment", data))
            if comments
            else self._close_comments(publication, data)
        )

    def _comment(self, publication: Publication, data: Data) -> Done:
        """Comment once; without it the post is as live as with it."""
        text = str(publication.options.get("first_comment"))
        try:
            self._api.comment(publication.account, str(data["media"]), text)
        except PlatformError:
            return as_done(data, NO_COMMENT)
        return self._close_comments(publication, data)

    def _close_comments(self, publication: Publication, data: Data) -> Done:
        """Close the comments if nobody is to comment; the post is live either way."""
        if publication.options.get("disable_comments") is not True or is_story(publication):
            return as_done(data)
        try:
            self._api.close_comments(publication.account, str(data["media"]))
        except PlatformError:
            return as_done(data, _STILL_OPEN)
        return as_done(data)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask the container and the account's list whether it was published."""
        return self._look.reconcile(publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the account's lists of posts and stories have since then."""
        return posts_since(self._api, publication, since)

    # What is live.

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of each post; close to its quota an account is left alone."""
        for account in (live.account for live in lives):
            self._graph.spare(account.remote_id, account.extra.get("page_id"))
        return [metrics(self._api, live) for live in lives]


def make(deployed: Deployed) -> InstagramConnector:
    """Return the connector of a deployment."""
    return InstagramConnector(deployed.hosts(InstagramHosts), clock=deployed.clock)


def _unfit_file(publication: Publication, media: MediaFile) -> Failed | None:
    if media.size_bytes > largest_bytes(publication, media):
        return refuse(Platform.INSTAGRAM, FailureCode.MEDIA_TOO_LARGE)
    if media.kind is MediaKind.IMAGE and media.mime != "image/jpeg":
        return refuse(Platform.INSTAGRAM, FailureCode.MEDIA_REJECTED)
    return unfit_video(Platform.INSTAGRAM, media)
