"""From a file that TikTok has to a post that is live, as we name it, or a reason why not.

developers.tiktok.com/doc/content-posting-api-reference-get-video-status. That a status cannot be
read is never a reason to fail, and none to send anything again. Posts that not everybody can see
have no id (`publicly_available_post_id`) and no link of their own, and public ones get theirs late:
those stand under the profile until `metrics.py` finds the id.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.connectors.connector import Publication, wait_at
from chalicelib.connectors.shared.calls.failures import (
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
    complete_entry,
    failure_of,
    find_entry,
)
from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.connectors.shared.reconciliation import normalize_text
from chalicelib.connectors.tiktok.api import TikTokApi
from chalicelib.connectors.tiktok.errors import ERRORS, WAITS, error_codes
from chalicelib.connectors.tiktok.post import is_draft, is_public
from chalicelib.connectors.tiktok.refusals import TikTokRefusal
from chalicelib.domain.outcome import Checkpoint, Done, FailureCode, Outcome, Wait
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse, count, find, identifier_in

_MOST_LOOKS, _LOOK_AGAIN = 12, timedelta(seconds=5)
_CLOCKS_DIFFER = timedelta(minutes=1)
DRAFTED = (
    "It is in the creator's inbox in the TikTok app, ready to be finished and published there."
)
_CUT_AT = 100
"""TikTok's list cuts captions at 150, and counts in it knows what: so much surely stands there."""


def as_done(api: TikTokApi, publication: Publication, checkpoint: Checkpoint, post_id: str) -> Done:
    """Return a post under its own id."""
    kind = "video" if publication.require_media().kind is MediaKind.VIDEO else "photo"
    return Done(remote_id=post_id, url=f"{_profile(api, publication, checkpoint)}/{kind}/{post_id}")


def as_draft(
    api: TikTokApi, publication: Publication, checkpoint: Checkpoint, publish_id: str
) -> Done:
    """Return a draft that waits in the creator's inbox: more than that we cannot do."""
    url = _profile(api, publication, checkpoint)
    return Done(remote_id=publish_id, url=url, note=DRAFTED)


def once_named(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    publish_id: str,
    post_ids: tuple[str, ...],
) -> Done | Wait:
    """Return a complete post; a public one gets a minute for its id."""
    looks = count(dict(checkpoint.data), "looks")
    if not post_ids and is_public(publication) and looks < _MOST_LOOKS:
        data: dict[str, Json] = {**checkpoint.data, "looks": looks + 1}
        return Wait(Checkpoint(checkpoint.step, data), _LOOK_AGAIN)
    return as_named(api, publication, checkpoint, publish_id, post_ids)


def as_named(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    publish_id: str,
    post_ids: tuple[str, ...],
) -> Done:
    """Return a complete post under the best name that it has by now."""
    if post_ids:
        return as_done(api, publication, checkpoint, post_ids[0])
    found = _listed_quietly(api, publication, checkpoint)
    if found is not None:
        return found
    return Done(remote_id=publish_id, url=_profile(api, publication, checkpoint))


def find_listed(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    videos: list[Json],
    since: datetime,
) -> Done | None:
    """Return the first of the newest public posts that has this text and came since then."""
    earliest = (since - _CLOCKS_DIFFER).timestamp()
    ours = [
        video
        for video in videos
        if count(video, "create_time") >= earliest
        and _is_cut_of(find(video, "video_description"), publication.text)
    ]
    if not ours:
        return None
    first = min(ours, key=lambda video: count(video, "create_time"))
    found = as_done(api, publication, checkpoint, identifier_in(first, "id"))
    link = find(first, "share_url")
    if not isinstance(link, str) or not link.startswith("https://"):
        return found
    # What follows is where the link was shared from, our application's key among it.
    return Done(remote_id=found.remote_id, url=link.partition("?")[0])


def _listed_quietly(
    api: TikTokApi, publication: Publication, checkpoint: Checkpoint
) -> Done | None:
    """Look through the list for a post that is live in any case."""
    since = checkpoint.data.get("checked_at")
    if not is_public(publication) or not isinstance(since, str):
        return None
    try:
        videos = api.videos(publication.account)
    except PlatformError:
        return None
    return find_listed(api, publication, checkpoint, videos, datetime.fromisoformat(since))


def _is_cut_of(description: Json, text: str) -> bool:
    told, ours = _plain(str(description or "")), _plain(text)
    return told == ours or (len(told) >= _CUT_AT and ours.startswith(told))


def _plain(text: str) -> str:
    return normalize_text(text.rstrip("….")).rstrip()


def _profile(api: TikTokApi, publication: Publication, checkpoint: Checkpoint) -> str:
    username = checkpoint.data.get("username")
    return api.profile(username if isinstance(username, str) else publication.account.handle)


PACE = (5,) * 12 + (20,) * 42 + (3600,)
"""Soon for a minute, often for a quarter of an hour, then every hour."""


