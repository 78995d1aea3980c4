"""What TikTok is told of a post, how its video is cut up, and what is refused before.

developers.tiktok.com/doc/content-posting-api-reference-direct-post, …-photo-post. Interactions
are off unless asked for, and stay off where the creator switched them off. A caption is a video's
`title` and a photo's `description`.

developers.tiktok.com/doc/content-posting-api-media-transfer-guide: a chunk has 5 to 64 MB, and the
last takes what is left over, up to 128 MB. A megabyte is 10^6 bytes here, the smaller reading. A
single chunk is as long as the file says: since August 2026 TikTok refuses one chunk that is
announced shorter than the file.
"""

import re
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount, MediaFile, Publication
from chalicelib.connectors.shared.prechecks import refuse, refuse_unreachable_media
from chalicelib.connectors.tiktok.errors import OK
from chalicelib.connectors.tiktok.refusals import TikTokRefusal
from chalicelib.domain.errors import TiktokRules
from chalicelib.domain.outcome import CALL_DEADLINE, Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import (
    CreatorOptions,
    Interactions,
    check_ready,
    privacy_level,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, count, find

_ARRIVED = re.compile(r"bytes 0-([0-9]{1,18})/[0-9]+")
_SLOWEST_BYTES_PER_S = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSizes:
    """Up to where a file goes in one piece, and how long the pieces are beyond that.

    TikTok dictates both: developers.tiktok.com/doc/content-posting-api-media-transfer-guide.
    """

    whole_bytes: int = 64_000_000
    chunk_bytes: int = 10_000_000

    def plan(self, size_bytes: int) -> "ChunkPlan":
        """Return how a file of this size is sent."""
        if size_bytes <= self.whole_bytes:
            return ChunkPlan(size_bytes=size_bytes, chunk_bytes=size_bytes, chunks=1)
        chunks = size_bytes // self.chunk_bytes
        return ChunkPlan(size_bytes=size_bytes, chunk_bytes=self.chunk_bytes, chunks=chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPlan:
    """One file's chunks, counted from zero."""

    size_bytes: int
    chunk_bytes: int
    chunks: int

    def is_last(self, place: int) -> bool:
        """Tell whether the chunk there completes the file."""
        return place >= self.chunks - 1

    def span(self, place: int) -> tuple[int, int]:
        """Return where a chunk begins, and how long it is."""
        offset = place * self.chunk_bytes
        return offset, (self.size_bytes - offset if self.is_last(place) else self.chunk_bytes)

    def content_range(self, place: int) -> str:
        """Return a chunk's place as HTTP spells it."""
        offset, length = self.span(place)
        return f"bytes {offset}-{offset + length - 1}/{self.size_bytes}"

    def place_after(self, arrived_bytes: int) -> int | None:
        """Return the chunk to send next after so many bytes; `chunks` after all of them.

        TikTok's header has been read as a count and as the last byte's place: both are understood.
        None for what is no boundary of this plan.
        """
        if arrived_bytes > 0 and arrived_bytes in (self.size_bytes, self.size_bytes - 1):
            return self.chunks
        for so_many in (arrived_bytes, arrived_bytes + 1):
            place, rest = divmod(so_many, self.chunk_bytes)
            if rest == 0 and place < self.chunks:
                return place
        return None

    @property
    def last_deadline(self) -> timedelta:
        """Return how long the last chunk may take: it may be the whole file, on a slow line."""
        _, length = self.span(self.chunks - 1)
        return CALL_DEADLINE + timedelta(seconds=length // _SLOWEST_BYTES_PER_S)


def arrived_bytes(response: PlatformResponse) -> int | None:
    """Return how much an answer's header says has arrived."""
    found = _ARRIVED.fullmatch(response.headers.get("Content-Range", "").strip())
    return None if found is None else int(found[1])


PUBLIC = "PUBLIC_TO_EVERYONE"
_PHOTOS = FACTS[Platform.TIKTOK].require_photos()
LARGEST_VIDEO, LARGEST_PHOTO = 4_000_000_000, _PHOTOS.most_bytes
VIDEOS = frozenset({"video/mp4", "video/quicktime", "video/webm"})
_FETCHED_WITHIN = timedelta(hours=1, minutes=10)
"""TikTok gives up after an hour; the rest is for clocks that differ."""


def precheck(media: MediaFile) -> Failed | None:
    """Refuse what TikTok is known not to take, or cannot fetch."""
    is_video = media.kind is MediaKind.VIDEO
    if media.size_bytes > (LARGEST_VIDEO if is_video else LARGEST_PHOTO):
        return refuse(Platform.TIKTOK, FailureCode.MEDIA_TOO_LARGE)
    if media.mime not in (VIDEOS if is_video else _PHOTOS.formats):
        return refuse(Platform.TIKTOK, FailureCode.MEDIA_REJECTED)
    if not is_video and photo_address(media) is None:
        return refuse_unreachable_media(Platform.TIKTOK)
    return None


def photo_address(media: MediaFile) -> str | None:
    """Return where TikTok fetches the photo, None if it cannot: it takes no plain http."""
    address = media.source.public_url(_FETCHED_WITHIN)
    return address if address is not None and address.startswith("https://") else None


def is_public(publication: Publication) -> bool:
    """Tell whether everybody sees the post: only then does TikTok name and list it."""
    return publication.options.get("privacy_level") == PUBLIC


def is_draft(publication: Publication) -> bool:
    """Tell whether it goes to the creator's inbox, to be finished there."""
    return publication.options.get("draft") is True


def video_body(publication: Publication, data: Mapping[str, Json], plan: ChunkPlan) -> Json:
    """Return what opens an upload."""
    title: dict[str, Json] = {"title": publication.text} if publication.text else {}
    source: Json = {
        "source": "FILE_UPLOAD",
        "video_size": plan.size_bytes,
        "chunk_size": plan.chunk_bytes,
        "total_chunk_count": plan.chunks,
    }
    if is_draft(publication):  # all else is the creator's to say, in the app
        return {"source_info": source}
    info = {**title, **_info(publication, data, ("comment", "duet", "stitch"))}
    info |= _of_video(publication)
    return {"post_info": info, "source_info": source}


def _of_video(publication: Publication) -> dict[str, Json]:
    """Return what TikTok knows of videos alone: the label of AI and the moment of the cover."""
    options, found = publication.options, dict[str, Json]()
    if options.get("is_ai_generated") is True:
        found["is_aigc"] = True
    second = options.get("cover_second")
    if isinstance(second, int):
        found["video_cover_timestamp_ms"] = second * 1_000
    return found


def photo_body(publication: Publication, data: Mapping[str, Json], address: str) -> Json:
    """Return what publishes a photo."""
    text: dict[str, Json] = {"description": publication.text} if publication.text else {}
    source: Json = {
        "source": "PULL_FROM_URL",
        "photo_images": [address],
        "photo_cover_index": 0,
    }
    if is_draft(publication):
        draft: dict[str, Json] = {"media_type": "PHOTO", "post_mode": "MEDIA_UPLOAD"}
        return {**draft, "post_info": text, "source_info": source}
    return {
        "media_type": "PHOTO",
        "post_mode": "DIRECT_POST",
        "post_info": {**text, **_info(publication, data, ("comment",))},
        "source_info": source,
    }


def _info(
    publication: Publication, data: Mapping[str, Json], interactions: tuple[str, ...]
) -> dict[str, Json]:
    options, may = publication.options, data["may"]
    discloses = options.get("disclose_commercial") is True

    def is_off(name: str) -> bool:
        return not (isinstance(may, list) and name in may and options.get(f"allow_{name}") is True)

    return {
        "privacy_level": options.get("privacy_level"),
        **{f"disable_{name}": is_off(name) for name in interactions},
        "brand_content_toggle": discloses and options.get("branded_content") is True,
        "brand_organic_toggle": discloses and options.get("your_brand") is True,
    }


LONGEST_VIDEO_S = 600
"""What TikTok takes of anybody; an answer for somebody who cannot post now may say nothing."""


def creator_options(account: ConnectedAccount, response: PlatformResponse) -> CreatorOptions:
    """Return what the creator can choose for the next post."""
    data, can_post = response.find("data"), response.find("error", "code") == OK
    handle = _text(data, "creator_username") or account.handle
    levels = response.items("data", "privacy_level_options")

    def may(interaction: str) -> bool:
        return can_post and find(data, f"{interaction}_disabled") is not True

    return CreatorOptions(
        account_id=account.id,
        handle=handle,
        nickname=_text(data, "creator_nickname") or handle.removeprefix("@"),
        can_post=can_post,
        privacy_levels=tuple(privacy_level(level) for level in levels if isinstance(level, str)),
        max_video_seconds=count(data, "max_video_post_duration_sec") or LONGEST_VIDEO_S,
        interactions=Interactions(comment=may("comment"), duet=may("duet"), stitch=may("stitch")),
    )


def find_creator_problem(creator: CreatorOptions, publication: Publication) -> Failed | None:
    """Return why the creator's settings do not let this post go out, None if they do."""
    try:
        check_ready(publication.options, field="options", offered=creator.offered)
    except TiktokRules as error:
        return TikTokRefusal.CREATORS_RULE.open_end(why=error.message)
    media, longest_s = publication.media, creator.max_video_seconds
    if media is None or media.kind is not MediaKind.VIDEO or media.duration_s is None:
        return None
    if media.duration_s <= longest_s:
        return None
    return TikTokRefusal.LONG.open_end(most=longest_s)


def allowed_interactions(creator: CreatorOptions) -> list[Json]:
    """Name what viewers may do with a post, for the checkpoint."""
    may = creator.interactions
    named = {"comment": may.comment, "duet": may.duet, "stitch": may.stitch}
    return [name for name, is_allowed in named.items() if is_allowed]


def _text(data: Json, name: str) -> str | None:
    value = find(data, name)
    return value if isinstance(value, str) and value else None
