"""A link's card had no picture, although X and Facebook show one for the page."""

import pytest

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
