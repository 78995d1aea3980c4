"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.staging import STAND_IN, Stage, on_stage
from chalicelib.connectors.tiktok.post import allowed_interactions
from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok import sandbox_creator
from chalicelib.kit.json_value import Json


def stage(publication: Publication) -> Stage:
    """Return a post of a creator who allows everything, before the call that carries it.

    That opens the upload of a video, and publishes a photo.
    """
    shown = on_stage(publication)
    is_video = shown.require_media().kind is MediaKind.VIDEO
    creator = sandbox_creator(shown.account.id, shown.account.handle)
    known: dict[str, Json] = {
        "username": creator.nickname,
        "may": allowed_interactions(creator),
        "checked_at": shown.now.isoformat(),
    }
    step = "init" if is_video else "photo"
    return Stage(
        publication=shown,
        begin=Checkpoint(step, known),
        contents=step,
        text_at=("post_info", "title" if is_video else "description"),
        answers=_answer,
    )


def _answer(exchange: Exchange) -> Json:
    """Return what is said of a post that TikTok is still at work on."""
    del exchange
    data: Json = {"publish_id": STAND_IN, "upload_url": "https://upload.invalid/stand-in"}
    return {"data": data, "error": {"code": "ok"}}
