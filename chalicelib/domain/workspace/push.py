"""Browsers that are told by Web Push beside mail: what is kept of one, and how a message reads.

A message says what a letter says, without the texts of posts and comments: it passes through the
browser maker's service, and shows on a locked screen.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import field
from datetime import datetime, timedelta
from typing import Protocol

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.notices import Matter, NoticeKind, title_of
from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

MOST_BROWSERS = 10
REST = timedelta(minutes=10)
"""How long a browser is let alone whose service did not take a message, unless it says longer."""
LONGEST_REST = timedelta(days=1)
_POINT_BYTES, _SECRET_BYTES = 65, 16
_LONGEST_BODY = 400
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A browser that a member wants to be told in, as its push service knows it.

    It is told for as long as the session that asked for it lasts: `session_since` is when that
    session of the person began. `id` is the SHA-256 of the address.
    """

    id: str
    workspace_id: str
    member_id: str
    person_id: str
    session_since: datetime
    address: str = field(repr=False)
    key: str = field(repr=False)
    secret: str = field(repr=False)
    device: str
    created_at: datetime
    rests_until: datetime | None = None

    def is_awake(self, now: datetime) -> bool:
        """Tell whether its service may be asked."""
        return self.rests_until is None or now >= self.rests_until


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """What a browser shows, and the page that a click opens; one of a kind replaces the last."""

    title: str
    body: str
    path: str
    kind: str

    def to_bytes(self) -> bytes:
        """Return it as the service worker reads it: far below the 4,096 bytes of RFC 8030."""
        told = {"title": self.title, "body": self.body, "path": self.path, "tag": self.kind}
        return json.dumps(told, ensure_ascii=False).encode()


class NotPushed(Exception):
    """A push service did not take a message; `retry_after` is how long it asked to be let alone."""

    def __init__(self, message: str, retry_after: timedelta | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BrowserGone(Exception):
    """The push service, or the address, will never take a message for this browser again."""


class Pusher(Protocol):
    """What hands messages to push services."""

    def send(self, browser: Browser, message: PushMessage) -> None:
        """Hand a message over. Raises NotPushed, BrowserGone."""
        ...


def message_of(kind: NoticeKind, matters: Sequence[Matter], workspace: str) -> PushMessage:
    """Return the message that tells some matters of one kind."""
    lines = [_first_line(matter.sentence) for matter in matters[:_SHOWN]]
    if len(matters) > _SHOWN:
        lines.append(f"And {len(matters) - _SHOWN} more.")
    return PushMessage(
        title=f"{title_of(kind, matters)}: {_cut(workspace, 80)}",
        body=_cut("\n".join(lines), _LONGEST_BODY),
        path=matters[0].path if len(matters) == 1 else "/app",
        kind=kind,
    )


def digest_message(title: str) -> PushMessage:
    """Return the message that tells of a morning; the home page has the rest."""
    return PushMessage(title=_cut(title, 120), body="", path="/app", kind=NoticeKind.DIGEST)


def id_of_address(address: str) -> str:
    """Return what a browser is known by."""
    return hashlib.sha256(address.encode()).hexdigest()


def check_keys(key: str, secret: str) -> None:
    """Look whether these are the keys of a browser. Raises InvalidInput."""
    point = _bytes_of(key)
    if len(point) != _POINT_BYTES or point[0] != 4 or len(_bytes_of(secret)) != _SECRET_BYTES:  # noqa: PLR2004 - an uncompressed point begins so
        raise InvalidInput("The browser's keys cannot be read. Try again.", loc=("body", "key"))


def _bytes_of(text: str) -> bytes:
    try:
        return base64url.decode(text)
    except ValueError:
        return b""


def _first_line(sentence: str) -> str:
    """Return a sentence without the text of a post or comment, which follows an empty line."""
    return " ".join(sentence.partition("\n\n")[0].split()).removesuffix(" The text:")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
