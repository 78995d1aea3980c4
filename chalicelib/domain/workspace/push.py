"""Notices in browsers (Web Push): a browser's stored subscription, and the messages.

A message says what an e-mail says, without the texts of posts and comments: it passes through the
push service of the browser's vendor, and shows on a locked screen.
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
"""How long nothing is sent to a browser whose service refused a message, unless it says longer."""
LONGEST_REST = timedelta(days=1)
_POINT_BYTES, _SECRET_BYTES = 65, 16
_LONGEST_BODY = 400
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A browser in which a member wants notices, as its push service knows it.

    It gets them as long as the session lasts in which the member asked; that session began at
    `session_since`. `id` is the SHA-256 of the address.
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
        """Tell whether a message may be sent to it again."""
        return self.rests_until is None or now >= self.rests_until


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """A browser's notice and the page that a click opens; it replaces the last of its kind."""

    title: str
    body: str
    path: str
    kind: str

    def to_bytes(self) -> bytes:
        """Return it as JSON for the service worker, far below RFC 8030's limit of 4,096 bytes."""
        told = {"title": self.title, "body": self.body, "path": self.path, "tag": self.kind}
        return json.dumps(told, ensure_ascii=False).encode()


class NotPushed(Exception):
    """A push service refused a message; `retry_after` is how long it asked to wait, if it did."""

    def __init__(self, message: str, retry_after: timedelta | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BrowserGone(Exception):
    """The push service will never accept a message for this browser again."""


class Pusher(Protocol):
    """Sends messages to push services."""

    def send(self, browser: Browser, message: PushMessage) -> None:
        """Send a message to a browser. Raises NotPushed, BrowserGone."""
        ...


def message_of(kind: NoticeKind, matters: Sequence[Matter], workspace: str) -> PushMessage:
    """Return the message about some events of one kind."""
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
    """Return the message of the daily digest; the home page has the details."""
    return PushMessage(title=_cut(title, 120), body="", path="/app", kind=NoticeKind.DIGEST)


def id_of_address(address: str) -> str:
    """Return the id of a browser: the SHA-256 of its address."""
    return hashlib.sha256(address.encode()).hexdigest()


def check_keys(key: str, secret: str) -> None:
    """Check that these can be a browser's public key and secret. Raises InvalidInput."""
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
