"""The sandbox platform's pages: for people to look at, and for tests to count."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.local.sandbox.pages import SandboxPages
from chalicelib.local.stack_modules import Message, Receive, Scope, Send
from chalicelib.storage.sandbox.file import SqliteSandboxStore

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def an_entry(number: int = 1, *, caption: str = "Hello", account_id: str = "a") -> SandboxEntry:
    return SandboxEntry(
        remote_id=f"r{number}",
        account_id=account_id,
        platform=Platform.GOOGLE_BUSINESS_PROFILE,
        handle="Café",
        caption=caption,
        media_id="m1",
        media_kind=MediaKind.IMAGE.value,
        target_id="t1",
        created_at=NOON + timedelta(minutes=number),
        visible_at=NOON,
    )


@pytest.fixture
def store(tmp_path: Path) -> SqliteSandboxStore:
    return SqliteSandboxStore(tmp_path / "sandbox.db")


@pytest.fixture
def pages(store: SqliteSandboxStore) -> SandboxPages:
    return SandboxPages(_api, store, {"m1": "http://files/m1?a=1&b=2"}.get)


async def _api(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b"the API"})


def ask(
    pages: SandboxPages, path: str, query: str = "", method: str = "GET"
) -> tuple[int, Mapping[bytes, bytes], str]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    scope: Scope = {"type": "http", "method": method, "path": path, "query_string": query.encode()}
    asyncio.run(pages(scope, receive, send))
    start, body = sent
    status, headers, content = start["status"], start["headers"], body["body"]
    assert isinstance(status, int)
    assert isinstance(headers, list)
    assert isinstance(content, bytes)
    return status, dict(headers), content.decode()


def test_the_feed_shows_the_newest_first(pages: SandboxPages, store: SqliteSandboxStore) -> None:
    store.take(an_entry(1, caption="first"))
    store.take(an_entry(2, caption="second"))

    status, _, page = ask(pages, "/sandbox")

    assert status == 200
    assert page.index("second") < page.index("first")


def test_what_a_client_wrote_is_escaped_and_no_script_may_run(
    pages: SandboxPages, store: SqliteSandboxStore
) -> None:
    store.take(an_entry(caption="<script>alert(1)</script>"))

    _, headers, page = ask(pages, "/sandbox")

    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"


def test_a_post_looks_like_one(pages: SandboxPages, store: SqliteSandboxStore) -> None:
    store.take(an_entry())

    status, _, page = ask(pages, "/sandbox/google business profile/r1")

    assert status == 200
    for shown in ("Café", "Google Business Profile", "Hello", "21 November 2026, 12:01:00 UTC"):
        assert shown in page
    assert '<img alt="" src="http://files/m1?a=1&amp;b=2">' in page


@pytest.mark.parametrize(
    "path", ["/sandbox/x/r1", "/sandbox/nothing/r1", "/sandbox/google business profile/r2"]
)
def test_a_post_that_never_was_is_404(
    pages: SandboxPages, store: SqliteSandboxStore, path: str
) -> None:
    store.take(an_entry())

    assert ask(pages, path)[0] == 404


def test_a_removed_post_says_so(pages: SandboxPages, store: SqliteSandboxStore) -> None:
    store.take(an_entry())
    store.remove(Platform.GOOGLE_BUSINESS_PROFILE, "r1")

    status, _, page = ask(pages, "/sandbox/google business profile/r1")

    assert status == 410
    assert "removed" in page
    assert "Hello" not in page


def test_every_post_of_an_account_is_counted(
    pages: SandboxPages, store: SqliteSandboxStore
) -> None:
    for number in range(300):
        store.take(an_entry(number, account_id="many"))
    store.take(an_entry(300, account_id="one"))

    _, headers, many = ask(pages, "/sandbox/posts", "account_id=many")
    _, _, everything = ask(pages, "/sandbox/posts")

    assert headers[b"content-type"] == b"application/json"
    assert len(json.loads(many)["data"]) == 300
    assert json.loads(everything)["data"][0]["remote_id"] == "r300"
    assert set(json.loads(everything)["data"][0]) >= {
        *("remote_id", "account_id", "platform", "caption", "media_kind"),
        *("created_at", "removed", "target_id"),
    }


def test_the_pages_can_only_be_looked_at(pages: SandboxPages) -> None:
    assert ask(pages, "/sandbox", method="POST")[0] == 405


def test_every_other_path_is_the_apis(pages: SandboxPages) -> None:
    assert ask(pages, "/sandboxes")[2] == "the API"