class Stage(StrEnum):
    """What a status says. UNDERWAY is everything that TikTok may say besides."""

    UPLOADING = "PROCESSING_UPLOAD"
    COMPLETE = "PUBLISH_COMPLETE"
    FAILED = "FAILED"
    IN_INBOX = "SEND_TO_USER_INBOX"
    UNDERWAY = "UNDERWAY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One answer of the status call. `arrived_bytes` is None where TikTok does not say."""

    stage: Stage
    post_ids: tuple[str, ...] = ()
    arrived_bytes: int | None = None

    def lacks_bytes(self, size_bytes: int) -> bool:
        """Tell whether TikTok says that it does not have the whole file."""
        arrived = self.arrived_bytes
        return self.stage is Stage.UPLOADING and arrived is not None and arrived < size_bytes


def progress_of(response: PlatformResponse) -> Progress:
    """Read a status."""
    status = response.find("data", "status")
    ids = response.items("data", "publicaly_available_post_id")  # their spelling
    is_known = isinstance(status, str) and status in set(Stage)
    return Progress(
        stage=Stage(str(status)) if is_known else Stage.UNDERWAY,
        post_ids=tuple(str(one) for one in ids if isinstance(one, int | str) and one),
        arrived_bytes=whole_number(response.find("data", "uploaded_bytes")),
    )


PROCESSING = "processing"
MOST_INITS = 3
_KEPT = ("publish_id", "username", "checked_at", "inits")
_AGAIN = timedelta(seconds=30)
_DAY = timedelta(hours=24)
_WORTH_ANOTHER = frozenset({"video_pull_failed", "photo_pull_failed", "internal", *WAITS})


def step_after_upload(data: dict[str, Json]) -> Wait:
    """Return the step after TikTok has it all; the upload's address is of no more use."""
    kept = {name: data[name] for name in _KEPT if name in data}
    return Wait(Checkpoint(PROCESSING, kept), wait_at(PACE, 0))


def anew(data: dict[str, Json], delay: timedelta = timedelta(0)) -> Outcome:
    """Go back to where nothing was sent, some times."""
    inits = count(data, "inits")
    if inits >= MOST_INITS:
        return refuse(Platform.TIKTOK, FailureCode.PROCESSING_FAILED)
    known: dict[str, Json] = {"inits": inits, "given_up": data["publish_id"]}
    return Wait(Checkpoint("creator", known), delay)


def processing(api: TikTokApi, publication: Publication, data: dict[str, Json]) -> Outcome:
    """Ask once how far the post is."""
    publish_id = str(data["publish_id"])
    try:
        response = api.status(publication.account, publish_id)
    except TokenRejectedError:
        raise
    except PlatformError as error:
        return _unread(api, publication, data, error)
    progress = progress_of(response)
    match progress.stage:
        case Stage.COMPLETE:
            ids = progress.post_ids
            return once_named(api, publication, Checkpoint(PROCESSING, data), publish_id, ids)
        case Stage.FAILED:
            return _on_failure(publication, data, response)
        case Stage.IN_INBOX:
            if is_draft(publication):
                return as_draft(api, publication, Checkpoint(PROCESSING, data), publish_id)
            return TikTokRefusal.IN_INBOX.open_end()
        case _:
            return _later(data)


def _later(data: dict[str, Json], least: timedelta | None = None) -> Wait:
    polls = count(data, "polls") + 1
    delay = max(wait_at(PACE, polls), least or timedelta(0))
    return Wait(Checkpoint(PROCESSING, {**data, "polls": polls}), delay)


def _unread(
    api: TikTokApi, publication: Publication, data: dict[str, Json], error: PlatformError
) -> Outcome:
    """Ask again later. Raises what TikTok still says after a quarter of an hour."""
    if "looks" in data:  # it is complete, only its id is awaited
        publish_id = str(data["publish_id"])
        return once_named(api, publication, Checkpoint(PROCESSING, data), publish_id, ())
    if isinstance(error, RejectedError) and count(data, "polls") + 1 >= len(PACE):
        raise error
    return _later(data, error.retry_after if isinstance(error, RateLimitedError) else None)


def _on_failure(
    publication: Publication, data: dict[str, Json], response: PlatformResponse
) -> Outcome:
    """Begin once more where that can help: what TikTok calls failed can never appear."""
    reason = next(iter(error_codes(response)), "")
    entry = complete_entry(
        Platform.TIKTOK, find_entry(ERRORS, [reason]) or FailureCode.PROCESSING_FAILED
    )
    delay = WAITS.get(reason, _AGAIN)
    in_time = publication.now + delay <= publication.due_at + _DAY
    if reason in _WORTH_ANOTHER and in_time and count(data, "inits") < MOST_INITS:
        return anew(data, delay)
    return failure_of(entry, read_platform_answer(response))
