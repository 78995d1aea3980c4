"""Previews of links: what is read of a page, and how Bluesky and LinkedIn show it."""

import codecs
import gzip
import io
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from PIL import Image

from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.linkedin.connector import LinkedInConnector
from chalicelib.connectors.shared.link_cards import LARGEST_PICTURE, LinkCard, LinkCards
from chalicelib.connectors.shared.page_heads import read_head
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.posts.target import PREPARE_AHEAD
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.guarded import GuardedFetch
from tests.connectors.bluesky.rig import a_rig as a_bluesky_rig
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.fake import PAGE as LINKEDIN_PAGE
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value
from tests.connectors.support.rig import Rig, a_publication
from tests.support.builders import a_post, a_target
from tests.support.telling_photos import SECRETS, chunk, plain_jpeg, telling_jpeg, telling_png

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = b"""<html><head><title>Menu</title>
<meta property="og:title" content="Bread &amp; salt"><meta name="description" content="Rye.">
<meta property="og:image" content="/loaf.jpg"></head><body><title>No</title></body></html>"""
UNTOLD = {"Content-Type": "text/html"}
LOAF = plain_jpeg()


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
        pytest.param(Answer(302, b"", {"Location": "/menu"}), id="round and round"),
        pytest.param(Answer(302, b"", {"Location": "http://10.0.0.1/"}), id="to a private host"),
    ],
)
def test_a_page_that_cannot_be_read_has_no_preview(bakery: Bakery, answer: Answer) -> None:
    bakery.pages["/menu"] = answer

    assert cards_of(bakery).read(f"{bakery.url}/menu") is None


@pytest.mark.parametrize(
    ("head", "card"),
    [
        pytest.param(
            b'<title>Menu</title><meta property="og:image" content="https://[bread">',
            LinkCard(url="", title="Menu"),
            id="a picture without an address",
        ),
        pytest.param(
            b"<title>Menu</title><meta name=description content='&#" + b"9" * 5_000 + b";'>",
            LinkCard(url="", title="Menu", description=f"&#{'9' * 998}"),
            id="a number of 5,000 digits",
        ),
    ],
)
def test_what_cannot_be_read_of_a_page_costs_nothing_else(
    bakery: Bakery, head: bytes, card: LinkCard
) -> None:
    """Python's `urljoin` and `html.unescape` raise ValueError for both; browsers do not mind."""
    bakery.pages["/menu"] = Answer(200, b"<html><head>" + head, HTML)
    link = f"{bakery.url}/menu"

    assert cards_of(bakery).read(link) == replace(card, url=link)


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
        (None, "bakery.com", "https://bakery.com"),
        (None, "see http://a.example/x and b.com", "http://a.example/x"),
        (None, "no link at 3.50", None),
        (None, "bread (https://lumen.example/rye), warm", "https://lumen.example/rye"),
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


def _page(title: bytes, meta: bytes = b"") -> bytes:
    return b"<!doctype html><html><head>" + meta + b"<title>" + title + b"</title></head></html>"


