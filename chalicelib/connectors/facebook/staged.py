"""Where the connector's own steps begin without the platform, with stand-ins for its ids."""

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.facebook.post import Route, photo_fields, route_of
from chalicelib.connectors.shared.staging import STAND_IN, Stage, comment_of, on_stage
from chalicelib.domain.outcome import Checkpoint
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.json_value import Json


def stage(publication: Publication) -> Stage:
    """Return a post whose photo or video is there."""
    shown = on_stage(publication)
    media, route = shown.media, route_of(shown)
    is_video = media is not None and media.kind is MediaKind.VIDEO
    film: dict[str, Json] = {"video": STAND_IN, "session": STAND_IN, "sessions": 1}
    begin = Checkpoint("finish", film) if is_video else Checkpoint("show", _photo(media))
    has_cover = route in (Route.REEL, Route.VIDEO) and shown.wants_cover
    is_photo = media is not None and not is_video
    described = dict(photo_fields(shown)).get("alt_text_custom") if is_photo else None
    return Stage(
        publication=shown,
        begin=begin,
        contents=begin.step,
        text_at=("description" if is_video else "message",),
        alt_text=described,
        first_comment=None if route.is_story else comment_of(shown),
        cover=publication.media.poster if publication.media is not None and has_cover else None,
    )


def _photo(media: MediaFile | None) -> dict[str, Json]:
    return {} if media is None else {"photo": STAND_IN}
