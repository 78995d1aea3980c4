"""How a video is described to YouTube, and what can be told before anything is uploaded.

developers.google.com/youtube/v3/docs/videos. A cover is cut from the video itself: a post has one
file, and pictures at foreign addresses are not fetched.
"""

from pathlib import PurePath

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.youtube.refusals import YouTubeRefusal
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.titles import youtube_title
from chalicelib.kit.json_value import Json

LONGEST_DESCRIPTION_BYTES = 5_000
LONGEST_TAGS = 500
LONGEST_SHORT_S = 180
_NO_TITLE = "Video"


def precheck(publication: Publication) -> Failed | None:
    """Return why YouTube would refuse the post, or None if nothing speaks against it."""
    media, text = publication.media, publication.text
    if media is None or media.kind is not MediaKind.VIDEO:
        return YouTubeRefusal.NO_VIDEO.end()
    size_bytes = len(text.encode())
    if size_bytes > LONGEST_DESCRIPTION_BYTES:
        return YouTubeRefusal.LONG_TEXT.end(found=size_bytes)
    if "<" in text or ">" in text:
        return YouTubeRefusal.ANGLES.end()
    length = tags_length(tags_of(publication))
    if length > LONGEST_TAGS:
        return YouTubeRefusal.TAGS.end(found=length)
    return None


def resource(publication: Publication) -> dict[str, Json]:
    """Return the video's snippet and status, and its disclosure of paid promotion."""
    options = publication.options
    snippet: dict[str, Json] = {
        "title": title_of(publication, publication.text),
        "description": publication.text,
    }
    if tags := tags_of(publication):
        snippet["tags"] = list[Json](tags)
    if options.get("category"):
        snippet["categoryId"] = options["category"]
    status: dict[str, Json] = {
        "privacyStatus": privacy_of(publication),
        # YouTube wants it declared for every video, so it is always said.
        "selfDeclaredMadeForKids": options.get("made_for_kids") is True,
    }
    said = {"synthetic_media": "containsSyntheticMedia", "embeddable": "embeddable"}
    status |= {
        field: options[name] for name, field in said.items() if options.get(name) is not None
    }
    if options.get("is_ai_generated") is True:
        status["containsSyntheticMedia"] = True
    if options.get("license"):
        status["license"] = options["license"]
    paid: dict[str, Json] = (
        {"paidProductPlacementDetails": {"hasPaidProductPlacement": True}}
        if options.get("paid_promotion") is True
        else {}
    )
    return {"snippet": snippet, "status": status, **paid}


def title_of(publication: Publication, text: str) -> str:
    """Return the title that was asked for, else the text's first line, else the file's name."""
    title, _ = youtube_title(text, publication.options)
    if title is None and publication.media is not None:
        title, _ = youtube_title(PurePath(publication.media.filename).stem, {})
    return title or _NO_TITLE


def privacy_of(publication: Publication) -> str:
    """Return who is to see the video."""
    return str(publication.options.get("privacy") or "public")


def tags_of(publication: Publication) -> list[str]:
    """Return the tags, without empty ones."""
    tags = publication.options.get("tags")
    named = (str(tag).strip() for tag in tags) if isinstance(tags, list) else ()
    return [tag for tag in named if tag]


def tags_length(tags: list[str]) -> int:
    """Return how long YouTube finds tags: with a comma between, and quotes where there is space."""
    return sum(len(tag) + (2 if " " in tag else 0) for tag in tags) + max(0, len(tags) - 1)


def path_of(media: MediaFile, video: str) -> str:
    """Return where on YouTube a video is seen; YouTube itself decides what is a Short, by shape."""
    is_upright = 0 < media.width <= media.height
    is_brief = media.duration_s is not None and media.duration_s <= LONGEST_SHORT_S
    return f"/shorts/{video}" if is_upright and is_brief else f"/watch?v={video}"
