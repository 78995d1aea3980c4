"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.staging import STAND_IN, Stage, on_stage
from chalicelib.domain.outcome import Checkpoint


def stage(publication: Publication) -> Stage:
    """Return a pin whose video, if it has one, is there."""
    shown = on_stage(publication)
    return Stage(
        publication=shown,
        begin=Checkpoint("pin", {"media_id": STAND_IN}),
        contents="pin",
        text_at=("description",),
        alt_at=("alt_text",),
        cover=publication.own_cover,
    )
