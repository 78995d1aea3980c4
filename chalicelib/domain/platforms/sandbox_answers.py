"""The word that simulates a platform's answer: `sandbox:answer:<status>:<body>[:<retry-after>]`.

The body is in base64url without `=`, so that any answer of a platform fits into a caption
(docs/api.md "Sandbox"). A word of another form is refused. The word does not count towards the
length of a test account's caption, since answers are longer than most captions may be.
"""

import re
from typing import Final

from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

_ASKED: Final = re.compile(r"sandbox:answer(?![a-z_0-9])(\S*)")
_FORM: Final = re.compile(r":([0-9]{3}):([A-Za-z0-9_-]*)(?::([0-9]{1,6}))?")
_LEAST_STATUS = 200
"""The highest is 999, which LinkedIn answers, although no status above 599 has a meaning."""

LONGEST_BODY: Final = 131_072
"""In base64, that is less than half of what a DynamoDB row can hold."""

_NO_FORM = (
    "Write sandbox:answer:<status>:<body>, the body in base64url without =, and after it, if you"
    " like, :<seconds> for a Retry-After."
)
_NO_STATUS = "The status in sandbox:answer must be from 200 to 999."
_NO_BASE64 = "The body in sandbox:answer is not base64url. Encode it, without the = at its end."
_TOO_LONG = f"The body in sandbox:answer may have at most {LONGEST_BODY:,} bytes."


class UnfitAnswerError(Exception):
    """The word cannot be read; the message says what to write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAnswer:
    """An answer that a caption asks for."""

    status: int
    body: bytes
    retry_after: str | None


def asked_answer(caption: str) -> AskedAnswer | None:
    """Return the answer that a caption asks for, None without one. Raises UnfitAnswerError."""
    asked = _ASKED.search(caption)
    if asked is None:
        return None
    found = _FORM.fullmatch(asked[1])
    if found is None:
        raise UnfitAnswerError(_NO_FORM)
    status, spelled, retry_after = found.groups()
    if int(status) < _LEAST_STATUS:
        raise UnfitAnswerError(_NO_STATUS)
    body = _decode(spelled)
    if len(body) > LONGEST_BODY:
        raise UnfitAnswerError(_TOO_LONG)
    return AskedAnswer(status=int(status), body=body, retry_after=retry_after)


def asks_for_answer(caption: str) -> bool:
    """Tell whether a caption has a word that asks for an answer, readable or not."""
    return _ASKED.search(caption) is not None


def text_that_counts(caption: str, *, test: bool) -> str:
    """Return the part of a caption that counts: for test accounts, without `sandbox:answer`."""
    return _ASKED.sub("", caption) if test else caption


def _decode(spelled: str) -> bytes:
    try:
        return base64url.decode(spelled)
    except ValueError:
        raise UnfitAnswerError(_NO_BASE64) from None
