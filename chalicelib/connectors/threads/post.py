"""What is put into a Threads container: developers.facebook.com/docs/threads/reference/publishing.

Every value goes as a form field. Options were checked when the target was made (domain/options);
those that Threads takes only beside certain media are left out elsewhere.
"""

from chalicelib.connectors.connector import Publication
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.platforms.texts.x_links import find_links
from chalicelib.kit.json_value import Json

MOST_LINKS = 5
"""developers.facebook.com/docs/threads/troubleshooting: THREADS_API__LINK_LIMIT_EXCEEDED."""

_AS_THEY_ARE = ("reply_control", "topic_tag", "location_id", "quote_post_id")
_SWITCHES = {
    "reply_approvals": "enable_reply_approvals",
    "share_to_ig_story": "crossreshare_to_ig",
}


def container_fields(publication: Publication, media_url: str | None) -> dict[str, str]:
    """Return the fields of a post's container."""
    options, media = publication.options, publication.media
    fields = {"media_type": "TEXT"}
    if media is not None and media_url is not None:
        is_video = media.kind is MediaKind.VIDEO
        fields = {"media_type": "VIDEO" if is_video else "IMAGE"}
        fields["video_url" if is_video else "image_url"] = media_url
    if publication.text:
        fields["text"] = publication.text
    for name in _AS_THEY_ARE:
        fields |= _field(name, options.get(name))
    for ours, theirs in _SWITCHES.items():
        fields |= _field(theirs, options.get(ours))
    countries = options.get("countries")
    if isinstance(countries, list) and countries:
        fields["allowlisted_country_codes"] = ",".join(map(str, countries))
    if media is None:
        return (
            fields
            | _field("link_attachment", _card_link(publication))
            | _field("is_ghost_post", options.get("ghost"))
        )
    beside_media = _field("alt_text", publication.alt)
    return fields | beside_media | _field("is_spoiler_media", options.get("spoiler"))


def links_of(publication: Publication) -> frozenset[str]:
    """Return the links of a post, each once, the one that is attached to it too."""
    text = publication.text
    found = {text[link.start : link.end] for link in find_links(text)} if "." in text else set()
    attached = None if publication.media is not None else _card_link(publication)
    is_shown = attached is not None and any(attached.endswith(link) for link in found)
    return frozenset(found if attached is None or is_shown else {*found, attached})


def _card_link(publication: Publication) -> str | None:
    """Return the link that is asked for; by itself Threads shows the text's first."""
    options = publication.options
    return link_of(options, publication.text) if options.get("link") else None


def _field(name: str, value: Json) -> dict[str, str]:
    """Return a field, none for what is empty or switched off."""
    if value is True:
        return {name: "true"}
    return {name: value} if isinstance(value, str) and value else {}
