"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from urllib.parse import parse_qs, urlsplit

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.staging import STAND_IN, Stage, comment_of, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json

_MEMBER = "urn:li:person:stand-in"


def stage(publication: Publication) -> Stage:
    """Return a post whose file is there, before it is known who is mentioned.

    No page is read, so that a link goes without its preview, as one does that cannot be read.
    """
    shown = on_stage(publication, {"remote_id": _MEMBER})
    data: dict[str, Json] = {}
    if shown.media is not None:
        kind = "video" if shown.media.kind is MediaKind.VIDEO else "image"
        data["asset"] = f"urn:li:{kind}:{STAND_IN}"
    has_asset = shown.media is not None
    return Stage(
        publication=shown,
        begin=Checkpoint("mentions", data),
        contents="post",
        visible=Checkpoint("post", data),
        text_at=("commentary",),
        alt_at=("content", "media", "altText") if has_asset else (),
        first_comment=comment_of(shown),
        cover=publication.own_cover,
        answers=_answer,
    )


def _answer(exchange: Exchange) -> Json:
    """Return an organization of the name that is asked for."""
    name = parse_qs(urlsplit(exchange.url).query).get("vanityName", [STAND_IN])[0]
    return {"elements": [{"id": STAND_IN, "localizedName": name}]}
