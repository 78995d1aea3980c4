"""The body of a post on LinkedIn, and what can be told of it before anything is uploaded.

learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api.
"""

from collections.abc import Mapping

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.linkedin.api import is_organization
from chalicelib.connectors.linkedin.mentions import find_unmentioned, known_mentions, write_mentions
from chalicelib.connectors.linkedin.refusals import LinkedInRefusal
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

LARGEST_VIDEO = 524_288_000
SMALLEST_VIDEO = 75_000
MOST_PIXELS = 36_152_320
_SHORTEST_VIDEO_S = 3
_PHOTOS = FACTS[Platform.LINKEDIN].require_photos().formats
_VIDEOS = frozenset({"video/mp4"})


def precheck(publication: Publication) -> Failed | None:
    """Return why LinkedIn would refuse the post, or None if nothing speaks against it."""
    unfit = None if publication.media is None else _unfit(publication.media)
    return unfit or _contradiction(publication) or _lost_mention(publication)


def post_body(publication: Publication, data: Mapping[str, Json]) -> dict[str, Json]:
    """Return the body, in the order of LinkedIn's own examples."""
    options = publication.options
    body: dict[str, Json] = {
        "author": publication.account.remote_id,
        "commentary": write_mentions(publication.text, known_mentions(data)),
        "visibility": options.get("visibility", "PUBLIC"),
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
    }
    if publication.media is not None:
        body["content"] = {"media": _media_content(publication, publication.media, data)}
    elif isinstance(data.get("card"), dict):
        body["content"] = {"article": _article(data)}
    if options.get("cta_label") and options.get("cta_url"):
        body["contentCallToActionLabel"] = options["cta_label"]
        body["contentLandingPage"] = options["cta_url"]
    body["lifecycleState"] = "PUBLISHED"
    body["isReshareDisabledByAuthor"] = options.get("disable_reshare") is True
    return body


def _article(data: Mapping[str, Json]) -> dict[str, Json]:
    """Return a link's preview: LinkedIn takes none from the page by itself."""
    card = data["card"]
    article: dict[str, Json] = {"source": find(card, "url"), "title": find(card, "title")}
    if find(card, "description"):
        article["description"] = find(card, "description")
    if "thumbnail" in data:
        article["thumbnail"] = data["thumbnail"]
    return article


def _media_content(
    publication: Publication, media: MediaFile, data: Mapping[str, Json]
) -> dict[str, Json]:
    options = publication.options
    shown: dict[str, Json] = {"id": data["asset"]}
    if publication.alt:
        shown["altText"] = publication.alt
    if media.kind is MediaKind.VIDEO and options.get("title"):
        shown["title"] = options["title"]
    return shown


def _unfit(media: MediaFile) -> Failed | None:
    if media.kind is MediaKind.VIDEO:
        if media.size_bytes > LARGEST_VIDEO:
            return refuse(Platform.LINKEDIN, FailureCode.MEDIA_TOO_LARGE)
        if media.size_bytes < SMALLEST_VIDEO:
            return LinkedInRefusal.SMALL.end()
        if media.duration_s is not None and media.duration_s < _SHORTEST_VIDEO_S:
            return LinkedInRefusal.SHORT.end()
    elif media.width * media.height >= MOST_PIXELS:
        return refuse(Platform.LINKEDIN, FailureCode.MEDIA_TOO_LARGE)
    taken = _VIDEOS if media.kind is MediaKind.VIDEO else _PHOTOS
    return None if media.mime in taken else refuse(Platform.LINKEDIN, FailureCode.MEDIA_REJECTED)


def _lost_mention(publication: Publication) -> Failed | None:
    missing = find_unmentioned(publication.options, publication.text)
    return LinkedInRefusal.UNMENTIONED.end(name=missing) if missing else None


def _contradiction(publication: Publication) -> Failed | None:
    """Return which options do not go together."""
    options, account, media = publication.options, publication.account, publication.media
    is_page = is_organization(account.remote_id)
    if options.get("author", account.remote_id) != account.remote_id:
        return LinkedInRefusal.OTHER_AUTHOR.end()
    if is_page and options.get("visibility") == "CONNECTIONS":
        return LinkedInRefusal.PAGE_CONNECTIONS.end()
    if bool(options.get("cta_label")) != bool(options.get("cta_url")):
        return LinkedInRefusal.HALF_BUTTON.end()
    if options.get("cta_label") and not is_page:
        return LinkedInRefusal.MEMBERS_BUTTON.end()
    if options.get("title") and (media is None or media.kind is not MediaKind.VIDEO):
        return LinkedInRefusal.TITLE.end()
    return None
