"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.staging import STAND_IN, Stage, comment_of, on_stage
from chalicelib.connectors.x.media import metadata_of
from chalicelib.domain.outcome import Checkpoint
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find


def stage(publication: Publication) -> Stage:
    """Return a post whose file, if it has one, is there."""
    shown = on_stage(publication)
    uploaded: dict[str, Json] = {} if shown.media is None else {"media_id": STAND_IN}
    alt = None if shown.media is None else find(metadata_of(shown), "alt_text", "text")
    return Stage(
        publication=shown,
        begin=Checkpoint("publish", uploaded),
        contents="publish",
        text_at=("text",),
        first_comment=comment_of(shown),
        alt_text=alt if isinstance(alt, str) else None,
    )
