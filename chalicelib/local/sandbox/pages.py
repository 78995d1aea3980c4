"""The sandbox platform's own pages, served beside the API by the local stack only.

    /sandbox                         what all test accounts posted, newest first
    /sandbox/{platform}/{remote_id}  one post as a person would see it; 410 once removed
    /sandbox/posts?account_id=…      the same as JSON, all of it: a test can count (docs/api.md
    "Sandbox")

Everything else goes to the API behind it.
"""

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import parse_qs, unquote

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.local.sandbox.html import feed_page, post_page, sentence_page
from chalicelib.local.stack_modules import AsgiApp, Receive, Scope, Send
from chalicelib.storage.sandbox.file import SqliteSandboxStore

_FEED = 200
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' http: https:; "
    "media-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

Reply = tuple[HTTPStatus, str, str]
MediaUrl = Callable[[str], str | None]


class SandboxPages:
    """An ASGI app that answers `/sandbox…` itself and hands the rest on."""

    def __init__(self, api: AsgiApp, store: SqliteSandboxStore, media_url: MediaUrl) -> None:
        self._api = api
        self._store = store
        self._media_url = media_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or let the API do it."""
        path = str(scope.get("path", ""))
        if path != "/sandbox" and not path.startswith("/sandbox/"):
            await self._api(scope, receive, send)
            return
        query = scope.get("query_string", b"")
        text = query.decode("latin-1") if isinstance(query, bytes) else ""
        if scope.get("method") not in ("GET", "HEAD"):
            reply = _sentence(HTTPStatus.METHOD_NOT_ALLOWED, "These pages can only be looked at.")
        else:
            reply = await asyncio.to_thread(self._reply, path, text)
        await _send(send, reply, body=scope.get("method") != "HEAD")

    def _reply(self, path: str, query: str) -> Reply:
        match [unquote(part) for part in path.strip("/").split("/")]:
            case ["sandbox"]:
                return HTTPStatus.OK, _HTML, feed_page(self._store.newest(limit=_FEED))
            case ["sandbox", "posts"]:
                account_id = parse_qs(query).get("account_id", [None])[0]
                found = [_json(entry) for entry in self._store.newest(account_id)]
                return HTTPStatus.OK, _JSON, json.dumps({"data": found})
            case ["sandbox", platform, remote_id]:
                return self._post(platform, remote_id)
        return _sentence(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _post(self, platform: str, remote_id: str) -> Reply:
        known = platform in {each.value for each in Platform}
        entry = self._store.get(Platform(platform), remote_id) if known else None
        if entry is None:
            return _sentence(HTTPStatus.NOT_FOUND, "There is no such post.")
        if entry.removed:
            return _sentence(HTTPStatus.GONE, "This post was removed.")
        url = self._media_url(entry.media_id) if entry.media_id else None
        return HTTPStatus.OK, _HTML, post_page(entry, url)


def _sentence(status: HTTPStatus, sentence: str) -> Reply:
    return status, _HTML, sentence_page(sentence)


def _json(entry: SandboxEntry) -> dict[str, str | bool | None]:
    return {
        "remote_id": entry.remote_id,
        "account_id": entry.account_id,
        "platform": entry.platform.value,
        "caption": entry.caption,
        "media_kind": entry.media_kind,
        "media_id": entry.media_id,
        "created_at": entry.created_at.isoformat(),
        "removed": entry.removed,
        "target_id": entry.target_id,
    }


async def _send(send: Send, reply: Reply, *, body: bool) -> None:
    status, content_type, text = reply
    content = text.encode()
    headers = {
        "content-type": content_type,
        "content-length": str(len(content)),
        "content-security-policy": _POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(status), "headers": pairs})
    await send({"type": "http.response.body", "body": content if body else b""})
