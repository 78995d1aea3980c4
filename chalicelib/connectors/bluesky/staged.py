"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from collections.abc import Mapping
from types import MappingProxyType

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.staging import STAND_IN, Stage, comment_of, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.platforms.texts.bluesky_facets import mentions
from chalicelib.kit.json_value import Json

_ACCOUNT: Mapping[str, Json] = MappingProxyType(
    {
        "remote_id": "did:plc:stand-in",
        "pds": "https://pds.invalid",
        "pds_did": "did:web:pds.invalid",
    }
)


def stage(publication: Publication) -> Stage:
    """Return a post whose file is there, before its record is made of it.

    No page is read, so that a link goes without its preview, as one does that cannot be read.
    """
    shown = on_stage(publication, _ACCOUNT)
    data: dict[str, Json] = {"people": dict.fromkeys(mentions(shown.text), "did:plc:stand-in")}
    if shown.media is not None:
        data["blob"] = _blob(shown.media.mime, shown.media.size_bytes)
    return Stage(
        publication=shown,
        begin=Checkpoint("record", data),
        contents="publish",
        visible=Checkpoint("publish", {**data, "key": STAND_IN, "record": {}, "gates": {}}),
        text_at=("record", "text"),
        first_comment=comment_of(shown),
        alt_text=shown.alt or None if shown.media is not None else None,
        answers=_answer,
    )


def _blob(mime: str, size_bytes: int) -> Json:
    return {"$type": "blob", "ref": {"$link": STAND_IN}, "mimeType": mime, "size": size_bytes}


def _answer(exchange: Exchange) -> Json:
    """Return an uploaded file, or another's record."""
    del exchange
    return {"uri": f"at://{STAND_IN}", "blob": _blob("text/vtt", 0)}
