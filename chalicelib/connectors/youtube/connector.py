"""YouTube, step by step: developers.google.com/youtube/v3/guides/uploading_a_video.

session -> chunk … -> last -> processing -> playlist, with `offset` where an upload was cut off. The
request that carries the last byte is what everybody sees; its session answers for it afterwards.
"""

from datetime import datetime, timedelta
from typing import ClassVar

from chalicelib.connectors.connector import (
    ConnectedAccount,
    LivePost,
    Posted,
    Publication,
    RemovalError,
    SeenProfile,
    ask_again,
    take_step,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.hosts import Deployed
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.youtube import staged
from chalicelib.connectors.youtube.account import channels, name_of, sign_in_of, youtube_choices
from chalicelib.connectors.youtube.api import YouTubeApi, YouTubeHosts
from chalicelib.connectors.youtube.errors import ERRORS, error_codes
from chalicelib.connectors.youtube.media import LAST, YouTubeUpload
from chalicelib.connectors.youtube.metrics import metrics
from chalicelib.connectors.youtube.post import precheck
from chalicelib.connectors.youtube.reconciliation import (
    PACE,
    State,
    as_done,
    ask_progress,
    is_patient,
    posts_since,
    privacy_note,
    reconcile,
    state_of,
)
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import Checkpoint, Outcome, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError

NO_COVER = "YouTube chose the cover itself: it did not accept the chosen frame."
NO_COMMENT = "The first comment may be missing: YouTube did not confirm it."
NO_PLAYLIST = "The video may be missing from the playlist: YouTube did not confirm it."


class YouTubeConnector:
    """One channel.

    A step's own step timeout is never reached: uploads end by their tries, processing by its
    patience, and a video that is there must not fail for having taken long.
    """

    platform: ClassVar[Platform] = Platform.YOUTUBE
    irreversible: ClassVar[frozenset[str]] = frozenset({LAST, "playlist", "comment"})
    step_timeout: ClassVar[timedelta] = timedelta(hours=26)
    connects_ahead: ClassVar[bool] = True
    metrics_batch: ClassVar[int] = 50
    # 20 x 288 rounds are 5,760 of the day's 10,000 units. A hundred uploads, the most of a day,
    # take 2,200 to follow if each takes ten minutes; removals and playlists cost 50 each.
    metrics_calls: ClassVar[int] = 20
    stage = staticmethod(staged.stage)

    def __init__(self, hosts: YouTubeHosts | None = None, *, clock: Clock = system_clock) -> None:
        hosts = hosts or YouTubeHosts()
        self._http = PlatformHttp(Platform.YOUTUBE, ERRORS, error_codes, clock=clock)
        self._api = YouTubeApi(self._http, hosts, clock)
        self._upload = YouTubeUpload(self._api)
        self.oauth = sign_in_of(hosts, clock)

    # Signing in.

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the channel that was signed in to."""
        del now
        return channels(self._api, tokens)

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Get another access token; the refresh token stays the same."""
        del account, now
        return self.oauth.refresh(tokens)

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return the channel's playlists and the categories."""
        del query
        return youtube_choices(self._api, account)

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return the channel's subscribers and picture."""
        channel = self._api.channel(account.token or "")
        return SeenProfile.of(
            channel.find("items", 0, "statistics", "subscriberCount"),
            channel.find("items", 0, "snippet", "thumbnails", "default", "url"),
            name_of(channel),
        )

    # Publishing.

    def start(self, publication: Publication) -> Outcome:
        """Refuse what YouTube would refuse after an upload."""
        return precheck(publication) or Wait(Checkpoint("session"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the step that the checkpoint names."""
        steps = {
            "session": self._upload.session,
            "chunk": self._upload.chunk,
            "offset": self._upload.offset,
            LAST: self._upload.last,
            "processing": self._processing,
            "cover": self._cover,
            "playlist": self._playlist,
            "comment": self._comment,
        }
        return take_step(steps, publication, checkpoint)

    def _processing(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Follow the video until YouTube has processed it, for a while."""
        video, since = str(data["video"]), datetime.fromisoformat(str(data["since"]))
        response = ask_progress(self._api, publication, video)
        state = State.UNTOLD if response is None else state_of(response)
        if response is not None and state is State.REFUSED:
            raise self._api.read_error(response)
        if state is State.UNTOLD and is_patient(since, publication.now):
            return ask_again("processing", data, PACE)
        kept: dict[str, Json] = {"video": video, "note": privacy_note(publication, response)}
        still = publication.require_media().poster
        if still is not None and publication.wants_cover:
            return Wait(Checkpoint("cover", kept))
        return self._after_cover(publication, kept)

    def _cover(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Give the video the cover that was cut from it; again is as good as once."""
        still = publication.require_media().poster
        try:
            if still is not None:
                self._api.cover(publication.account, str(data["video"]), still)
        except PlatformError:
            data["note"] = data.get("note") or NO_COVER
        return self._after_cover(publication, data)

    def _after_cover(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        if publication.options.get("playlist"):
            return Wait(Checkpoint("playlist", data))
        return self._after_playlist(publication, data)

    def _playlist(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Put the video into a playlist, once; it is published without one, too."""
        playlist = str(publication.options.get("playlist"))
        try:
            self._api.add(publication.account, playlist, str(data["video"]))
        except PlatformError:
            data["note"] = data.get("note") or NO_PLAYLIST
        return self._after_playlist(publication, data)

    def _after_playlist(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        if publication.options.get("first_comment"):
            return Wait(Checkpoint("comment", data))
        return as_done(self._api, publication, str(data["video"]), data.get("note"))

    def _comment(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Comment once; without it the video is as live as with it."""
        video, text = str(data["video"]), str(publication.options.get("first_comment"))
        try:
            self._api.comment(publication.account, video, text)
        except PlatformError:
            return as_done(self._api, publication, video, data.get("note") or NO_COMMENT)
        return as_done(self._api, publication, video, data.get("note"))

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Ask the session what became of the last bytes, or look at what the channel has."""
        beside = {"playlist": NO_PLAYLIST, "comment": NO_COMMENT}.get(checkpoint.step)
        if beside is not None:
            return as_done(self._api, publication, str(checkpoint.data["video"]), beside)
        return reconcile(self._api, publication, checkpoint, sent)

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return what the channel has been sent since then."""
        return posts_since(self._api, publication, since)

    # What is live.

    def delete(self, live: LivePost) -> None:
        """Delete the video."""
        try:
            self._api.delete(live.account, live.remote_id)
        except RejectedError as error:
            raise RemovalError(error.message) from error

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of videos of one channel."""
        return metrics(self._api, lives)


def make(deployed: Deployed) -> YouTubeConnector:
    """Return the connector of a deployment."""
    return YouTubeConnector(deployed.hosts(YouTubeHosts), clock=deployed.clock)
