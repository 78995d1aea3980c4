"""Which way a post takes to a Page, and what goes along: developers.facebook.com/docs/pages-api.

text, link      /feed
photo           /photos unpublished, then /feed (or /photo_stories)
upright video   /video_reels: 9:16, 3 to 90 s, at least 540 x 960; /videos makes drafts of those
other video     /videos
video story     /video_stories
"""

import json
from enum import StrEnum

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.facebook.refusals import FacebookRefusal
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.kit.json_value import Json

Fields = dict[str, Json]
_NARROWEST, _WIDEST = 0.54, 0.585
_REEL_WIDTH, _REEL_HEIGHT, _SHORTEST_S, _LONGEST_S = 540, 960, 3, 90


class Route(StrEnum):
    """The ways; a value is the pipeline of the Page at which the post becomes visible."""

    FEED = "feed"
    PHOTO_STORY = "photo_stories"
    VIDEO = "videos"
    REEL = "video_reels"
    VIDEO_STORY = "video_stories"

    @property
    def is_story(self) -> bool:
        """Tell whether it is gone after a day."""
        return self in (Route.PHOTO_STORY, Route.VIDEO_STORY)


def route_of(publication: Publication) -> Route:
    """Return the way that a post takes."""
    media, wanted = publication.media, publication.options.get("post_type")
    if media is None:
        return Route.FEED
    if media.kind is MediaKind.IMAGE:
        return Route.PHOTO_STORY if wanted == "story" else Route.FEED
    if wanted == "story":
        return Route.VIDEO_STORY
    is_reel = wanted == "reel" or (wanted is None and _is_made_for_reels(media))
    return Route.REEL if is_reel else Route.VIDEO


def _is_made_for_reels(media: MediaFile) -> bool:
    is_upright = media.height > 0 and _NARROWEST <= media.width / media.height <= _WIDEST
    is_large = media.width >= _REEL_WIDTH and media.height >= _REEL_HEIGHT
    seconds = media.duration_s or 0
    return is_upright and is_large and _SHORTEST_S <= seconds <= _LONGEST_S


def unfit_option(publication: Publication) -> Failed | None:
    """Return why the wanted kind of post cannot be made of what there is, None if it can."""
    media, wanted = publication.media, publication.options.get("post_type")
    if media is None and wanted in ("story", "reel"):
        return FacebookRefusal.NO_FILE.end()
    if media is not None and media.kind is MediaKind.IMAGE and wanted == "reel":
        return FacebookRefusal.REEL_OF_PHOTO.end()
    return None


def omitted_options(publication: Publication) -> dict[str, str]:
    """Return the options that Facebook takes with a reel and with no other video."""
    if route_of(publication) is not Route.VIDEO:
        return {}
    return {
        name: f"Facebook takes {name} with a reel, and this video is none: set post_type to reel."
        for name in ("place_id", "collaborator_page_id")
        if publication.options.get(name)
    }


def photo_fields(publication: Publication) -> tuple[tuple[str, str], ...]:
    """Return what goes with a photo that nobody sees yet."""
    alt = publication.alt
    described = (("alt_text_custom", alt),) if alt else ()
    return (("published", "false"), *described)


def feed_fields(publication: Publication, photo: Json) -> Fields:
    """Return what makes a post of text, of a link or of a photo that was uploaded before."""
    options = publication.options
    fields: Fields = {"message": publication.text} if publication.text else {}
    if photo is not None:
        fields["attached_media"] = [{"media_fbid": photo}]
    else:
        fields |= _text("link", _card_link(publication))
    if options.get("place_id"):
        fields["place"] = options["place_id"]
    countries = _countries(publication)
    return fields if countries is None else {**fields, "targeting": countries}


def _card_link(publication: Publication) -> str | None:
    """Return the link to show as a card; Facebook refuses the post for one that it cannot read.

    So of the text's links one counts only if it is written in full.
    """
    text = publication.text
    link = link_of(publication.options, text)
    is_sure = link is not None and (link == publication.options.get("link") or link in text)
    return link if is_sure else None


def finish_fields(publication: Publication, session: dict[str, Json]) -> dict[str, str]:
    """Return what ends an upload and shows the video."""
    route = route_of(publication)
    fields = {"upload_phase": "finish"}
    if route is Route.VIDEO:
        fields["upload_session_id"] = str(session["session"])
    else:
        fields["video_id"] = str(session["video"])
    if publication.options.get("is_ai_generated") is True:
        fields["is_ai_generated"] = "true"
    if route.is_story:
        return fields
    if route is Route.REEL:
        fields["video_state"] = "PUBLISHED"
        fields |= _text("place", publication.options.get("place_id"))
    fields |= _text("description", publication.text)
    fields |= _text("title", publication.options.get("title"))
    countries = _countries(publication)
    return fields if countries is None else {**fields, "targeting": json.dumps(countries)}


def _countries(publication: Publication) -> Json:
    countries = publication.options.get("targeting_countries")
    return {"geo_locations": {"countries": countries}} if countries else None


def _text(name: str, value: Json) -> dict[str, str]:
    return {name: value} if isinstance(value, str) and value else {}
