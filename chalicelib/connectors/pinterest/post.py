"""The body of a pin, and what can be told of it before anything is sent.

developers.pinterest.com/docs/api/v5/pins-create. A pin has a photo or a video and stands on a
board, which only its id names; ids are shown nowhere but in the API, so the boards that were there
at sign-in are told whoever names none.
"""

import re
from collections.abc import Mapping

from chalicelib.connectors.connector import ConnectedAccount, MediaFile, Publication
from chalicelib.connectors.pinterest.refusals import PinterestRefusal
from chalicelib.connectors.shared.prechecks import is_web_address, refuse
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, JsonBody, JsonFileBody
from chalicelib.kit.transport.responses import find

_PHOTOS = FACTS[Platform.PINTEREST].require_photos()
LARGEST_PHOTO, LARGEST_VIDEO = _PHOTOS.most_bytes, 2_000_000_000
LONGEST_LINK = 2_048
_SMALLEST_SIDE = 100
_SHORTEST_S, _LONGEST_S = 4, 900
_WIDEST, _TALLEST = 1.91, 0.5
_COVER_SECOND = 1
_BOARDS_TOLD = 10
_ID = re.compile(r"[0-9]{1,30}")
_FIELDS = {
    "board": "board_id",
    "board_section": "board_section_id",
    "title": "title",
    "link": "link",
    "dominant_color": "dominant_color",
}


def precheck(publication: Publication) -> Failed | None:
    """Return why Pinterest would refuse the pin, or None if nothing speaks against it."""
    media = publication.media
    if media is None:
        return PinterestRefusal.NO_FILE.end()
    wrong = _wrong_option(publication)
    if wrong is not None:
        return wrong
    return _unfit_video(media) if media.kind is MediaKind.VIDEO else _unfit_photo(media)


def board_of(publication: Publication) -> str | None:
    """Return the board's id, None where there is none that could have been sent."""
    board = publication.options.get("board")
    return board if isinstance(board, str) and _ID.fullmatch(board) else None


def pin_body(publication: Publication, data: Mapping[str, Json]) -> JsonBody | JsonFileBody:
    """Return a pin's body; a photo is read into it while it is sent."""
    media = publication.require_media()
    fields = _fields(publication)
    cover = publication.own_cover
    if cover is not None:
        named: Json = {
            "source_type": "video_id",
            "media_id": data["media_id"],
            "cover_image_content_type": cover.mime,
        }
        return JsonFileBody(
            value={**fields, "media_source": named},
            path=("media_source", "cover_image_data"),
            file=FileBody(file=cover, mime=cover.mime),
        )
    if media.kind is MediaKind.VIDEO:
        return JsonBody({**fields, "media_source": _video_source(publication, data)})
    source: Json = {"source_type": "image_base64", "content_type": media.mime}
    return JsonFileBody(
        value={**fields, "media_source": source},
        path=("media_source", "data"),
        file=FileBody(file=media, mime=media.mime),
    )


def _fields(publication: Publication) -> dict[str, Json]:
    options = publication.options
    fields = {field: options[name] for name, field in _FIELDS.items() if options.get(name)}
    if options.get("is_ai_generated") is True:
        # AI_MODIFIED or SYNTHETIC_PERFORMER, says its OpenAPI 5.28 (pinterestsdk 2.1.0).
        fields["ai_disclosures"] = {"values": ["AI_MODIFIED"]}
    if publication.alt:
        fields["alt_text"] = publication.alt
    return fields | ({"description": publication.text} if publication.text else {})


def _video_source(publication: Publication, data: Mapping[str, Json]) -> Json:
    """Return what names an upload. Pinterest refuses a video without a cover."""
    second = publication.options.get("cover_second")
    return {
        "source_type": "video_id",
        "media_id": data["media_id"],
        "cover_image_key_frame_time": _COVER_SECOND if second is None else second,
    }


def _wrong_option(publication: Publication) -> Failed | None:
    options = publication.options
    if board_of(publication) is None:
        return _no_board(publication.account)
    section, link = options.get("board_section"), options.get("link")
    if section and not _ID.fullmatch(str(section)):
        return PinterestRefusal.SECTION.end()
    if link and not _is_address(str(link)):
        return PinterestRefusal.LINK.end(most=LONGEST_LINK)
    return None


def _no_board(account: ConnectedAccount) -> Failed:
    """Tell the boards that the account had when it was connected, for a person to choose from."""
    boards = account.settings.get("boards")
    known = boards[:_BOARDS_TOLD] if isinstance(boards, list) else []
    told = ", ".join(f"{find(board, 'id')} ({find(board, 'name')})" for board in known)
    return (
        PinterestRefusal.NO_BOARD_OF.end(boards=told) if told else PinterestRefusal.NO_BOARD.end()
    )


def _is_address(link: str) -> bool:
    return len(link) <= LONGEST_LINK and link.split() == [link] and is_web_address(link)


def _unfit_photo(media: MediaFile) -> Failed | None:
    if media.mime not in _PHOTOS.formats:
        return PinterestRefusal.PHOTO_KIND.end()
    if min(media.width, media.height) < _SMALLEST_SIDE:
        return PinterestRefusal.SMALL.end(least=_SMALLEST_SIDE)
    return _too_large() if media.size_bytes > LARGEST_PHOTO else None


def _unfit_video(media: MediaFile) -> Failed | None:
    length_s = media.duration_s
    if length_s is not None and length_s > _LONGEST_S:
        return PinterestRefusal.LONG.end(most=_LONGEST_S // 60)
    if length_s is not None and length_s < _SHORTEST_S:
        return PinterestRefusal.SHORT.end(least=_SHORTEST_S)
    if not _TALLEST * (media.height - 1) <= media.width <= _WIDEST * media.height + 1:
        return PinterestRefusal.SHAPE.end()
    return _too_large() if media.size_bytes > LARGEST_VIDEO else None


def _too_large() -> Failed:
    return refuse(Platform.PINTEREST, FailureCode.MEDIA_TOO_LARGE)
