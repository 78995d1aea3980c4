"""X's links are where twitter-text finds them, and a little beyond its old list of domains.

`make prove` compares half a million texts with the library, the ordinary run a seeded sample.
"""

import random
import re
import unicodedata

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import count
from chalicelib.domain.platforms.texts.top_level_domains import ASCII_DOMAINS, INTERNATIONAL_DOMAINS
from chalicelib.domain.platforms.texts.x_links import find_links
from tests.support.lazy_module import lazy_module

twitter_text = lazy_module("twitter_text")
WORDS = (
    "a b1 \u00e9 \u65e5 com co uk \u0440\u0444 xn--p1ai \u4e2d\u56fd . . . . - _ / ? = & ! , @ # $ "
    ": 80 ( ) % + ~ ' t.co/ example.com foo_bar.com http:// https:// HTTPS://t.co/ http://a.jp "
    "https://example.com \N{GRINNING FACE} \u200e \uff20 \u0441 \ufeff \u3002 x"
)
PIECES = [*WORDS.split(), " ", "\n"]
KNOWN = ASCII_DOMAINS | INTERNATIONAL_DOMAINS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("see example.com.", ["example.com"], id="final-dot-is-text"),
        pytest.param("readme.md, hello.world", ["readme.md", "hello.world"], id="known-domains"),
        pytest.param("Node.js test.txt Mr.Smith 1.2.3.4 a.b", [], id="unknown-domains"),
        pytest.param("http://localhost:8000 https://a ftp://example.com", [], id="no-host"),
        pytest.param("me@example.com @x.com $AAPL.com #a.com", [], id="mentions-and-tags"),
        pytest.param("\u65e5\u672cexample.com\u3067\u3059", ["example.com"], id="within-cjk"),
        pytest.param("foo_bar.com -foo.com", [], id="after-dash-or-underscore"),
        pytest.param("http://foo_bar.com", [], id="underscore-in-the-name"),
        pytest.param("http://my_shop.example.com", ["http://my_shop.example.com"], id="subdomain"),
        pytest.param("HTTPS://Example.COM/A", ["HTTPS://Example.COM/A"], id="any-case"),
        pytest.param("http://\u2603.net/", ["http://\u2603.net/"], id="snowman"),
        pytest.param("a.com/(b(c)d)e)", ["a.com/(b(c)d)e"], id="balanced-brackets"),
        pytest.param("a.com/b?c=d!", ["a.com/b?c=d"], id="query"),
        pytest.param(
            "https://a.com/rye, https://a.com/b?c=d,",
            ["https://a.com/rye", "https://a.com/b?c=d"],
            id="final-comma",
        ),
        pytest.param("a.com?c=d", ["a.com"], id="bare-name-takes-no-query"),
        pytest.param("http://a.com?c=d", ["http://a.com?c=d"], id="protocol-takes-a-query"),
        pytest.param("a.com:80/b a.com:80", ["a.com:80/b", "a.com"], id="port"),
        pytest.param("https://t.co/abc.d", ["https://t.co/abc"], id="t.co-ends-early"),
        pytest.param("https://t.co/" + "a" * 41, [], id="t.co-too-long"),
        pytest.param("http://" + "a" * 64 + ".com", [], id="no-name-of-dns"),
        pytest.param("http://a.com/" + "b" * 4_096, [], id="too-long"),
    ],
)
def test_links_are_where_x_makes_them(text: str, expected: list[str]) -> None:
    assert expected == links_in(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("https://bakery.newtld/x!", ["https://bakery.newtld/x"], id="newer"),
        pytest.param("bakery.newtld", [], id="bare"),
        pytest.param("https://1.2.3.4/x", [], id="address"),
        pytest.param("https://a.newtld@b", [], id="user"),
        pytest.param("https://foo_bar.newtld", [], id="underscore"),
    ],
)
def test_a_host_newer_than_the_list_is_a_link_after_a_protocol(
    text: str, expected: list[str]
) -> None:
    assert expected == links_in(text)


@pytest.mark.filterwarnings("ignore:pkg_resources is deprecated")  # which it imports
@pytest.mark.parametrize("seed", range(3))
def test_a_sample_of_texts_is_read_as_twitter_text_reads_it(seed: int) -> None:
    compare(texts=300, seed=seed)


@pytest.mark.filterwarnings("ignore:pkg_resources is deprecated")
@pytest.mark.prove
@pytest.mark.parametrize("seed", range(10))
def test_half_a_million_texts_are_read_as_twitter_text_reads_them(seed: int) -> None:
    compare(texts=50_000, seed=1_000 + seed)


def compare(*, texts: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(texts):
        raw = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 14)))
        text = unicodedata.normalize("NFC", raw)
        ours = links_in(text)
        if any(is_newer(link) for link in ours):
            continue
        theirs = twitter_text.extract_urls_with_indices(text)
        assert [tuple(link["indices"]) for link in theirs] == [
            link[:2] for link in find_links(text)
        ], ascii(text)
        if [
            link["url"] for link in theirs
        ] == ours:  # it garbles a name that stands in the path too
            length = twitter_text.parse_tweet(text).weightedLength
            assert length == count(Platform.X, text), ascii(text)


def links_in(text: str) -> list[str]:
    return [text[link.start : link.end] for link in find_links(text)]


def is_newer(link: str) -> bool:
    """Tell whether it is a link by our own rule alone."""
    _, protocol, rest = link.partition("://")
    last = re.split(r"[/:?]", rest)[0].rpartition(".")[2].lower()
    return bool(protocol) and last not in KNOWN and not last.startswith("xn--")
