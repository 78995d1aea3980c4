"""What is put into an Instagram container.

developers.facebook.com/docs/instagram-platform/reference/ig-user/media: a video is a reel that also
stands in the profile's grid unless `share_to_feed` is false; a story has no caption, and of the
options only people in it and the label of AI. Options were checked when the target was made
(domain/options).
"""

import re
from datetime import timedelta

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.instagram.account import is_by_facebook
from chalicelib.connectors.instagram.refusals import InstagramRefusal
from chalicelib.connectors.shared.handles import bare_handle
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json

Fields = dict[str, Json]
LARGEST_PHOTO = FACTS[Platform.INSTAGRAM].require_photos().most_bytes
LARGEST_REEL, LARGEST_STORY = 300_000_000, 100_000_000
# developers.facebook.com/docs/instagram-platform/content-publishing: containers end after a day.
_FETCHED_WITHIN = timedelta(hours=25)
"""Meta may come for a file as long as its container holds: a day."""

_MOST_TAGS, _MOST_MENTIONS = 30, 20
_SENT: Fields = {"upload_type": "resumable"}


def is_story(publication: Publication) -> bool:
    """Tell whether it goes out as a story."""
    return publication.options.get("post_type") == "story"


def product_of(publication: Publication) -> str:
    """Return what Instagram calls such a post when it is read back."""
    if is_story(publication):
        return "STORY"
    return "REELS" if _is_video(publication) else "FEED"


def largest_bytes(publication: Publication, media: MediaFile) -> int:
    """Return how large a file of this kind may be."""
    if media.kind is MediaKind.IMAGE:
        return LARGEST_PHOTO
    return LARGEST_STORY if is_story(publication) else LARGEST_REEL


def source_of(publication: Publication) -> Fields | None:
    """Return where the file comes from, None where there is no way to get it there.

    An account that signed in by Facebook is sent a reel's file; all else is fetched, unless nothing
    can be fetched from here: `upload_type` is a field of Instagram's own sign-in too (Meta's own
    client, facebook-business 26.0.3, IGUserForIGOnlyAPI.create_media).
    """
    if publication.media is None:
        return None
    is_reel = _is_video(publication) and not is_story(publication)
    if is_reel and is_by_facebook(publication.account):
        return _SENT
    address = publication.media.source.public_url(_FETCHED_WITHIN)
    if address is None:
        return _SENT if is_reel else None
    return {"video_url" if _is_video(publication) else "image_url": address}


def container_fields(publication: Publication, source: Fields, *, has_places: bool) -> Fields:
    """Return a container's fields; `source` is where its file comes from.

    Places and partners can be named only by accounts that signed in by Facebook: Meta's own client
    (facebook-business 26.0.3) has their fields in `IGUser.create_media` alone.
    """
    options = publication.options
    if is_story(publication):
        fields = {
            "media_type": "STORIES",
            **source,
            **_option_field(publication, "is_ai_generated"),
        }
        return fields | _tags(publication)
    fields = {"media_type": "REELS"} if _is_video(publication) else {}
    fields |= source
    if publication.text:
        fields["caption"] = publication.text
    fields |= _reel(publication) if _is_video(publication) else _alt_text_field(publication)
    fields |= _collaborators(publication)
    fields |= _option_field(publication, "is_ai_generated")
    fields |= _tags(publication)
    if not has_places:
        return fields
    fields |= _option_field(publication, "location_id") | _option_field(
        publication, "is_paid_partnership"
    )
    if options.get("sponsors"):
        fields["branded_content_sponsor_ids"] = options["sponsors"]
    return fields


def unfit_option(publication: Publication) -> Failed | None:
    """Return why options do not go with the file, None if they do."""
    if _is_video(publication):
        return None
    if publication.options.get("post_type") == "reel":
        return InstagramRefusal.REEL_OF_PHOTO.end()
    tags = publication.options.get("user_tags")
    if is_story(publication) or not isinstance(tags, list) or all(_has_place(tag) for tag in tags):
        return None
    return InstagramRefusal.TAGS_WITHOUT_PLACE.end()


def crowded_caption(publication: Publication) -> Failed | None:
    """Return why Instagram refuses a caption, None if it takes it.

    developers.facebook.com/docs/instagram-platform/reference/ig-user/media, "caption".
    """
    if is_story(publication):
        return None
    for sign, what, most in (("#", "hashtags", _MOST_TAGS), ("@", "mentions", _MOST_MENTIONS)):
        found = len(re.findall(rf"(?<!\w){sign}\w", publication.text))
        if found > most:
            return InstagramRefusal.CROWDED.end(most=most, signs=what, found=found)
    return None


def _has_place(tag: Json) -> bool:
    return isinstance(tag, dict) and {"x", "y"} <= set(tag)


def _alt_text_field(publication: Publication) -> Fields:
    return {"alt_text": publication.alt} if publication.alt else {}


def cover_address(publication: Publication) -> str | None:
    """Return where a reel's own cover is fetched, None without one or without an address."""
    cover = None if is_story(publication) else publication.own_cover
    return None if cover is None else cover.source.public_url(_FETCHED_WITHIN)


def _reel(publication: Publication) -> Fields:
    options = publication.options
    is_for_feed = options.get("post_type") == "feed" or options.get("share_to_feed") is not False
    fields: Fields = {"share_to_feed": is_for_feed}
    second = options.get("cover_second")
    own_cover = cover_address(publication)
    if own_cover is not None:
        fields["cover_url"] = own_cover
    elif options.get("cover_offset_ms") is not None:
        fields["thumb_offset"] = options["cover_offset_ms"]
    elif isinstance(second, int):
        fields["thumb_offset"] = second * 1_000
    fields |= _option_field(publication, "audio_name")
    if options.get("trial_reel") is not None:
        fields["trial_params"] = {"graduation_strategy": options["trial_reel"]}
    return fields


def _collaborators(publication: Publication) -> Fields:
    named = publication.options.get("collaborators")
    if not isinstance(named, list) or not named:
        return {}
    return {"collaborators": [bare_handle(one) for one in named]}


def _tags(publication: Publication) -> Fields:
    tags = publication.options.get("user_tags")
    if not isinstance(tags, list) or not tags:
        return {}
    return {"user_tags": [_tag(publication, tag) for tag in tags]}


def _tag(publication: Publication, tag: Json) -> Json:
    """Return a tag as its kind of file takes it: videos have no places."""
    if not isinstance(tag, dict):
        return tag
    name: Fields = {"username": bare_handle(tag.get("username"))}
    return name if _is_video(publication) else {**tag, **name}


def _option_field(publication: Publication, name: str) -> Fields:
    value = publication.options.get(name)
    return {} if value in (None, "", [], False) else {name: value}


def _is_video(publication: Publication) -> bool:
    return publication.media is not None and publication.media.kind is MediaKind.VIDEO
