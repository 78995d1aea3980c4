"""What YouTube does with a video that it has: developers.google.com/youtube/v3/docs/videos#status.

The video and its page are there from the last byte on, so whatever takes longer than ten minutes,
or cannot be asked, is published all the same. Only a video that YouTube says it does not keep is
not.
"""

import logging
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.transport.failures import PlatformError
from chalicelib.connectors.transport.responses import PlatformResponse
from chalicelib.connectors.youtube.api import YouTubeApi
from chalicelib.connectors.youtube.post import path_of, privacy_of
from chalicelib.domain.outcome import Done, Json

PATIENCE = timedelta(minutes=10)
_POLLS = (timedelta(seconds=5), timedelta(seconds=10), timedelta(seconds=20))
_LATER_POLLS = timedelta(seconds=30)
_REFUSED = frozenset({"failed", "rejected", "deleted"})
_ENDED = frozenset({"succeeded", "terminated"})
"""`terminated` says that there is nothing more to tell, not that it went wrong."""

_LOG = logging.getLogger(__name__)


class State(StrEnum):
    """How far a video is."""

    UNTOLD = "untold"
    READY = "ready"
    REFUSED = "refused"


def state_of(response: PlatformResponse) -> State:
    """Read how far a video is."""
    status = response.find("items", 0, "status", "uploadStatus")
    processing = response.find("items", 0, "processingDetails", "processingStatus")
    if status in _REFUSED or (status == "uploaded" and processing == "failed"):
        return State.REFUSED
    is_ready = status == "processed" or (status == "uploaded" and processing in _ENDED)
    return State.READY if is_ready else State.UNTOLD


def asked(api: YouTubeApi, publication: Publication, video: str) -> PlatformResponse | None:
    """Ask how far a video is; None where there is no answer: it is there without one, too."""
    try:
        return api.video(publication.account, video)
    except PlatformError:
        return None


def poll_delay(polls: int) -> timedelta:
    """Return how long to wait after a number of looks."""
    return _POLLS[polls] if polls < len(_POLLS) else _LATER_POLLS


def is_patient(since: datetime, now: datetime) -> bool:
    """Tell whether a video that was uploaded then may still be waited for."""
    return now - since < PATIENCE


def done(api: YouTubeApi, publication: Publication, video: str, note: Json = None) -> Done:
    """Return a video that is there."""
    url = api.web(path_of(publication.require_media(), video))
    return Done(remote_id=video, url=url, note=note if isinstance(note, str) else None)


def privacy_note(publication: Publication, response: PlatformResponse | None) -> str | None:
    """Return what to tell of a video that YouTube keeps from those who were to see it.

    It does that to applications that it has not audited, and to some channels, so that operators
    are told too.
    """
    kept = None if response is None else response.find("items", 0, "status", "privacyStatus")
    wanted = privacy_of(publication)
    if not isinstance(kept, str) or kept == wanted:
        return None
    facts = {"action": "platform.setup", "target_id": publication.target_id}
    _LOG.warning("YouTube keeps a video %s that was to be %s.", kept, wanted, extra=facts)
    return f"YouTube keeps the video {kept}, though it was to be {wanted}."
