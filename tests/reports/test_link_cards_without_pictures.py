"""A link's card had no picture or title, although X and Facebook show them for the page."""

import io

import pytest
from PIL import Image

from chalicelib.connectors.shared.card_pictures import as_jpeg
from chalicelib.connectors.shared.link_cards import LinkCards
from chalicelib.kit.transport.guarded import GuardedFetch
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received

HTML = {"Content-Type": "text/html"}


class Shop(FakePlatform):
    """A stranger's site with one page."""

    head = ""

    def answer(self, call: Received) -> Answer:
        page = f"<html><head><title>Bread</title>{self.head}</head>"
        return Answer(200, page.encode(), HTML) if call.path == "/loaf" else Answer(404, b"", HTML)


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="twitter:image:src" content="/loaf.jpg">',
        '<meta itemprop="image" content="/loaf.jpg">',
        '<link rel="image_src" href="/loaf.jpg">',
        '<link rel="preload image_src" type="image/jpeg" href="/loaf.jpg">',
        '<link itemprop="thumbnailUrl" href="/loaf.jpg">',
        '<meta name="thumbnail" content="/loaf.jpg">',
        '<meta property="og:image" content="/loaf.jpg"><link rel="image_src" href="/old.jpg">',
        '<link rel="icon" href="/icon.png"><meta itemprop="name image" content="/loaf.jpg">',
    ],
)
def test_a_page_names_its_picture_in_any_usual_way(head: str) -> None:
    """X's cards ("twitter:image:src"), schema.org's microdata, and the `image_src` of old."""
    shop = Shop()
    shop.head = head
    try:
        card = LinkCards(GuardedFetch(frozenset({shop.url}))).read(f"{shop.url}/loaf")
    finally:
        shop.close()

    assert card is not None
    assert f"{shop.url}/loaf.jpg" == card.picture_url


def test_a_page_says_its_title_behind_much_else() -> None:
    """spoo-me/spoo#328, llun/activities.next#1521: YouTube's stands behind 699,117 bytes."""
    shop = Shop()
    shop.head = f"<script>{'x' * 700_000}</script>"
    shop.head += '<meta property="og:title" content="A loaf is born">'
    try:
        card = LinkCards(GuardedFetch(frozenset({shop.url}))).read(f"{shop.url}/loaf")
    finally:
        shop.close()

    assert card is not None
    assert "A loaf is born" == card.title


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_nothing_is_said_beside_the_picture_that_is_made_anew(mode: str) -> None:
    """ITU-T T.81, B.2.4.5: a comment of a JPEG is no part of the picture."""
    out = io.BytesIO()
    Image.new(mode, (64, 64)).save(out, "JPEG", comment=b"48.2082 N, by Nobody")

    made = as_jpeg([out.getvalue()], 950_000)

    assert made is not None
    assert b"48.2082" not in made
