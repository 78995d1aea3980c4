"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.staging import Stage, on_stage
from chalicelib.domain.outcome import Checkpoint


def stage(publication: Publication) -> Stage:
    """Return a post before the one call that makes it."""
    shown = on_stage(publication, {"remote_id": "accounts/stand-in/locations/stand-in"})
    return Stage(
        publication=shown,
        begin=Checkpoint("publish"),
        contents="publish",
        text_at=("summary",),
    )
