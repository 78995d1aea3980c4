"""An answer of a platform, and how to read what is in it without trusting its shape.

`http.py` returns one for every call that was taken. What should be there and is not makes the
answer unreadable, which on an irreversible step is a doubt, and where one only looks no proof.
"""

import json
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.failures import UnansweredError

_LONGEST_SECOND = 11
"""A second of 12 digits may be after the year 9999, where calendars end."""


def find(value: Json, *path: str | int) -> Json:
    """Return what stands at a path of keys and places, or None."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def count(value: Json, *path: str | int) -> int:
    """Return the whole number at a path, 0 where there is none."""
    found = find(value, *path)
    return int(found) if isinstance(found, int | float) else 0


def moment(value: Json) -> datetime | None:
    """Read a time with its zone as ISO 8601 has it, None where there is none."""
    try:
        read = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return read if read.tzinfo is not None else None


def of_epoch(value: Json) -> datetime | None:
    """Read a time in seconds since 1970, None where there is none."""
    second = whole_number(value, _LONGEST_SECOND)
    return None if second is None else datetime.fromtimestamp(second, UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformResponse:
    """What came back: header names ignore case. `sent` are the texts that the call carried."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    sent: tuple[str, ...] = field(default=(), repr=False)

    def json(self) -> Json:
        """Return the body's JSON. Raises UnansweredError."""
        try:
            value: Json = json.loads(self.body)
        except ValueError:
            raise self.unreadable("was no JSON") from None
        return value

    def find(self, *path: str | int) -> Json:
        """Return what stands at a path of the body, None if nothing does or it is no JSON."""
        try:
            value: Json = json.loads(self.body)
        except ValueError:
            return None
        return find(value, *path)

    def text(self, *path: str | int) -> str:
        """Return the text, or the number as text, at a path. Raises UnansweredError."""
        found = find(self.json(), *path)
        if isinstance(found, bool) or not isinstance(found, str | int) or found == "":
            raise self.unreadable(f"lacks {'.'.join(map(str, path))}")
        return str(found)

    def whole_number(self, *path: str | int) -> int:
        """Return the number from 0 up, or the text that says one, at a path.

        Raises UnansweredError.
        """
        found = whole_number(find(self.json(), *path))
        if found is None:
            raise self.unreadable(f"lacks the number {'.'.join(map(str, path))}")
        return found

    def items(self, *path: str | int) -> list[Json]:
        """Return the list at a path, empty where there is none."""
        found = self.find(*path)
        return found if isinstance(found, list) else []

    def require_list(self, *path: str | int) -> list[Json]:
        """Return the list at a path. Raises UnansweredError: what is no list is no empty one."""
        found = self.find(*path)
        if not isinstance(found, list):
            raise self.unreadable(f"lacks the list {'.'.join(map(str, path))}")
        return found

    def unreadable(self, why: str) -> UnansweredError:
        """Return the error of an answer that does not say what it should, with the answer."""
        error = UnansweredError(f"An answer with status {self.status} {why}.")
        error.answer = self
        return error
