"""Previews of links: what is read of a page, and how Bluesky and LinkedIn show it."""

from collections.abc import Callable, Iterator

import pytest

from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.linkedin.connector import LinkedInConnector
from chalicelib.connectors.shared.link_cards import LinkCard, LinkCards, link_of
from chalicelib.connectors.shared.transport.guarded import GuardedFetch
from chalicelib.domain.outcome import Done, Json
from tests.connectors.bluesky.rig import a_rig as a_bluesky_rig
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.fake import PAGE as LINKEDIN_PAGE
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value
from tests.connectors.support.rig import Rig, a_publication

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = b"""<html><head><title>Menu</title>
<meta property="og:title" content="Bread &amp; salt"><meta name="description" content="Rye.">
<meta property="og:image" content="/loaf.jpg"></head><body><title>No</title></body></html>"""
LOAF = b"\xff\xd8\xff" + bytes(500)


class Bakery(FakePlatform):
    """A stranger's site; `pages` are its answers by path."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = {
            "/menu": Answer(200, PAGE, HTML),
            "/loaf.jpg": Answer(200, LOAF, {"Content-Type": "image/jpeg"}),
        }

    def answer(self, call: Received) -> Answer:
        return self.pages.get(call.path, Answer(404, b"", HTML))


@pytest.fixture
def bakery() -> Iterator[Bakery]:
    made = Bakery()
    yield made
    made.close()


def cards_of(bakery: Bakery) -> LinkCards:
    return LinkCards(GuardedFetch(frozenset({bakery.url})))


def test_a_page_says_what_its_preview_shows(bakery: Bakery) -> None:
    card = cards_of(bakery).read(f"{bakery.url}/menu")

    assert card == LinkCard(
        url=f"{bakery.url}/menu",
        title="Bread & salt",
        description="Rye.",
        picture_url=f"{bakery.url}/loaf.jpg",
    )


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(404, b"", HTML), id="missing"),
        pytest.param(Answer(200, b"{}", {"Content-Type": "application/json"}), id="no page"),
        pytest.param(Answer(200, bytes(1_100_000), HTML), id="too long"),
        pytest.param(Answer(302, b"", {"Location": "/menu"}), id="round and round"),
        pytest.param(Answer(302, b"", {"Location": "http://10.0.0.1/"}), id="to a private host"),
    ],
)
def test_a_page_that_cannot_be_read_has_no_preview(bakery: Bakery, answer: Answer) -> None:
    bakery.pages["/menu"] = answer

    assert cards_of(bakery).read(f"{bakery.url}/menu") is None


def test_a_private_address_is_never_asked(bakery: Bakery) -> None:
    assert LinkCards(GuardedFetch()).read(f"{bakery.url}/menu") is None
    assert bakery.calls == []


def test_what_is_no_picture_is_left_out(bakery: Bakery) -> None:
    bakery.pages["/loaf.jpg"] = Answer(200, b"<svg onload=alert(1)>", {})

    assert cards_of(bakery).picture(f"{bakery.url}/loaf.jpg") is None


@pytest.mark.parametrize(
    ("link", "text", "expected"),
    [
        ("https://a.example/x", "b.com", "https://a.example/x"),
        (True, "see bakery.com/menu, or c.com", "https://bakery.com/menu"),
        (True, "no link", None),
        (False, "bakery.com", None),
        (None, "bakery.com", None),
    ],
)
def test_the_link_is_the_named_one_or_the_first(
    link: Json, text: str, expected: str | None
) -> None:
    assert link_of({"link": link}, text) == expected


def _publish(rig: Rig, bakery: Bakery) -> Value:
    connector = rig.connector
    assert isinstance(connector, BlueskyConnector | LinkedInConnector)
    connector._cards = cards_of(bakery)
    options: dict[str, Json] = {"link": f"{bakery.url}/menu"}
    rig.shapes = {"link": a_publication(rig.account, "Fresh", None, options)}
    end = rig.drive("link").run()
    assert isinstance(end, Done), end
    (post,) = rig.platform.posts.values()
    rig.platform.close()
    return post


def test_bluesky_shows_the_preview_with_its_picture(bakery: Bakery) -> None:
    post = _publish(a_bluesky_rig(), bakery)

    external = post["embed"]["external"]
    assert (external["uri"], external["title"]) == (f"{bakery.url}/menu", "Bread & salt")
    assert external["thumb"]["size"] == len(LOAF)


@pytest.mark.parametrize("author", [MEMBER, LINKEDIN_PAGE])
def test_linkedin_shows_the_preview_as_an_article(bakery: Bakery, author: str) -> None:
    rig = a_linkedin_rig(author)

    _publish(rig, bakery)

    (sent,) = [call.json for call in rig.platform.calls if call.name == "POST /rest/posts"]
    article = sent["content"]["article"]
    assert (article["source"], article["title"]) == (f"{bakery.url}/menu", "Bread & salt")
    assert article["thumbnail"].startswith("urn:li:image:")


@pytest.mark.parametrize("rig", [a_bluesky_rig, lambda: a_linkedin_rig(MEMBER)])
def test_a_post_goes_out_without_a_preview_that_cannot_be_had(
    bakery: Bakery, rig: Callable[[], Rig]
) -> None:
    bakery.pages.clear()

    post = _publish(rig(), bakery)

    assert "embed" not in post
    assert "content" not in post
