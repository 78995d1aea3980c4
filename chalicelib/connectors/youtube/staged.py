"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.staging import Stage, comment_of, on_stage
from chalicelib.domain.outcome import Checkpoint


def stage(publication: Publication) -> Stage:
    """Return a video before its upload is opened, by the call that carries all that is said."""
    shown = on_stage(publication)
    return Stage(
        publication=shown,
        begin=Checkpoint("session", {"sessions": 0}),
        contents="session",
        text_at=("snippet", "description"),
        first_comment=comment_of(shown),
        cover=publication.media.poster
        if publication.media is not None and shown.wants_cover
        else None,
    )
