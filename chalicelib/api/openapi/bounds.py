"""Bounds of what the description speaks of: no text, list or number in it is without one.

`document` hands it each schema. What a model declares stands; what it leaves open gets the bound
that holds for it anyway: of a text that of the row that keeps it, of a list that of an answer, of a
number what every reader of JSON holds. Requests that a bound refuses are refused by the models.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from chalicelib.api.http.fields import MOST_TEXT_BYTES
from chalicelib.domain.media.media import LARGEST_FILE_BYTES, LONGEST_ALT_TEXT, LONGEST_FILENAME
from chalicelib.domain.posts.drafting import MOST_TARGETS
from chalicelib.http.messages import JsonObject
from chalicelib.kit.json_value import Json

MOST_ROW_BYTES: Final = 400 * 1024
"""DynamoDB keeps no larger row, and so no longer text."""

MOST_LISTED: Final = 100_000
"""An answer has at most 6 MB in Lambda, and what is listed at least 60 bytes each."""

MOST_EXACT: Final = 2**53 - 1
"""The largest whole number that every reader of JSON holds as it is."""

_MOST_INT32: Final = 2**31 - 1
_LONGEST_ZONE: Final = 64
_PAGE: Final = 200

OUR_ID: Final[JsonObject] = {"pattern": "^[0-9a-f]{32}$", "maxLength": 32}

_NO_TEXTS: Final = frozenset({"date-time", "date", "binary"})
"""A format bounds these. Clients keep them as other than text, and those made for PHP, C#, Java and
Python fail at a length of such (github.com/OpenAPITools/openapi-generator/issues/24229)."""

_BY_NAME: Final = MappingProxyType[str, JsonObject](
    {
        **dict.fromkeys(("id", "media_id", "account_id", "target_id", "workspace_id"), OUR_ID),
        "media_ids": {"items": OUR_ID},
        "label_ids": {"items": OUR_ID},
        "remove": {"items": OUR_ID},
        "filename": {"maxLength": LONGEST_FILENAME},
        "alt_text": {"maxLength": LONGEST_ALT_TEXT},
        "timezone": {"maxLength": _LONGEST_ZONE},
        "time": {"maxLength": len("09:00"), "pattern": "^[0-9]{2}:[0-9]{2}$"},
        "size_bytes": {"minimum": 1, "maximum": LARGEST_FILE_BYTES},
        "width": {"minimum": 1},
        "height": {"minimum": 1},
        "targets": {"maxItems": MOST_TARGETS},
    }
)
"""What a field of this name is everywhere, where its model does not say more."""

_OF: Final = MappingProxyType[str, Mapping[str, JsonObject]](
    {
        # A choice's id is the platform's.
        "ChoiceOut": {"id": {}},
        "PostsOut": {"data": {"maxItems": _PAGE}},
        "MediaListOut": {"data": {"maxItems": _PAGE}},
        "PlatformAnswerOut": {"status": {"minimum": 100, "maximum": 599}},
        "GoldenHoursOut": {"activity": {"items": {"minimum": 0}}},
    }
)
"""What a field of one schema is, beside or against its name."""


def bound_schema(name: str, schema: JsonObject) -> JsonObject:
    """Return a schema of the description with a bound for each text, list and number."""
    fields = schema.get("properties")
    own, longest = _OF.get(name, {}), _longest_text(name)
    if not isinstance(fields, dict):
        return _add_bounds(schema, {}, longest)
    within = {
        field: _add_bounds(about, own.get(field, _BY_NAME.get(field, {})), longest)
        for field, about in fields.items()
        if isinstance(about, dict)
    }
    return {**schema, "properties": {**fields, **within}}


def bound_parameter(schema: JsonObject) -> JsonObject:
    """Return the schema of a parameter or header with its bounds."""
    return _add_bounds(schema, {}, MOST_TEXT_BYTES)


def _longest_text(name: str) -> int:
    """Return what a text of a schema is at most: a body's is refused beyond what is stored."""
    return MOST_TEXT_BYTES if name.endswith("In") else MOST_ROW_BYTES


def _add_bounds(schema: JsonObject, known: JsonObject, longest: int) -> JsonObject:
    """Return a schema with what is known of its field, and else with the bounds of its type."""
    schema = {**schema, **_within(schema, known, longest)}
    match schema.get("type"):
        case "string" if not {"enum", "const"} & schema.keys():
            own = {} if schema.get("format") in _NO_TEXTS else {"maxLength": longest}
            return {**own, **known, **schema}
        case "integer":
            return _whole({"minimum": 0, "maximum": MOST_EXACT, **known, **schema})
        case "array":
            most = {name: value for name, value in known.items() if name != "items"}
            return {"maxItems": MOST_LISTED, **most, **schema}
        case _:
            return schema


def _within(schema: JsonObject, known: JsonObject, longest: int) -> JsonObject:
    """Return the parts of a schema that are schemas themselves, each bounded."""
    parts: dict[str, Json] = {}
    of_items = known.get("items")
    inner = of_items if isinstance(of_items, dict) else {}
    for name, of_part in (("items", inner), ("additionalProperties", {})):
        part = schema.get(name)
        if isinstance(part, dict):
            parts[name] = _add_bounds(part, of_part, longest)
    either = schema.get("anyOf")
    if isinstance(either, list):
        parts["anyOf"] = [
            _add_bounds(one, known, longest) if isinstance(one, dict) else one for one in either
        ]
    fields = schema.get("properties")
    if isinstance(fields, dict):
        parts["properties"] = {
            name: _add_bounds(one, {}, longest) if isinstance(one, dict) else one
            for name, one in fields.items()
        }
    return parts


def _whole(schema: JsonObject) -> JsonObject:
    most = schema["maximum"]
    is_small = isinstance(most, int) and most <= _MOST_INT32
    return {"format": "int32" if is_small else "int64", **schema}
