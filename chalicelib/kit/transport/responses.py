"""An answer of a platform, and how to read what is in it without trusting its shape.

Connectors get one for every call that was answered. If it lacks what it should contain, it is
unreadable: after an irreversible step, the step is then in doubt; after a read, nothing is proven.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from urllib.parse import SplitResult, urlsplit

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json, is_identifier, whole_number
from chalicelib.kit.transport.failures import UnansweredError

_LONGEST_SECOND = 11
"""A second of 12 digits may be after the year 9999, where calendars end."""
_LONGEST = 8_192
"""No token, name or address that an answer tells is longer: rows and heads of calls have it."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""The escape of one half of a pair (RFC 8259, 8.2), which no text can be made of without the other.
"""


def find(value: Json, *path: str | int) -> Json:
    """Return the value at a path of keys and indexes, None if there is none."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def count(value: Json, *path: str | int) -> int:
    """Return the whole number at a path, 0 if there is none; JSON numbers can be infinite."""
    found = find(value, *path)
    if isinstance(found, float) and not math.isfinite(found):
        return 0
    return int(found) if isinstance(found, int | float) else 0


def moment(value: Json) -> datetime | None:
    """Return an ISO 8601 time, which must name its zone; None for any other value."""
    try:
        read = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return read if read.tzinfo is not None else None


def of_epoch(value: Json) -> datetime | None:
    """Read a time in seconds since 1970, None where there is none."""
    second = whole_number(value, _LONGEST_SECOND)
    return None if second is None else datetime.fromtimestamp(second, UTC)


def identifier_in(value: Json, *path: str | int) -> str:
    """Return the text or whole number that names one of a list. Raises UnansweredError."""
    found = _spell(find(value, *path))
    if not is_identifier(found):
        raise UnansweredError("What an answer lists has no name.")
    return found


def _spell(value: Json) -> str:
    """Return a text or whole number as text, which is empty for any other value."""
    is_one = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value) if is_one else ""


def split_address(named: str) -> SplitResult:
    """Read an address that an answer names. Raises UnansweredError for one that is none."""
    try:
        return urlsplit(named)
    except ValueError:  # such as `https://[bread`: the standard library reads it as IPv6
        raise UnansweredError("An answer named an address that is none.") from None


def token_of(value: Json) -> str | None:
    """Return a token, None for what the head of a call cannot carry (RFC 6749, A.12)."""
    is_one = isinstance(value, str) and value.isascii() and value.isprintable()
    return str(value) if is_one and 0 < len(str(value)) <= _LONGEST else None


def read_json(said: bytes | str) -> Json:
    """Return a JSON value, with signs in the place of half a pair: no row can have that.

    Raises ValueError, also for a text that nests thousands of lists.
    """
    text = said if isinstance(said, str) else said.decode(json.detect_encoding(said))
    try:
        value: Json = json.loads(text)
        if _HALF.search(text) is None:
            return value
        spelled = json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")
        whole: Json = json.loads(spelled.decode(errors="replace"))
    except RecursionError:
        raise ValueError("It is nested too deep.") from None
    return whole


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformResponse:
    """What came back; header names ignore case, `sent` are the texts that the call contained."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    sent: tuple[str, ...] = field(default=(), repr=False)

    def json(self) -> Json:
        """Return the body's JSON value. Raises UnansweredError if it is not JSON."""
        try:
            value = read_json(self.body)
        except ValueError:
            raise self.unreadable("was no JSON") from None
        return value

    def find(self, *path: str | int) -> Json:
        """Return the value at a path of the body, None if there is none or it is not JSON."""
        try:
            value = read_json(self.body)
        except ValueError:
            return None
        return find(value, *path)

    def text(self, *path: str | int) -> str:
        """Return the non-empty text or whole number at a path, as text. Raises UnansweredError."""
        text = _spell(find(self.json(), *path))
        if not 0 < len(text) <= _LONGEST:
            raise self.unreadable(f"lacks {'.'.join(map(str, path))}")
        return text

    def identifier(self, *path: str | int) -> str:
        """Return the text or whole number at a path, which names something.

        Raises UnansweredError.
        """
        found = self.text(*path)
        if not is_identifier(found):
            raise self.unreadable(f"lacks the name {'.'.join(map(str, path))}")
        return found

    def token(self, *path: str | int) -> str:
        """Return the token at a path. Raises UnansweredError."""
        found = token_of(find(self.json(), *path))
        if found is None:
            raise self.unreadable(f"lacks the token {'.'.join(map(str, path))}")
        return found

    def whole_number(self, *path: str | int) -> int:
        """Return the number from 0 up, or the text that says one, at a path.

        Raises UnansweredError.
        """
        found = whole_number(find(self.json(), *path))
        if found is None:
            raise self.unreadable(f"lacks the number {'.'.join(map(str, path))}")
        return found

    def items(self, *path: str | int) -> list[Json]:
        """Return the list at a path, an empty one if there is none."""
        found = self.find(*path)
        return found if isinstance(found, list) else []

    def require_list(self, *path: str | int) -> list[Json]:
        """Return the list at a path. Raises UnansweredError if there is none."""
        found = self.find(*path)
        if not isinstance(found, list):
            raise self.unreadable(f"lacks the list {'.'.join(map(str, path))}")
        return found

    def unreadable(self, why: str) -> UnansweredError:
        """Return the error to raise for an answer that lacks what it should contain."""
        error = UnansweredError(f"An answer with status {self.status} {why}.")
        error.answer = self
        return error
