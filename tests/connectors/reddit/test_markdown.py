"""Captions as Reddit shows them: rendered with a reader of CommonMark, which Markdown-It is."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chalicelib.connectors.reddit.markdown import escape_text
from chalicelib.domain.outcome import Done
from tests.connectors.reddit.rig import IN_TEST, RedditRig
from tests.connectors.support.rig import a_publication

_TAGS = re.compile(r"</?(?:p|br)\s*/?>")


def _read(markdown: str) -> str:
    """Return what people read: paragraphs and line breaks alone are no signs of their own."""
    shown = MarkdownIt("commonmark").render(markdown)
    lines = shown.replace("<br />\n", "\n").replace("</p>\n<p>", "\n\n")
    return html.unescape(_TAGS.sub("", lines)).strip()


@pytest.mark.parametrize(
    "text",
    [
        "Rye\nSpelt\nOats",
        "Rye\n\nSpelt",
        "2*3*4 = 24",
        "> 5 kg a day",
        "#bread is life",
        "# 1 in town",
        "1. rye\n2) spelt\n- oats\n+ salt",
        "snake_case_name and __init__",
        "[not a link](https://bakery.example)",
        "`code` and ~~gone~~ and ^high and |table|",
        "<b>bold</b> &copy; &amp; AT&T",
        "back\\slash \\*",
        "---",
        "===",
        "Title\n===",
        "10.5 kg and 1.Rye",
    ],
)
def test_a_caption_shows_as_it_was_written(text: str) -> None:
    assert _read(escape_text(text)) == text


def test_an_address_stays_one() -> None:
    text = "See https://bakery.example/a_b_c?x=*1* and _rye_"

    assert escape_text(text) == "See https://bakery.example/a_b_c?x=*1* and \\_rye\\_"


@given(st.text(alphabet="ab 1*_#>-+.)([]\\`~^|<&;=\n", max_size=60))
def test_any_caption_shows_as_it_was_written(text: str) -> None:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    wanted = re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip()

    shown = _read(escape_text("\n".join(lines)))

    assert re.sub(r"\n{2,}", "\n\n", shown) == wanted


@pytest.mark.parametrize(
    ("options", "sent"),
    [({}, "2\\*3\\*4  \nnext"), ({"markdown": True}, "2*3*4\nnext")],
    ids=["as written", "as Markdown"],
)
def test_the_text_is_markdown_only_if_it_is_said_to_be(
    rig: RedditRig, options: dict[str, bool], sent: str
) -> None:
    given_ = {**IN_TEST, "title": "Rye", **options}
    rig.shapes = {"text": a_publication(rig.account, "2*3*4\nnext", None, given_)}

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[0].form["text"] == sent
