"""What is sent of a post to Picnic, and what can be told before."""

from collections.abc import Mapping

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json

_PHOTOS = FACTS[Platform.PICNIC].require_photos()
_SENT = ("blanket", "title", "basket", "rain")


def precheck(publication: Publication) -> Failed | None:
    """Return why Picnic would refuse the post, None if nothing speaks against it."""
    media = publication.media
    if media is not None and media.size_bytes > _PHOTOS.most_bytes:
        return refuse(Platform.PICNIC, FailureCode.MEDIA_TOO_LARGE)
    return None


def post_body(publication: Publication, data: Mapping[str, Json]) -> dict[str, Json]:
    """Return the body of POST /posts."""
    options = publication.options
    body: dict[str, Json] = {"text": publication.text}
    body |= {name: options[name] for name in _SENT if name in options}
    if publication.media is not None:
        body |= {"photo": data["photo"], "alt_text": publication.alt}
    return body
