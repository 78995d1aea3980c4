"""The sandbox platform's own pages, served beside the API by the local stack only.

    /sandbox                         what all test accounts posted, newest first
    /sandbox/{platform}/{remote_id}  one post as a person would see it; 410 once removed
    /sandbox/posts?account_id=…      the same as JSON, all of it: a test can count (docs/api.md
    "Sandbox")
    /sandbox/posts/{remote_id}/file  the bytes as they would leave; …/cover a cover's

Requests from other machines must be signed in, and see only the test accounts of their own
workspace: the same pages below `/app/sandbox`, where browsers send the session's cookie. Everything
else goes to the API behind it. They have the app's style and its layouts of platforms; templates
escape everything that a client wrote.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote, unquote

from chalicelib.api.doors.crowd import Crowd
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.previews import Preview, preview_of
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.http.messages import json_response
from chalicelib.kit.asgi.exchange import AsgiApp, Exchange, Receive, Scope, Send
from chalicelib.kit.asgi.messages import Request, Response, without_body
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.local.sandbox_sent import SentFile, find_file, sent_json
from chalicelib.storage.sandbox_here import SandboxHere
from chalicelib.web.rendering import render


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A post of the sandbox, and where its file can be fetched if that is still there."""

    entry: SandboxEntry
    media_url: str | None

    @property
    def address(self) -> str:
        """Return the address of the post's own page."""
        entry = self.entry
        return f"/sandbox/{quote(entry.platform.value)}/{quote(entry.remote_id, safe='')}"

    @property
    def sent(self) -> str:
        """Return what the live platform would have received, as text for a person."""
        sent = sent_json(self.entry)
        return "" if sent is None else json.dumps(sent, ensure_ascii=False, indent=2)

    @property
    def alt(self) -> str:
        """Return the alt text that the live platform would have received with the file."""
        return str((self.entry.sent or {}).get("alt_text") or "")

    @property
    def look(self) -> Preview:
        """Return the post's preview, in its platform's layout."""
        entry = self.entry
        kind = None if entry.media_kind is None else MediaKind(entry.media_kind)
        return preview_of(entry.platform, entry.handle, entry.caption, entry.options, kind)


def feed_page(posts: Sequence[ShownEntry]) -> str:
    """Return the page of all posts, in the order given."""
    return render("sandbox/posts.html", title="Sandbox", posts=posts, is_feed=True)


def post_page(post: ShownEntry) -> str:
    """Return the page of one live post."""
    title = f"{post.entry.handle} on {FACTS[post.entry.platform].name}"
    return render("sandbox/posts.html", title=title, posts=[post], is_feed=False)


def sentence_page(sentence: str) -> str:
    """Return a page that only says something."""
    return render("sandbox/page.html", title="Sandbox", sentence=sentence)


_FEED = 100
_HTML = "text/html; charset=utf-8"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' http: https: data:; "
        "media-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

_OPEN, _CLOSED = "/sandbox", "/app/sandbox"
_PROXIED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
_OWN_HOST = re.compile(r"(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?", re.IGNORECASE)

Reply = Response | SentFile

MediaUrl = Callable[[str], str | None]
Accounts = Callable[[str], frozenset[str] | None]
"""The accounts that the member of a Cookie header may see; None if nobody is signed in."""


