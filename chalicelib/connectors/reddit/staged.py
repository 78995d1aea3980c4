"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.reddit.reconciliation import SUBMIT
from chalicelib.connectors.shared.staging import STAND_IN, Stage, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json


def stage(publication: Publication) -> Stage:
    """Return a submission whose file and still are there."""
    shown = on_stage(publication)
    address = "https://reddit-uploaded-media.invalid/stand-in"
    is_video = shown.media is not None and shown.media.kind is MediaKind.VIDEO
    uploaded: dict[str, Json] = {"asset": STAND_IN, "url": address, "poster": f"{address}.jpg"}
    return Stage(
        publication=shown,
        begin=Checkpoint(SUBMIT, {} if shown.media is None else uploaded),
        contents=SUBMIT,
        text_at=("text",),
        title_at=("title",),
        cover=publication.media.poster if publication.media is not None and is_video else None,
    )
