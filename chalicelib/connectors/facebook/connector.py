"""Facebook Pages, step by step: developers.facebook.com/docs/pages-api/posts, …/video-api/guides.

Photos are uploaded unpublished and videos unfinished; the one call that makes a post of them is
what everybody sees. Personal profiles and groups cannot be posted to.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    LivePost,
    Posted,
    Publication,
    SeenProfile,
    take_step,
)
from chalicelib.connectors.facebook import staged
from chalicelib.connectors.facebook.api import FacebookApi, FacebookHosts
from chalicelib.connectors.facebook.errors import ERRORS, WAITS, error_codes
from chalicelib.connectors.facebook.media import FacebookVideos
from chalicelib.connectors.facebook.metrics import metrics
from chalicelib.connectors.facebook.post import (
    Route,
    feed_fields,
    omitted_options,
    photo_fields,
    route_of,
    unfit_option,
)
from chalicelib.connectors.facebook.reconciliation import posts_since, reconcile
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.meta.graph import NO_COMMENT, Graph, GraphRejectedError
from chalicelib.connectors.shared.meta.login import FacebookLogin, FacebookLoginHosts
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import (
    Checkpoint,
    Done,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unanswered,
    Wait,
)
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import count, find

LARGEST_PHOTO = 10_000_000
PHOTOS = FACTS[Platform.FACEBOOK].require_photos().formats
_NEEDED = ("pages_show_list", "pages_read_engagement", "pages_manage_posts")
_SCOPES = (
    *_NEEDED,
    *("pages_manage_engagement", "publish_video", "read_insights", "business_management"),
)
_PAGE_FIELDS = "id,name,username,access_token,tasks"
NO_COVER = "Facebook chose the cover itself: it did not accept the chosen frame."
_LINK_WAIT = timedelta(seconds=10)
_MOST_TRIES = 3


class FacebookConnector:
    """One Page."""

    platform: ClassVar[Platform] = Platform.FACEBOOK
    irreversible: ClassVar[frozenset[str]] = frozenset({"show", "finish", "comment"})
    # Processing takes 10 minutes at most, a long video in chunks may be on its way for longer.
    step_timeout: ClassVar[timedelta] = timedelta(minutes=30)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 1
    metrics_calls: ClassVar[int] = 200
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: FacebookHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or FacebookHosts()
        self._http = PlatformHttp(Platform.FACEBOOK, ERRORS, error_codes, clock=clock)
        self._graph = Graph(self._http, WAITS, clock=clock)
        self._api = FacebookApi(self._graph, hosts)
        self._videos = FacebookVideos(self._api)
        places = FacebookLoginHosts(
            api=hosts.facebook, login=hosts.facebook_login, version=hosts.graph_version
        )
        self._login = FacebookLogin(self._graph, places, Platform.FACEBOOK, _SCOPES, _NEEDED, clock)
        self.oauth = self._login.oauth

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the person's Pages, those that cannot be posted to with the reason."""
        return [
            Identity(
                remote_identity=str(page.fields["id"]),
                handle=str(_name_of(page.fields)),
                tokens=page.tokens,
                barred=page.barred,
            )
            for page in self._login.pages(tokens, now, _PAGE_FIELDS)
        ]

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Get the Page's token anew from the person's."""
        del now
        return self._login.page_tokens(tokens, account.remote_id or "")

    # What can be chosen.

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return places to tag, found by words."""
        return self._api.places(account, query)

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what Facebook does not take; choose the first step."""
        media, unfit = publication.media, unfit_option(publication)
        if unfit is not None:
            return unfit
        if media is None:
            return Wait(Checkpoint("show"))
        if media.kind is MediaKind.VIDEO:
            return Wait(Checkpoint("open"))
        if media.size_bytes > LARGEST_PHOTO:
            return refuse(Platform.FACEBOOK, FailureCode.MEDIA_TOO_LARGE)
        if media.mime not in PHOTOS:
            return refuse(Platform.FACEBOOK, FailureCode.MEDIA_REJECTED)
        return Wait(Checkpoint("photo"))

    def omitted_options(self, publication: Publication) -> Mapping[str, str]:
        """Return the options that this kind of video goes out without."""
        return omitted_options(publication)

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "photo": self._photo,
            "show": self._show,
            "permalink": self._permalink,
            "open": self._videos.open,
            "chunk": self._videos.chunk,
            "send": self._videos.send,
            "offset": self._videos.offset,
            "finish": self._videos.finish,
            "processing": self._videos.processing,
            "live": self._live,
            "comment": self._comment,
        }
        return take_step(steps, publication, checkpoint)

    def _photo(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Upload the photo where nobody sees it."""
        del data
        fields = photo_fields(publication)
        photo = self._api.photo(publication.account, publication.require_media(), fields)
        return Wait(Checkpoint("show", {"photo": photo}))

    def _show(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Post the text, the link or the photo."""
        try:
            post = self._address_of_photo(publication, data.get("photo"))
        except GraphRejectedError as error:
            if error.code is FailureCode.DUPLICATE_CONTENT and "since" in data:
                # The same as what? Perhaps as ours, whose answer was lost before: look again.
                return Unanswered(Checkpoint("show", data))
            raise
        return Wait(Checkpoint("permalink", {"remote": post, "about": post}))

    def _address_of_photo(self, publication: Publication, photo: Json) -> str:
        account = publication.account
        if route_of(publication) is Route.PHOTO_STORY:
            response = self._api.show(account, Route.PHOTO_STORY, {"photo_id": photo})
            return response.identifier("post_id")
        response = self._api.show(account, Route.FEED, feed_fields(publication, photo))
        return response.identifier("id")

    def _permalink(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask for the link of a post that is live, whatever comes of it."""
        link = None
        try:
            response = self._api.read(publication.account, str(data["remote"]), "permalink_url")
            link = response.find("permalink_url")
        except PlatformError:
            tries = count(data, "tries") + 1
            if tries < _MOST_TRIES:
                return Wait(Checkpoint("permalink", {**data, "tries": tries}), _LINK_WAIT)
        page = publication.account.remote_id
        data["url"] = self._api.web(link if isinstance(link, str) else f"/{page}")
        return Wait(Checkpoint("live", data))

    def _live(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Do what belongs to a post that is live; it stays live without it."""
        other = publication.options.get("collaborator_page_id")
        route = route_of(publication)
        if route in (Route.REEL, Route.VIDEO) and not self._has_cover(publication, data):
            data["note"] = NO_COVER
        if route is Route.REEL and isinstance(other, str) and other:
            self._invite(publication.account, str(data["remote"]), other)
        if publication.options.get("first_comment") and not route.is_story:
            return Wait(Checkpoint("comment", data))
        return _as_done(data, data.get("note"))

    def _has_cover(self, publication: Publication, data: dict[str, Json]) -> bool:
        """Give the video its cover if one was asked for; tell whether it has what it should."""
        still = publication.require_media().poster
        if not publication.wants_cover or still is None:
            return not publication.wants_cover
        try:
            self._api.cover(publication.account, str(data["remote"]), still)
        except PlatformError:
            return False
        return True

    def _invite(self, account: ConnectedAccount, video: str, page: str) -> None:
        try:
            self._api.invite(account, video, page)
        except PlatformError:
            return

    def _comment(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Comment once."""
        text = str(publication.options.get("first_comment"))
        try:
            self._api.comment(publication.account, str(data["about"]), text)
        except PlatformError:
            return _as_done(data, NO_COMMENT)
        return _as_done(data, data.get("note"))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask the video, or look at what the Page shows."""
        return reconcile(self._api, publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the Page's lists have since then."""
        return posts_since(self._api, publication, since)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return the Page's followers and picture."""
        fields = "username,name,followers_count,picture{url}"
        page = self._api.read(account, account.remote_id or "", fields)
        return SeenProfile.of(
            page.find("followers_count"),
            page.find("picture", "data", "url"),
            _name_of(page.json()),
        )

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the post or the video."""
        self._api.delete(live.account, live.remote_id)

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of each post; close to its quota a Page is left alone."""
        for live in lives:
            self._graph.spare(live.account.remote_id)
        return [metrics(self._api, live) for live in lives]


def _name_of(page: Json) -> Json:
    return find(page, "username") or find(page, "name")


def _as_done(data: dict[str, Json], note: Json) -> Done:
    told = note if isinstance(note, str) else None
    return Done(remote_id=str(data["remote"]), url=str(data["url"]), note=told)


def make(deployed: Deployed) -> FacebookConnector:
    """Return the connector of a deployment."""
    return FacebookConnector(deployed.hosts(FacebookHosts), clock=deployed.clock)
