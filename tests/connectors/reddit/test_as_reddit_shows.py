"""Captions as Reddit's own code renders them: the text as written, and the names that were meant.

A public complaint: `r/Home_Baking_Tips` was escaped, and Reddit then linked r/Home, a stranger. The
oracle is snudown (github.com/reddit/snudown), Reddit's renderer, compiled to JavaScript (npm
snudown-js).
"""

import html
import random
import re

import pytest

from chalicelib.connectors.reddit.markdown import escape_text
from tests.connectors.reddit.snudown import render

NAMES = (
    "r/Home_Baking_Tips", "/r/a_b", "u/some_user_name", "/u/x_y-z", "u/_under_", "r/foo_bar_",
    "r/ab+c_d", "r/abc/wiki/a_b_c", "u/-a_b-", "r/rye", "u/ada",
)  # fmt: skip
ADDRESSES = (
    "https://bakery.example/a_b_c?x=*1*", "http://x.example/~a~~b~~^c|d", "https://a.example",
    "https://a.example/x_(y)_z", "www.bakery.example/_a_*b*", "https://a.example/?a=1&copy=2",
    "https://a.example/[a](b_c)`d`", "https://a.example/_under_",
)  # fmt: skip
_OF_REDDIT_ALONE = frozenset({"u/_under_", "https://a.example/[a](b_c)`d`"})
WORDS = (
    "rye", "2*3*4", "_soft_", "__init__", "snake_case_name", "*bold*", "~~gone~~", "`code`",
    "[a](b)", "<b>", "&copy;", "&#35;", "a^b", "^(x)", "x|y", ">", "#", "-", "+", "1.", "2)", "\\",
    "\\*", ">!s!<", "x_", "_y", "a_b_c_d", "R/nope_x", "é", "日本_語_", "🍞",
    "foo_bar@mail.example", "===", "---", "10_000", "!", "[x]", "_", "*", "**", "user/x_y_",
    "“r/not_linked_”",
)  # fmt: skip
WRAPS = ("%s",) * 5 + ("(%s)", "_%s ", "%s,", "%s.", "%s!")
WRAPS_OF_NAMES = (*WRAPS, '"%s"', "*%s* ", "%s:", "%s's", "[%s]", "%s<")
GAPS = (" ", " ", " ", "\n", "\n\n")

_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>')
_TAGS = re.compile(r'</?p>|<a href="[^"]*">|</a>')


def _texts(number: int) -> list[tuple[str, list[str]]]:
    """Return random texts, the same each time, with the names and addresses that stand in each."""
    chance = random.Random(20261125)
    made = []
    for _ in range(number):
        text, meant = "", []
        for _ in range(chance.randrange(1, 9)):
            kinds = ((NAMES, WRAPS_OF_NAMES), (ADDRESSES, WRAPS), (WORDS, WRAPS))
            pieces, wraps = chance.choices(kinds, (3, 2, 5))[0]
            piece = chance.choice(pieces)
            text += chance.choice(wraps) % piece + chance.choice(GAPS)
            meant += [] if pieces is WORDS else [piece]
        made.append((text.strip(), meant))
    return made


def _plain(text: str) -> str:
    """Return a text with the gaps that are none in HTML."""
    lines = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    return re.sub(r"\n{2,}", "\n\n", lines).strip()


def _shown(rendered: str) -> str:
    """Return what people read of it: nothing but paragraphs, line breaks and links is left out."""
    lines = re.sub(r"</p>\n+<p>", "\n\n", rendered.strip())
    lines = re.sub(r"<br ?/>\n", "\n", lines)
    return html.unescape(_TAGS.sub("", lines))


@pytest.mark.node
def test_reddit_itself_shows_every_text_as_written_and_links_what_was_meant() -> None:
    texts = _texts(3_600)

    rendered = render([escape_text(text) for text, _ in texts])

    for (text, meant), page in zip(texts, rendered, strict=True):
        links = [(html.unescape(name), address) for address, name in _LINK.findall(page)]
        assert _plain(_shown(page)) == _plain(text)
        assert [name for name, _ in links] == meant, text
        for name, address in links:
            assert name in NAMES or address.startswith(("http://", "https://"))
            assert name not in NAMES or address == f"/{name.removeprefix('/')}"


@pytest.mark.node
def test_who_follows_commonmark_shows_every_text_as_written() -> None:
    """Apps of Reddit draw texts by renderers of their own.

    `u/_under_` and an address with backticks are not asked: only Reddit's own renderer, for which
    they stay bare, knows them for a name and an address.
    """
    texts = [text for text, meant in _texts(3_600) if not _OF_REDDIT_ALONE.intersection(meant)]

    rendered = render([escape_text(text) for text in texts], by="commonmark")

    assert len(texts) > 2_000
    for text, page in zip(texts, rendered, strict=True):
        assert _plain(_shown(page)) == _plain(text)


@pytest.mark.node
def test_reddit_s_code_would_have_shown_the_complaint() -> None:
    [page] = render(["r/Home\\_Baking\\_Tips"])

    assert _LINK.findall(page) == [("/r/Home", "r/Home")]


@pytest.mark.parametrize("bare", [*NAMES, *ADDRESSES])
def test_a_bare_name_or_address_stays_whole(bare: str) -> None:
    assert escape_text(f"See {bare} and *rye*") == f"See {bare} and \\*rye\\*"


def test_half_an_e_mail_address_is_not_linked_as_somebody_else_s() -> None:
    assert escape_text("foo_bar@mail.example") == "foo\\_bar&#64;mail.example"
    assert escape_text("ada@mail.example") == "ada@mail.example"


@pytest.mark.parametrize("text", ["r/" + "a_" * 5_000, "www." * 5_000, "https://a." * 5_000])
def test_a_hostile_text_is_read_in_time(text: str) -> None:
    escape_text(text)
