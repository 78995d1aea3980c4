"""Pins of the fake Pinterest: what it takes for one, and how it shows one.

Bodies are closed sets of fields in which a null is nothing; a video without a cover is refused.
"""

import base64
import binascii
import re
from collections.abc import Container, Mapping
from datetime import UTC

from tests.connectors.pinterest.fake_media import PinterestUploads
from tests.connectors.support.fake_platform import Answer, Value, Wrong

USERNAME = "harbourshop"
SECTION = "5180000000000000001"
SECTIONS = (("5000001", "Piers"), ("5000002", "Boats"))
_TEXTS = {"title": 100, "description": 800, "link": 2_048, "alt_text": 500, "dominant_color": 7}
_FIELDS = {*_TEXTS, "board_id", "board_section_id", "media_source", "ai_disclosures"}
_IMAGE = {"source_type", "content_type", "data", "is_standard"}
_COVERS = {"cover_image_key_frame_time", "cover_image_data", "cover_image_url"}
_VIDEO = {"source_type", "media_id", "is_standard", "cover_image_content_type", *_COVERS}


def require(good: object, field: str) -> None:
    """Refuse a call in one of the two forms that Pinterest's description shows."""
    if not good:
        said = f"'{field}' value '...' must match the pattern: ^\\d+$"
        raise Wrong(Answer(400, {"code": 1, "message": said}))


def without_nulls(value: Value) -> Value:
    """Return JSON without what a client spelled as nothing."""
    if not isinstance(value, dict):
        return value
    return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}


def require_pin(body: dict[str, Value], boards: Container[str], uploads: PinterestUploads) -> str:
    """Return the kind of a pin as Pinterest takes it."""
    require(set(body) <= _FIELDS, "media_source")
    for name, most in _TEXTS.items():
        require(0 < len(body.get(name, "-")) <= most, name)
    color = body.get("dominant_color", "#000000")
    require(re.fullmatch("#[0-9A-Fa-f]{6}", color), "dominant_color")
    require(re.fullmatch(r"\d+", body["board_id"]), "board_id")
    if body["board_id"] not in boards:
        raise Wrong(Answer(404, {"code": 40, "message": "Board not found."}))
    if body.get("board_section_id", SECTION) not in {SECTION, *dict(SECTIONS)}:
        said = "Sorry! We couldn't find this board section."
        raise Wrong(Answer(404, {"code": 2031, "message": said}))
    said = body.get("ai_disclosures", {"values": []})
    require(set(said["values"]) <= {"AI_MODIFIED", "SYNTHETIC_PERFORMER"}, "ai_disclosures")
    source = body["media_source"]
    if source["source_type"] == "image_base64":
        require(set(source) <= _IMAGE, "media_source")
        require(source["content_type"] in {"image/jpeg", "image/png"}, "content_type")
        require(_is_base64(source["data"]), "data")
        return "image"
    require(source["source_type"] == "video_id" and set(source) <= _VIDEO, "media_source")
    require(set(source) & _COVERS, "media_source")
    second = source.get("cover_image_key_frame_time", 0)
    require(isinstance(second, int) and second >= 0, "cover_image_key_frame_time")
    require(uploads.is_ready(source["media_id"]), "media_id")
    return "video"


def shown(pin: str, kept: Mapping[str, Value]) -> dict[str, Value]:
    """Return a pin as Pinterest shows it."""
    body, is_video = kept["body"], kept["media"] == "video"
    at = kept["at"].astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    texts = {name: body.get(name) for name in (*_TEXTS, "board_section_id")}
    video = {"cover_image_url": None, "duration": None, "width": None, "height": None}
    image = {"images": {"600x": {"width": 600, "height": 400, "url": "https://i.example/6"}}}
    return {
        "id": pin,
        "created_at": kept.get("shown_at", at),
        "board_id": body["board_id"],
        "board_owner": {"username": USERNAME},
        **texts,
        "creative_type": "VIDEO" if is_video else "REGULAR",
        "is_owner": kept["is_owner"],
        "is_standard": True,
        "parent_pin_id": None,
        "has_been_promoted": False,
        "media": {"media_type": kept["media"], **(video if is_video else image)},
        "pin_metrics": None,
    }


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except binascii.Error:
        return False
