"""The sandbox platform's pages: for people to look at, and for tests to count."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from chalicelib.api.doors.crowd import strangers
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.kit.asgi.exchange import AsgiApp, Message, Receive, Scope, Send
from chalicelib.kit.json_value import Json
from chalicelib.local.front.proxies import LOOPBACK, TrustedProxies, WrongNetwork, networks
from chalicelib.local.sandbox_pages import SandboxPages
from chalicelib.storage.sandbox_here import SandboxHere
from tests.support.closed_at_end import closed_at_end

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
def store(tmp_path: Path) -> SandboxHere:
    return closed_at_end(SandboxHere(tmp_path))


@pytest.fixture
def pages(store: SandboxHere) -> SandboxPages:
    return _pages(store, is_exposed=False)


def _pages(store: SandboxHere, *, is_exposed: bool) -> SandboxPages:
    links = {"m1": "http://files/m1?a=1&b=2"}.get
    members = {"session=ada": frozenset({"a"})}.get
    return SandboxPages(_api, store, links, members, strangers(), is_exposed=is_exposed)


async def _api(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b"the API"})


def ask(
    pages: AsgiApp,
    path: str,
    query: str = "",
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    client: str = "127.0.0.1",
) -> tuple[int, Mapping[bytes, bytes], str]:
    status, fields, content = _ask(pages, path, query, method, headers, client)
    return status, fields, content.decode()


def ask_bytes(
    pages: AsgiApp, path: str, headers: Mapping[str, str] | None = None
) -> tuple[int, Mapping[bytes, bytes], bytes]:
    return _ask(pages, path, "", "GET", headers, "127.0.0.1")


def _ask(
    pages: AsgiApp,
    path: str,
    query: str,
    method: str,
    headers: Mapping[str, str] | None,
    client: str,
) -> tuple[int, Mapping[bytes, bytes], bytes]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError("the client stays until it is answered")

    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in (headers or {}).items()],
        "client": (client, 50_000),
    }

    async def answered() -> None:
        await pages(scope, receive, send)

    asyncio.run(answered())
    start, *pieces = sent
    status, fields = start["status"], start["headers"]
    content = b"".join(cast("bytes", piece["body"]) for piece in pieces)
    assert isinstance(status, int)
    assert isinstance(fields, list)
    return status, dict(fields), content


def test_the_feed_shows_the_newest_first(pages: SandboxPages, store: SandboxHere) -> None:
    store.take(an_entry(1, caption="first"))
    store.take(an_entry(2, caption="second"))

    status, _, page = ask(pages, "/sandbox")

    assert status == 200
    assert page.index("second") < page.index("first")


def test_the_feed_shows_files_and_what_a_platform_marks(
    pages: SandboxPages, store: SandboxHere
) -> None:
    words = {"caption": "Rye #bread at https://lumen.example", "platform": Platform.LINKEDIN}
    store.take(replace(an_entry(), **words, media_kind=MediaKind.VIDEO.value))  # type: ignore[arg-type]  # as declared

    _, _, page = ask(pages, "/sandbox")

    assert '<span class="marked marked-tag">#bread</span>' in page
    assert '<span class="marked marked-link">https://lumen.example</span>' in page
    assert '<video controls preload="metadata" src="http://files/m1?a=1&amp;b=2"' in page


def test_what_a_client_wrote_is_escaped_and_no_script_may_run(
    pages: SandboxPages, store: SandboxHere
) -> None:
    store.take(an_entry(caption="<script>alert(1)</script>"))

    _, headers, page = ask(pages, "/sandbox")

    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"


def test_a_post_looks_like_one(pages: SandboxPages, store: SandboxHere) -> None:
    store.take(an_entry())

    status, _, page = ask(pages, "/sandbox/google business profile/r1")

    assert status == 200
    for shown in ("Café", "Google Business Profile", "Hello", "21 November 2026, 12:01:00 UTC"):
        assert shown in page
    assert 'src="http://files/m1?a=1&amp;b=2"' in page
    assert 'href="/sandbox"' in page


@pytest.mark.parametrize(
    "path", ["/sandbox/x/r1", "/sandbox/nothing/r1", "/sandbox/google business profile/r2"]
)
def test_a_post_that_never_was_is_404(pages: SandboxPages, store: SandboxHere, path: str) -> None:
    store.take(an_entry())

    assert ask(pages, path)[0] == 404


def test_a_removed_post_says_so(pages: SandboxPages, store: SandboxHere) -> None:
    store.take(an_entry())
    store.remove(Platform.GOOGLE_BUSINESS_PROFILE, "r1")

    status, _, page = ask(pages, "/sandbox/google business profile/r1")

    assert status == 410
    assert "removed" in page
    assert "Hello" not in page


def test_every_post_of_an_account_is_counted(pages: SandboxPages, store: SandboxHere) -> None:
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


def test_from_beyond_this_machine_the_pages_are_for_members_alone(
    store: SandboxHere,
) -> None:
    store.take(an_entry(1, caption="ours", account_id="a"))
    store.take(an_entry(2, caption="theirs", account_id="b"))
    exposed, ada = _pages(store, is_exposed=True), {"cookie": "session=ada"}

    status, headers, _ = ask(exposed, "/sandbox/posts", "account_id=a")
    closed = ask(exposed, "/app/sandbox/posts")
    opened = ask(exposed, "/app/sandbox/posts", headers=ada)
    theirs = ask(exposed, "/app/sandbox/google_business_profile/r2", headers=ada)

    assert (status, headers[b"location"]) == (303, b"/app/sandbox/posts?account_id=a")
    assert closed[0] == 401
    assert "ours" not in closed[2]
    assert [entry["caption"] for entry in json.loads(opened[2])["data"]] == ["ours"]
    assert theirs[0] == 404


@pytest.mark.parametrize(
    "said", [{"forwarded": "for=192.0.2.1"}, {"via": "1.1 a"}, {"host": "evil.example"}]
)
def test_whoever_is_not_this_machines_user_has_to_sign_in(
    pages: SandboxPages, said: dict[str, str]
) -> None:
    """A page whose name was made to stand for this machine asks by that name."""
    assert ask(pages, "/sandbox", headers=said)[0] == 303


def test_what_comes_by_a_proxy_comes_from_beyond_this_machine(pages: SandboxPages) -> None:
    behind = TrustedProxies(pages, networks(LOOPBACK))

    by_the_proxy, *_ = ask(behind, "/sandbox", headers={"x-forwarded-for": "203.0.113.7"})
    itself, *_ = ask(behind, "/sandbox")

    assert by_the_proxy == 303
    assert itself == 200


@pytest.mark.parametrize(
    ("client", "believed"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.1.2.3", True),
        ("203.0.113.7", False),
        ("", False),
    ],
)
def test_what_proxies_say_is_believed_of_trusted_addresses_alone(
    pages: SandboxPages, client: str, *, believed: bool
) -> None:
    seen: list[Scope] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)
        await pages(scope, receive, send)

    behind = TrustedProxies(inner, networks("127.0.0.0/8, ::1, 10.0.0.0/8"))

    ask(behind, "/v1/posts", headers={"x-forwarded-proto": "https", "host": "a"}, client=client)

    names = [name for name, _ in cast("list[tuple[bytes, bytes]]", seen[0]["headers"])]
    assert names == ([b"x-forwarded-proto"] if believed else []) + [b"host"]


def test_a_network_that_is_none_is_refused_at_the_start() -> None:
    with pytest.raises(WrongNetwork, match="GOLDENHOUR_TRUSTED_PROXIES is 'caddy'"):
        networks("caddy")


def test_what_was_sent_is_listed_shown_and_its_bytes_are_served(
    pages: SandboxPages, store: SandboxHere
) -> None:
    """Contract 7: `sent`, and a `url` that serves the bytes exactly as they would leave."""
    name, photo = "a" * 64, bytes(range(256)) * 9_000
    store.keep_file(name, iter([photo[:7], photo[7:]]))
    file: dict[str, Json] = {
        "mime": "image/jpeg",
        "size_bytes": len(photo),
        "width": 4,
        "height": 3,
    }
    sent: dict[str, Json] = {
        "text": "Rye &amp; <b>",
        "body": {"text": "Rye"},
        "file": file,
        "cover": None,
    }
    store.take(replace(an_entry(), sent=sent, files={"file": name}))

    _, _, listed = ask(pages, "/sandbox/posts")
    row = json.loads(listed)["data"][0]
    _, _, page = ask(pages, "/sandbox/google business profile/r1")
    status, headers, content = ask_bytes(pages, row["sent"]["file"]["url"])
    store.remove(Platform.GOOGLE_BUSINESS_PROFILE, "r1")
    later, _, _ = ask_bytes(pages, "/sandbox/posts/r1/file")

    assert row["media_id"] == "m1"
    assert row["sent"] == {**sent, "file": {"url": "/sandbox/posts/r1/file", **file}}
    assert "As it was sent" in page
    assert "<b>" not in page
    assert (status, content) == (200, photo)
    assert headers[b"content-type"] == b"image/jpeg"
    assert headers[b"content-security-policy"] == b"sandbox"
    assert later == 200
    for missing in ("r1/cover", "r2/file", "r1/else"):
        assert ask_bytes(pages, f"/sandbox/posts/{missing}")[0] == 404


def test_a_members_files_are_not_for_other_members(store: SandboxHere) -> None:
    store.keep_file("b" * 64, iter([b"theirs"]))
    sent: dict[str, Json] = {"file": {"mime": "image/jpeg"}}
    store.take(replace(an_entry(account_id="b"), sent=sent, files={"file": "b" * 64}))
    exposed, ada = _pages(store, is_exposed=True), {"cookie": "session=ada"}

    assert ask_bytes(exposed, "/app/sandbox/posts/r1/file", ada)[0] == 404
    assert ask_bytes(exposed, "/app/sandbox/posts/r1/file")[0] == 401