class SandboxPages:
    """An ASGI app that answers `/sandbox…` itself and passes the rest on."""

    def __init__(
        self,
        api: AsgiApp,
        store: SandboxHere,
        media_url: MediaUrl,
        accounts: Accounts,
        crowd: Crowd,
        *,
        is_exposed: bool,
    ) -> None:
        """Show everything to this machine's user; `is_exposed` tells that others may reach it."""
        self._api = api
        self._store = store
        self._media_url = media_url
        self._accounts = accounts
        self._crowd = crowd
        self._is_exposed = is_exposed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it to the API."""
        path = str(scope.get("path", ""))
        prefix = next((each for each in (_OPEN, _CLOSED) if _is_below(path, each)), None)
        if prefix is None:
            await self._api(scope, receive, send)
            return
        exchange = Exchange(scope, receive, send)
        asked, rest = exchange.request(), path.removeprefix(prefix)
        reply: Reply
        if exchange.method not in ("GET", "HEAD"):
            reply = _sentence(HTTPStatus.METHOD_NOT_ALLOWED, "These pages can only be looked at.")
        elif prefix == _CLOSED:
            reply = await self._crowd.answer(lambda: self._refuse_stranger(rest, asked))
        elif self._is_exposed or not _is_own(asked.headers):
            reply = _send_on(_CLOSED + rest, str(scope["query_string"], "latin-1"))
        else:
            reply = await self._crowd.answer(lambda: self._reply(rest, asked, None))
        await _send(exchange, reply)

    def _refuse_stranger(self, path: str, asked: Request) -> Reply:
        accounts = self._accounts(asked.headers.get("cookie", ""))
        if accounts is None:
            sentence = "Sign in to the app first: these pages show what your accounts posted."
            return _sentence(HTTPStatus.UNAUTHORIZED, sentence)
        return self._reply(path, asked, accounts)

    def _reply(self, path: str, asked: Request, accounts: frozenset[str] | None) -> Reply:
        """Answer with the entries of these accounts, or, with None, of all accounts."""
        match [unquote(part) for part in path.strip("/").split("/")]:
            case [""]:
                newest = self._newest_entries(None, accounts)[:_FEED]
                return _page(HTTPStatus.OK, feed_page([self._show_entry(one) for one in newest]))
            case ["posts"]:
                account_id = next(iter(asked.query.get("account_id", ())), None) or None
                found = [_json(entry) for entry in self._newest_entries(account_id, accounts)]
                return json_response(HTTPStatus.OK, {"data": found}, _HEADERS)
            case ["posts", remote_id, which]:
                return self._file(remote_id, which, accounts)
            case [platform, remote_id]:
                return self._post(platform, remote_id, accounts)
        return _sentence(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _newest_entries(
        self, account_id: str | None, accounts: frozenset[str] | None
    ) -> list[SandboxEntry]:
        found = self._store.newest(account_id)
        return [entry for entry in found if accounts is None or entry.account_id in accounts]

    def _post(self, platform: str, remote_id: str, accounts: frozenset[str] | None) -> Reply:
        known = platform in {each.value for each in Platform}
        entry = self._store.get(Platform(platform), remote_id) if known else None
        if entry is None or (accounts is not None and entry.account_id not in accounts):
            return _sentence(HTTPStatus.NOT_FOUND, "There is no such post.")
        if entry.removed:
            return _sentence(HTTPStatus.GONE, "This post was removed.")
        return _page(HTTPStatus.OK, post_page(self._show_entry(entry)))

    def _file(self, remote_id: str, which: str, accounts: frozenset[str] | None) -> Reply:
        """Return a file sent with a post; it is kept as long as its entry, removed or not."""
        found = (self._store.get(platform, remote_id) for platform in Platform)
        entry = next((one for one in found if one is not None), None)
        if entry is None or (accounts is not None and entry.account_id not in accounts):
            return _sentence(HTTPStatus.NOT_FOUND, "There is no such post.")
        kept = find_file(entry, which, self._store.files)
        return kept or _sentence(HTTPStatus.NOT_FOUND, "The post went out without such a file.")

    def _show_entry(self, entry: SandboxEntry) -> ShownEntry:
        return ShownEntry(entry, self._media_url(entry.media_id) if entry.media_id else None)


def _is_own(headers: Mapping[str, str]) -> bool:
    """Tell whether this machine's user asks: not by a proxy, nor by a host name of another site."""
    host = headers.get("host", "")
    is_local = not host or _OWN_HOST.fullmatch(host) is not None
    return is_local and not any(name in headers for name in _PROXIED)


def _is_below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")


def _page(status: HTTPStatus, text: str) -> Response:
    return Response(status=status, headers={"Content-Type": _HTML, **_HEADERS}, body=text.encode())


def _sentence(status: HTTPStatus, sentence: str) -> Response:
    return _page(status, sentence_page(sentence))


def _send_on(path: str, query: str) -> Response:
    target = quote(f"{path}?{query}" if query else path, safe="/?=&%~")
    headers = {"Location": target, "Content-Length": "0"}
    return Response(status=HTTPStatus.SEE_OTHER, headers=headers)


def _json(entry: SandboxEntry) -> dict[str, Json]:
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
        "sent": sent_json(entry),
    }


async def _send(exchange: Exchange, reply: Reply) -> None:
    is_head = exchange.method == "HEAD"
    if isinstance(reply, Response):
        await exchange.answer(without_body(reply) if is_head else reply)
    elif is_head:
        await exchange.answer(reply.head)
    else:
        await exchange.stream(reply.head, reply.pieces())
