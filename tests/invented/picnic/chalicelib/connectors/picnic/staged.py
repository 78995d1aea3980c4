"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.staging import STAND_IN, Stage, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.kit.json_value import Json


def stage(publication: Publication) -> Stage:
    """Return a post whose photo, if it has one, is there."""
    shown = on_stage(publication)
    uploaded: dict[str, Json] = {} if shown.media is None else {"photo": STAND_IN}
    return Stage(
        publication=shown,
        begin=Checkpoint("publish", uploaded),
        contents="publish",
        text_at=("text",),
        alt_at=("alt_text",),
    )
