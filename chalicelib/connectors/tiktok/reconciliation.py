"""What became of a call whose answer is lost: developers.tiktok.com/doc/tiktok-api-v2-video-list.

A video's id is known before its last chunk is sent, so its own status decides. A photo's id comes
with the answer: if that is lost, only the list of public posts can show it, and that it does not
proves nothing, because photos may be missing there.
"""

from datetime import timedelta

from chalicelib.connectors.connector import Publication, wait_at
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.reconciliation import certain_from, tells_by_text
from chalicelib.connectors.tiktok.api import NEWEST, TikTokApi
from chalicelib.connectors.tiktok.media import LAST_CHUNK
from chalicelib.connectors.tiktok.post import is_draft, is_public
from chalicelib.connectors.tiktok.processing import (
    PACE,
    Stage,
    as_draft,
    as_named,
    find_listed,
    once_named,
    progress_of,
)
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Checkpoint, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import count

LISTED_WITHIN = timedelta(hours=6)
"""Moderation holds a public post back for a minute as a rule, for hours at times."""

_PHOTO_LOOKS = timedelta(minutes=15)
_LOOK_EVERY = timedelta(seconds=60)
_UNTELLABLE = Evidence(untellable=True)
_BEFORE_AN_UPLOAD = frozenset({"creator", "init"})


def reconcile(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    sent: Sent,
    call_lasts: timedelta,
) -> Reconciliation:
    """Find out what became of it. `call_lasts` is how long the call can have gone on."""
    publish_id = _upload_of(checkpoint)
    if publish_id is None:
        return _by_list(api, publication, checkpoint, sent)
    progress = progress_of(api.status(publication.account, publish_id))
    if progress.stage is Stage.COMPLETE:
        # What was only suspected to have been sent is looked for once, so that nobody waits.
        name = as_named if sent.is_suspicion else once_named
        return name(api, publication, checkpoint, publish_id, progress.post_ids)
    if progress.stage is Stage.IN_INBOX:
        is_done = is_draft(publication)
        untellable = decide(_UNTELLABLE, publication.now)
        return as_draft(api, publication, checkpoint, publish_id) if is_done else untellable
    has_failed = progress.stage is Stage.FAILED
    if not has_failed and not progress.lacks_bytes(publication.require_media().size_bytes):
        return _later(checkpoint)
    if has_failed and checkpoint.step == LAST_CHUNK and "failed" not in checkpoint.data:
        # The chunk must not be sent to this upload again: the mark tells its step so.
        return Wait(Checkpoint(LAST_CHUNK, {**checkpoint.data, "failed": True}))
    certain = certain_from(Platform.TIKTOK, sent, call_lasts=call_lasts)
    evidence = Evidence(
        made_nothing=True,
        certain_from=None if has_failed else certain,
        next_look=_later(checkpoint, certain - publication.now),
    )
    finding = decide(evidence, publication.now)
    is_early = isinstance(finding, Wait)
    found = None if is_early else _of_a_later_upload(api, publication, checkpoint, sent)
    return found or finding


def _of_a_later_upload(
    api: TikTokApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation | None:
    """Look for a later upload: after a restore there may be one that the backup does not know."""
    if not is_public(publication) or not tells_by_text(sent):
        return None
    try:
        videos = api.videos(publication.account)
    except RejectedError as error:
        if error.is_bare:
            raise
        return None
    return find_listed(api, publication, checkpoint, videos, sent.at)


def _upload_of(checkpoint: Checkpoint) -> str | None:
    """Return the upload that the doubt is about.

    Before an upload is opened, that is the one that was given up; a photo's own is not known.
    """
    data = checkpoint.data
    before = data.get("given_up") if checkpoint.step in _BEFORE_AN_UPLOAD else None
    publish_id = data.get("publish_id", before)
    return None if publish_id is None else str(publish_id)


def _later(checkpoint: Checkpoint, most: timedelta = _LOOK_EVERY) -> Wait:
    """Look again at the pace of a status."""
    polls = count(dict(checkpoint.data), "polls")
    data: dict[str, Json] = {**checkpoint.data, "polls": polls + 1}
    return Wait(Checkpoint(checkpoint.step, data), min(wait_at(PACE, polls), most))


def _by_list(
    api: TikTokApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Look for a post without knowing its id.

    Of a video's upload only a restored backup does not know the id.
    """
    if is_draft(publication) or not is_public(publication):  # no list shows an inbox
        return decide(_UNTELLABLE, publication.now)
    try:
        videos = api.videos(publication.account)
    except RejectedError as error:
        if error.is_bare:
            raise
        # The person does not let us look.
        return decide(_UNTELLABLE, publication.now)
    is_telling = tells_by_text(sent)
    found = find_listed(api, publication, checkpoint, videos, sent.at) if is_telling else None
    if found is not None:
        return found
    is_video = publication.require_media().kind is MediaKind.VIDEO
    shown_by = sent.at + (LISTED_WITHIN if is_video else _PHOTO_LOOKS)
    evidence = Evidence(
        next_look=Wait(checkpoint, _LOOK_EVERY),
        certain_from=shown_by,
        gives_up_at=shown_by,
        is_restored=is_video,
        is_cut=not _reaches_back(videos, sent),
    )
    return decide(evidence, publication.now)


def _reaches_back(videos: list[Json], sent: Sent) -> bool:
    """Tell whether the newest posts are all that there were since then."""
    oldest = min((count(video, "create_time") for video in videos), default=0)
    return len(videos) < NEWEST or oldest < sent.at.timestamp()
