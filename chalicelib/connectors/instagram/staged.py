"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.instagram.post import is_story
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.staging import STAND_IN, Stage, comment_of, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.kit.json_value import Json


def stage(publication: Publication) -> Stage:
    """Return a post before its container, which carries it; publishing that is the visible call."""
    shown = on_stage(publication)
    return Stage(
        publication=shown,
        begin=Checkpoint("container"),
        contents="container",
        visible=Checkpoint("publish", {"container": STAND_IN, "containers": 1}),
        text_at=("caption",),
        alt_at=("alt_text",),
        cover=None if is_story(shown) else publication.own_cover,
        first_comment=None if is_story(shown) else comment_of(shown),
        answers=_answer,
    )


def _answer(exchange: Exchange) -> Json:
    """Return what is said of a container that is whole."""
    del exchange
    address = "https://rupload.facebook.com/ig-api-upload/stand-in"
    told: dict[str, Json] = {"id": STAND_IN, "status_code": "FINISHED", "uri": address}
    return {**told, "success": True, "data": []}
