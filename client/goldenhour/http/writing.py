"""From the dataclasses of `models` to JSON, for `--json` and for assistants."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime

OWN_FIELDS = frozenset({"etag", "was_there"})
"""What the client itself adds to an answer."""

_LEFT_OUT_IF_NONE = frozenset({"metrics"})


def to_json(value: object) -> object:
    """Return plain JSON with the API's own field names; fields of the client's own are left out."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if is_dataclass(value):
        names = [each.name for each in fields(value) if not each.name.startswith("_")]
        return {
            name: to_json(each)
            for name in names
            if name not in OWN_FIELDS
            and ((each := getattr(value, name)) is not None or name not in _LEFT_OUT_IF_NONE)
        }
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    return value
