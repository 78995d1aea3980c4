"""The word that plays a platform's answer: `sandbox:answer:<status>:<body>[:<retry-after>]`.

The body stands in base64url without `=`, so that whatever a platform says fits into a caption
(docs/api.md "Sandbox"). A word of another form is the caption's fault and never a silent success.
It counts as nothing of a test account's caption: an answer is longer than most captions may be.
"""

import re
from typing import Final

from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

_ASKED: Final = re.compile(r"sandbox:answer(?![a-z_0-9])(\S*)")
_FORM: Final = re.compile(r":([0-9]{3}):([A-Za-z0-9_-]*)(?::([0-9]{1,6}))?")
_LEAST_STATUS = 200
"""Above 599 no status has a meaning, but LinkedIn answers 999."""

LONGEST_BODY: Final = 131_072
"""In base64 that is less than half of what a row of DynamoDB holds."""

_NO_FORM = (
    "Write sandbox:answer:<status>:<body>, the body in base64url without =, and perhaps"
    " :<seconds> of a Retry-After behind it."
)
_NO_STATUS = "The status in sandbox:answer must be from 200 to 999."
_NO_BASE64 = "The body in sandbox:answer is no base64url. Encode it, without the = at its end."
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
    """Tell whether a caption has a word that asks for an answer, of whatever form."""
    return _ASKED.search(caption) is not None


def text_that_counts(caption: str, *, test: bool) -> str:
    """Return what of a caption counts: a test account's without the answer that it asks for."""
    return _ASKED.sub("", caption) if test else caption


def _decode(spelled: str) -> bytes:
    try:
        return base64url.decode(spelled)
    except ValueError:
        raise UnfitAnswerError(_NO_BASE64) from None
