"""Threads, step by step: developers.facebook.com/docs/threads/posts.

A container is made and watched and published (`shared/meta/containers.py`); Threads
fetches its file. There is no way to send one.
"""

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
    RemovalError,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.meta.containers import (
    ContainerSettings,
    ContainerSteps,
    as_done,
)
from chalicelib.connectors.shared.meta.graph import Graph, GraphRejectedError
from chalicelib.connectors.shared.meta.reconciliation import NAMELESS
from chalicelib.connectors.shared.prechecks import refuse, refuse_unreachable_media
from chalicelib.connectors.threads import staged
from chalicelib.connectors.threads.account import GRANTS, ThreadsHosts, identity, threads_oauth
from chalicelib.connectors.threads.api import ThreadsApi
from chalicelib.connectors.threads.comment import PUBLISH, FirstComment, comment_on
from chalicelib.connectors.threads.errors import ACTION_BLOCKED, ERRORS, NOT_READY, error_codes
from chalicelib.connectors.threads.metrics import metrics
from chalicelib.connectors.threads.post import MOST_LINKS, container_fields, links_of
from chalicelib.connectors.threads.reconciliation import container_reconciliation, posts_since
from chalicelib.connectors.threads.refusals import ThreadsRefusal
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import Checkpoint, FailureCode, Outcome, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.responses import count

_PHOTOS = FACTS[Platform.THREADS].require_photos()
LARGEST_PHOTO, LARGEST_VIDEO = _PHOTOS.most_bytes, 1_000_000_000
_FETCHED_WITHIN = timedelta(hours=24)
"""Meta may come for a file as long as its container holds."""

_NAMELESS = "Threads never returned the post's id. Delete it in the Threads app."


def _pace(publication: Publication) -> Pace:
    media = publication.media
    return (2, 3) if media is None or media.kind is MediaKind.IMAGE else (5,) * 12 + (15,)


_HABITS = ContainerSettings(
    blocked=ACTION_BLOCKED,
    not_ready=NOT_READY,
    posts_a_day=None,
    quota_wait=timedelta(minutes=30),
    pace=_pace,
)


class ThreadsConnector:
    """One person's Threads profile."""

    platform: ClassVar[Platform] = Platform.THREADS
    irreversible: ClassVar[frozenset[str]] = frozenset({"publish", PUBLISH})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=10)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 500
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: ThreadsHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or ThreadsHosts()
        self._http = PlatformHttp(Platform.THREADS, ERRORS, error_codes, clock=clock)
        self._graph = Graph(self._http, clock=clock)
        self._api = ThreadsApi(self._graph, hosts)
        self._look = container_reconciliation(self._api)
        self._containers = ContainerSteps(self._api, _HABITS, self._look)
        self._host = hosts.threads
        self.oauth = threads_oauth(hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the profile that signed in."""
        return [identity(self._graph, self._host, tokens, now)]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Give the token 60 more days."""
        del account
        return self._graph.prolong(self._host, GRANTS, tokens, now)

    # What can be chosen.

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return places to tag, found by words."""
        return self._api.places(account, query)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return the picture; followers are told of profiles with an Instagram account alone."""
        fields = "username,threads_profile_picture_url"
        me = self._api.get(account, account.remote_id or "", fields)
        return SeenProfile.of(None, me.find("threads_profile_picture_url"), me.find("username"))

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse a text with too many links, and a file that it does not take or cannot fetch."""
        links = links_of(publication)
        if len(links) > MOST_LINKS:
            return ThreadsRefusal.LINKS.end(most=MOST_LINKS, found=len(links))
        media = publication.media
        if media is not None:
            is_video = media.kind is MediaKind.VIDEO
            if media.size_bytes > (LARGEST_VIDEO if is_video else LARGEST_PHOTO):
                return refuse(Platform.THREADS, FailureCode.MEDIA_TOO_LARGE)
            if not is_video and media.mime not in _PHOTOS.formats:
                return refuse(Platform.THREADS, FailureCode.MEDIA_REJECTED)
            if _address(media) is None:
                return refuse_unreachable_media(Platform.THREADS)
        return Wait(Checkpoint("container"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "container": self._container,
            "processing": self._containers.processing,
            "quota": self._containers.quota,
            "publish": self._containers.publish,
            "permalink": self._containers.permalink,
            "live": self._live,
            **FirstComment(self._api).steps,
        }
        return take_step(steps, publication, checkpoint)

    def _container(self, publication: Publication, data: Data) -> Outcome:
        """Have the file fetched."""
        media = publication.media
        address = None if media is None else _address(media)
        if media is not None and address is None:
            return refuse_unreachable_media(Platform.THREADS)
        try:
            fields = container_fields(publication, address)
            container = self._api.create(publication.account, fields)
        except GraphRejectedError as error:
            return self._containers.not_made(error, data)
        made = count(data, "containers") + 1
        return self._containers.watch(publication, {"container": container, "containers": made})

    def _live(self, publication: Publication, data: Data) -> Outcome:
        """Go on to the first comment, if there is one."""
        comments = publication.options.get("first_comment")
        return comment_on(data) if comments else as_done(data)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask the container and the profile whether it was published."""
        return self._look.reconcile(publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the profile has since then."""
        return posts_since(self._api, publication, since)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post."""
        if live.remote_id.startswith(NAMELESS):
            raise RemovalError(_NAMELESS)
        self._api.delete(live.account, live.remote_id)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of each post; close to its quota a profile is left alone."""
        for live in lives:
            self._graph.spare(live.account.remote_id)
        return [metrics(self._api, live) for live in lives]


def _address(media: MediaFile) -> str | None:
    return media.source.public_url(_FETCHED_WITHIN)


def make(deployed: Deployed) -> ThreadsConnector:
    """Return the connector of a deployment."""
    return ThreadsConnector(deployed.hosts(ThreadsHosts), clock=deployed.clock)