_IN_UTF16 = codecs.BOM_UTF16_LE + _page("Brød".encode()).decode().encode("utf-16-le")
KINDS = {
    "utf-8": ("Café", Answer(200, _page("Café".encode()), HTML)),
    "header says latin": (
        "Café au lait",
        Answer(
            200,
            _page("Café au lait".encode("iso-8859-1")),
            {"Content-Type": "text/html; charset=ISO-8859-1"},
        ),
    ),
    "latin is windows": (
        "“Rye” — 5 €",
        Answer(
            200,
            _page("“Rye” — 5 €".encode("cp1252")),
            {"Content-Type": "text/html;charset=iso-8859-1"},
        ),
    ),
    "cyrillic": (
        "Хлеб из печи",
        Answer(
            200,
            _page("Хлеб из печи".encode("cp1251"), b'<meta charset="windows-1251">'),
            UNTOLD,
        ),
    ),
    "old meta": (
        "焼きたてのパン",
        Answer(
            200,
            _page(
                "焼きたてのパン".encode("cp932"),
                b'<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
            ),
            UNTOLD,
        ),
    ),
    "the header wins": (
        "Café",
        Answer(200, _page("Café".encode(), b"<meta charset=windows-1251>"), HTML),
    ),
    "korean": (
        "갓 구운 빵",
        Answer(
            200,
            _page("갓 구운 빵".encode("cp949"), b"<meta charset=euc-kr>"),
            UNTOLD,
        ),
    ),
    "chinese": (
        "新鲜面包",
        Answer(
            200,
            _page("新鲜面包".encode("gb18030"), b"<meta charset='gb2312'>"),
            UNTOLD,
        ),
    ),
    "byte order mark": (
        "Brød",
        Answer(
            200,
            _IN_UTF16,
            UNTOLD,
        ),
    ),
    "no known encoding": (
        "Café",
        Answer(200, _page("Café".encode(), b"<meta charset=rot13>"), UNTOLD),
    ),
    "entities": (
        "Bread & “salt”",
        Answer(200, _page(b"Bread &amp; &#8220;salt&#x201D;"), HTML),
    ),
    "upper case": (
        "Rye",
        Answer(200, b"<HTML><HEAD><META NAME='OG:TITLE' CONTENT='Rye'></HEAD>", HTML),
    ),
    "content first": (
        "Rye",
        Answer(200, _page(b"No", b'<meta content="Rye" property="og:title">'), HTML),
    ),
    "signs within quotes": (
        "a > b, 'c' = d",
        Answer(200, _page(b"No", b'<meta property="og:title" content="a > b, \'c\' = d">'), HTML),
    ),
    "twitter's": (
        "Rye",
        Answer(200, _page(b"No", b'<meta name="twitter:title" content="Rye">'), HTML),
    ),
    "several lines": ("Rye and spelt", Answer(200, _page(b"\n  Rye\n  and spelt\n"), HTML)),
    "a comment before": ("Rye", Answer(200, _page(b"Rye", b"<!-- <title>No</title> -->"), HTML)),
    "a script before": (
        "Rye",
        Answer(200, _page(b"Rye", b"<script>'<title>No</title>'</script>"), HTML),
    ),
    "without a head": ("Rye", Answer(200, b"<title>Rye</title><p>Text", HTML)),
    "nothing said": (
        "127.0.0.1",
        Answer(200, b"<html><body><title>No</title></body></html>", HTML),
    ),
    "a large page": ("Rye", Answer(200, _page(b"Rye") + b"<p>" * 1_000_000, HTML)),
    "a large head": ("Rye", Answer(200, _page(b"Rye") + b" " * 2_000_000, HTML)),
    "compressed": (
        "Rye",
        Answer(
            200, gzip.compress(_page(b"Rye") + bytes(900_000)), {**HTML, "Content-Encoding": "gzip"}
        ),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_page_has_its_title(bakery: Bakery, kind: str) -> None:
    title, bakery.pages["/menu"] = KINDS[kind]

    card = cards_of(bakery).read(f"{bakery.url}/menu")

    assert card is not None
    assert card.title == title


@pytest.mark.parametrize(
    "page",
    [
        b"<title>" + b"a<" * 130_000,
        b"<title>" + b"&amp" * 65_000,
        b"<!--" * 65_000,
        b"<meta " * 43_000,
        b'<meta a="' * 29_000,
        b"<meta" + b" " * 260_000,
        b"<script>" * 32_000,
    ],
    ids=["title", "entities", "comments", "metas", "quotes", "spaces", "scripts"],
)
def test_a_hostile_page_costs_milliseconds(page: bytes) -> None:
    """An HTML parser that goes back needs minutes for some of these."""
    began = time.process_time()

    read_head(page, "text/html")

    assert time.process_time() - began < 0.5


def _picture(kind: str, size: tuple[int, int] = (2_000, 1_500)) -> bytes:
    made = io.BytesIO()
    noise = Image.effect_noise((size[0] // 4, size[1] // 4), 90).resize(size)
    noise.convert("RGBA" if kind in {"PNG", "WEBP"} else "RGB").save(made, kind)
    return made.getvalue()


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "GIF", "JPEG"])
def test_a_picture_becomes_a_jpeg_that_fits(bakery: Bakery, kind: str) -> None:
    original = _picture(kind, (4_000, 3_000) if kind == "JPEG" else (2_000, 1_500))
    bakery.pages["/loaf.jpg"] = Answer(200, original, {"Content-Type": f"image/{kind.lower()}"})

    picture = cards_of(bakery).picture(f"{bakery.url}/loaf.jpg")

    assert picture is not None
    assert len(picture.content) <= LARGEST_PICTURE < len(original) + (kind != "JPEG") * 10**6
    with Image.open(io.BytesIO(picture.content)) as seen:
        assert (seen.format, max(seen.size), picture.mime) == ("JPEG", 1_200, "image/jpeg")


def test_a_picture_is_had_behind_redirects_each_of_which_is_guarded(bakery: Bakery) -> None:
    bakery.pages["/a"] = Answer(302, b"", {"Location": "/loaf.jpg"})
    bakery.pages["/b"] = Answer(302, b"", {"Location": "https://10.0.0.1/loaf.jpg"})
    cards = cards_of(bakery)

    assert cards.picture(f"{bakery.url}/a") is not None
    assert cards.picture(f"{bakery.url}/b") is None


def test_a_picture_that_is_a_bomb_is_left_out(bakery: Bakery) -> None:
    side = 30_000  # of two colours, packed like Pillow packs it, which takes a gigabyte of memory
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    lines = chunk(b"IDAT", zlib.compress(bytes((1 + side // 8) * side)))
    bomb = b"\x89PNG\r\n\x1a\n" + head + lines + chunk(b"IEND", b"")
    bakery.pages["/loaf.jpg"] = Answer(200, bomb, {})

    picture = cards_of(bakery).picture(f"{bakery.url}/loaf.jpg")

    assert picture is None or picture.mime == "image/png"


class Nearby(LinkCards):
    """Reads bakery.com on loopback."""

    def __init__(self, bakery: Bakery) -> None:
        super().__init__(GuardedFetch(frozenset({bakery.url})))
        self._url = bakery.url

    def read(self, url: str) -> LinkCard | None:
        return super().read(url.replace("https://bakery.com", self._url))


@pytest.mark.parametrize("rig", [a_bluesky_rig, lambda: a_linkedin_rig(MEMBER)])
@pytest.mark.parametrize(("link", "has_card"), [(None, True), (False, False)])
def test_a_link_in_the_caption_has_a_card_unless_it_is_not_wanted(
    bakery: Bakery, rig: Callable[[], Rig], link: Json, *, has_card: bool
) -> None:
    made = rig()
    connector = made.connector
    assert isinstance(connector, BlueskyConnector | LinkedInConnector)
    connector._cards = Nearby(bakery)
    options: dict[str, Json] = {} if link is None else {"link": link}
    made.shapes = {"link": a_publication(made.account, "See bakery.com/menu", None, options)}

    end = made.drive("link").run()

    (post,) = made.platform.posts.values()
    made.platform.close()
    assert isinstance(end, Done)
    assert ("embed" in post or "content" in post) == has_card


def test_a_card_is_planned_for_ahead_of_its_second() -> None:
    def lead(platform: Platform, caption: str, **options: Json) -> timedelta | None:
        target = replace(a_target(platform=platform), options=options)
        return a_post(targets=[target], caption=caption).lead(target)

    linked = "Bread: bakery.com/rye"

    assert lead(Platform.BLUESKY, linked) == PREPARE_AHEAD
    assert lead(Platform.LINKEDIN, linked) == PREPARE_AHEAD
    assert lead(Platform.LINKEDIN, linked, link=False) == timedelta(0)
    assert lead(Platform.LINKEDIN, "Bread") == timedelta(0)
    assert lead(Platform.X, linked) == timedelta(0)


@pytest.mark.parametrize("turn", [1, 6])
@pytest.mark.parametrize("make", [telling_jpeg, telling_png])
def test_no_place_leaves_with_the_picture_of_a_page(
    bakery: Bakery, make: Callable[[int], bytes], turn: int
) -> None:
    bakery.pages["/loaf.jpg"] = Answer(200, make(turn), {"Content-Type": "image/jpeg"})

    picture = cards_of(bakery).picture(f"{bakery.url}/loaf.jpg")

    assert picture is not None
    assert [] == [word for word in SECRETS if word in picture.content]
    with Image.open(io.BytesIO(picture.content)) as seen:
        assert seen.size == ((64, 48) if turn == 1 else (48, 64))
