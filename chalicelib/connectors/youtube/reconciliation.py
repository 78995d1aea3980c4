"""What became of a video whose last bytes were not answered.

The session is asked first, and its answer is exact: the video, or how many bytes are missing. When
it is gone, the channel's uploads are looked through for the title. They lag a little: what is not
there after two minutes is absent only beside a newer upload, and unknown else.

developers.google.com/youtube/v3/docs/videos#status tells what YouTube does with a video. It and its
page are there from the last byte on, so whatever takes longer than ten minutes, or cannot be asked,
is published all the same. Only a video that YouTube says it does not keep is not.
"""

import logging
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.connectors.connector import ConnectedAccount, Posted, Publication, ask_again
from chalicelib.connectors.shared.reconciliation import (
    RESTORED,
    SOON,
    earliest,
    first_sent,
    is_same_text,
    is_witness,
    newest_posted,
    tells_by_text,
)
from chalicelib.connectors.youtube.api import COMPLETE, SESSION_OVER, YouTubeApi
from chalicelib.connectors.youtube.media import OVER, arrived_bytes, progress
from chalicelib.connectors.youtube.post import path_of, privacy_of, title_of
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Sent, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse, find, identifier_in, moment

PATIENCE = timedelta(minutes=10)
PACE = (5, 10, 20, 30)
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
    status = str(response.find("items", 0, "status", "uploadStatus"))
    processing = str(response.find("items", 0, "processingDetails", "processingStatus"))
    if status in _REFUSED or (status == "uploaded" and processing == "failed"):
        return State.REFUSED
    is_ready = status == "processed" or (status == "uploaded" and processing in _ENDED)
    return State.READY if is_ready else State.UNTOLD


def ask_progress(api: YouTubeApi, publication: Publication, video: str) -> PlatformResponse | None:
    """Ask how far a video is; None where there is no answer: it is there without one, too."""
    try:
        return api.video(publication.account, video)
    except PlatformError:
        return None


def is_patient(since: datetime, now: datetime) -> bool:
    """Tell whether a video that was uploaded then may still be waited for."""
    return now - since < PATIENCE


def as_done(api: YouTubeApi, publication: Publication, video: str, note: Json = None) -> Done:
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
    return f"YouTube made the video {kept}, although {wanted} was asked for."


LIST_LAG, LONGEST_LAG = timedelta(minutes=2), timedelta(minutes=30)
_LOOK_EVERY = timedelta(seconds=10)
_CLOCKS_DIFFER = timedelta(seconds=10)
_PAGE = 50
_DOUBTED = "doubted"
"""Marks last bytes whose answer was missing: they may have made the video all the same."""


def reconcile(
    api: YouTubeApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Find out what became of the last bytes."""
    data = checkpoint.data
    if "refused" in data:
        return decide(Evidence(made_nothing=True), publication.now)
    if "video" in data:
        return _follow(api, publication, checkpoint, sent)
    if "session" in data and OVER not in data:
        return _ask(api, publication, checkpoint)
    return _search(api, publication, checkpoint, sent)


def _ask(api: YouTubeApi, publication: Publication, checkpoint: Checkpoint) -> Reconciliation:
    """Ask the session, which cannot be wrong.

    It makes one video of the bytes, however often they come: once it is known how many it has, the
    others can be sent again at once.
    """
    data, step = dict(checkpoint.data), checkpoint.step
    response = api.ask(publication, str(data["session"]))
    if response.status in COMPLETE:
        return Wait(Checkpoint(step, {**data, "video": response.identifier("id")}))
    if response.status in SESSION_OVER:
        return Wait(Checkpoint(step, {**data, OVER: False}))
    known = progress(publication, data, response)
    going_on = Checkpoint(step, {**known, _DOUBTED: True})
    if arrived_bytes(response) == publication.require_media().size_bytes:
        return Wait(going_on, _LOOK_EVERY)
    if going_on != checkpoint:
        return Wait(going_on, SOON)
    return decide(Evidence(is_idempotent=True), publication.now)


def _follow(
    api: YouTubeApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Follow a video that is there until YouTube has processed it, or refuses to keep it."""
    data, video = dict(checkpoint.data), str(checkpoint.data["video"])
    response = ask_progress(api, publication, video)
    state = State.UNTOLD if response is None else state_of(response)
    if state is State.REFUSED:
        # Nobody sees it: the step that follows a look tells what YouTube had against it.
        return Wait(Checkpoint(checkpoint.step, {**data, "refused": True}))
    if state is State.UNTOLD and is_patient(sent.at, publication.now):
        return ask_again(checkpoint.step, data, PACE)
    return as_done(api, publication, video, privacy_note(publication, response))


def _search(
    api: YouTubeApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Look through the channel's newest uploads."""
    account, data = publication.account, dict(checkpoint.data)
    uploads = api.newest_of_playlist(account, _uploads(account)).require_list("items")
    since = first_sent(data, sent.at) - _CLOCKS_DIFFER
    title = str(data.get("title") or title_of(publication, sent.text))
    # Else it has the name of its file, as somebody else's upload of it may.
    is_telling = tells_by_text(sent) or bool(publication.options.get("title"))
    newer = [item for item in uploads if _is_newer(item, since)]
    same = [item for item in newer if is_same_text(find(item, "snippet", "title"), title)]
    ours = same if is_telling else []
    if len(ours) == 1 or (ours and sent.is_suspicion):
        first = earliest(ours, _made_at)
        return as_done(api, publication, identifier_in(first, "contentDetails", "videoId"))
    shown = map(_made_at, uploads)
    is_restored = checkpoint.step == RESTORED
    evidence = Evidence(
        next_look=Wait(checkpoint, _LOOK_EVERY),
        certain_from=sent.at + (LONGEST_LAG if is_restored else LIST_LAG),
        gives_up_at=sent.at + LIST_LAG,
        untellable=bool(ours) or len(newer) == _PAGE,
        # A session that ended at its first last bytes made nothing; of another the list tells.
        made_nothing=data.get(OVER) is True and _DOUBTED not in data,
        witness=any(is_witness(at, sent) for at in shown),
        is_restored=is_restored,
    )
    return decide(evidence, publication.now)


def posts_since(api: YouTubeApi, publication: Publication, since: datetime) -> list[Posted] | None:
    """Return the channel's uploads since then, private ones too; None if one page is too small."""
    account = publication.account
    uploads = api.newest_of_playlist(account, _uploads(account)).require_list("items")
    posts = [
        Posted(
            live=as_done(api, publication, identifier_in(item, "contentDetails", "videoId")),
            made=_made_at(item),
        )
        for item in uploads
    ]
    return newest_posted(posts, _PAGE, since)


def _uploads(account: ConnectedAccount) -> str:
    """Return the playlist of the channel's uploads."""
    return str(account.settings["uploads"])


def _made_at(item: Json) -> datetime | None:
    return moment(find(item, "snippet", "publishedAt"))


def _is_newer(item: Json, since: datetime) -> bool:
    made = _made_at(item)
    return made is not None and made >= since
