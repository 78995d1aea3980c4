"""Subjects of e-mails as encoded words that keep their spaces (RFC 2047, 5 and 6.2). Of `mail`.

White space between two encoded words is none of the text. Python's own folding divides a long text
at spaces and writes some of them there (github.com/python/cpython/issues/92081): one of ten long
subjects with other letters than those of English lost one. Here a text is divided anywhere between
two characters, and each of its spaces stands inside a word.
"""

from base64 import b64encode
from collections.abc import Iterator
from email.policy import EmailPolicy
from typing import Any, Final

_WORD_BYTES: Final = 39
"""A line has 76 characters at most: as Base64 in a word, and after `Subject: `, these are 73."""


class SpacedSubjects(EmailPolicy):
    """Writes each subject as it was set, also where that looks like an encoded word."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:  # noqa: ANN401 - email's
        """Keep a subject as it is."""
        if name.lower() == "subject":
            return name, value
        return super().header_store_parse(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return the lines of a header."""
        if name.lower() != "subject" or (value.isascii() and "=?" not in value):
            return super().fold_binary(name, value)
        words = [b"=?utf-8?b?" + b64encode(part) + b"?=" for part in _parts(value)]
        end = self.linesep.encode()
        return name.encode() + b": " + (end + b" ").join(words) + end


def _parts(text: str) -> Iterator[bytes]:
    """Yield a text in parts of whole characters."""
    part = b""
    for sign in text:
        one = sign.encode()
        if len(part) + len(one) > _WORD_BYTES:
            yield part
            part = b""
        part += one
    yield part
