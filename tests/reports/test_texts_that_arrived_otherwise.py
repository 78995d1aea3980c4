"""Texts that other schedulers cut short, left without links, or counted wrongly: none of them here.

Each test's id is the report; the right value is the platform's own, as the docstring says.
"""

import io
import re
from dataclasses import replace

import pytest
from PIL import Image

from chalicelib.connectors.linkedin.text import escape_text, plain
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.bluesky_facets import facets
from chalicelib.domain.platforms.texts.captions import count
from tests.connectors.linkedin.rig import a_rig
from tests.connectors.support.fake_platform import Value
from tests.support.copies import Copies

P = Platform
BARE = re.compile(r"(?<!\\)(?:\\\\)*[|{}@\[\]()<>*_~]")
"""A sign that LinkedIn reads as markup, without the backslash that makes it a sign."""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("hello world (this is a test)", id="PipedreamHQ/pipedream#17353"),
        pytest.param("This is a test. (This is also a test.)", id="n8n-io/n8n#10179"),
        pytest.param(
            "Smarter:\n\n1) Optimize -- first\n2) Then grow", id="gitroomhq/postiz-app#442"
        ),
        pytest.param("a type specimen **(STOP HERE)** book", id="activepieces/activepieces#3058"),
        pytest.param("The side (JARVIS, ops, 15-plus years) is", id="ComposioHQ/composio#3185"),
        pytest.param("Talk (Room 2.01) | https://a.example/x_(y)", id="openresearchcalendar#108"),
        pytest.param(r"all of \ | { } @ [ ] ( ) < > # * _ ~ here", id="xorbitsai/xagent#2555"),
        pytest.param("Va al repo (durable) _y_ @nobody", id="brightbeanxyz/brightbean-studio#121"),
    ],
)
def test_nothing_is_cut_off_behind_a_sign_on_linkedin(text: str) -> None:
    """LinkedIn, "little Text Format": reserved signs are escaped, or the rest is dropped."""
    commentary = escape_text(text)

    assert BARE.search(commentary) is None
    assert plain(commentary) == text


def test_a_first_comment_on_linkedin_shows_no_backslashes() -> None:
    """gitroomhq/postiz-app#1847. LinkedIn, "Comments API": a comment is plain text."""
    rig = a_rig()
    asked = replace(rig.shapes["text"], options={"first_comment": "Frei (Version 2) #Brot_1"})
    rig.shapes = {"text": asked}

    end = rig.drive("text").run()

    rig.platform.close()
    assert isinstance(end, Done)
    [comment] = [call.json for call in rig.platform.calls if call.path.endswith("/comments")]
    assert comment["message"]["text"] == "Frei (Version 2) #Brot_1"


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        pytest.param("焼きたてのパン" * 21, 294, id="DimensionDev/Flare#2337"),
        pytest.param("HelloTweet", 10, id="dimdenGD/OldTwitter#500, English"),
        pytest.param("你好推特", 8, id="dimdenGD/OldTwitter#500, Chinese"),
        pytest.param("おはいよ", 8, id="dimdenGD/OldTwitter#500, Japanese"),
        pytest.param("안녕하세요", 10, id="dimdenGD/OldTwitter#500, Korean"),
        pytest.param("你" * 141, 282, id="elizaOS/eliza#24529"),
        pytest.param("の" * 280, 560, id="twitter/twitter-text#198"),
        pytest.param("안녕 你好 おは", 14, id="linvi/tweetinvi#679"),
        pytest.param("👩‍🚀" * 3 + "🦊", 8, id="choldgraf/threader#1"),
        pytest.param(
            "my #goal for today: finish the #treehouse course"
            ' "Building Social Features in RoR" and "Dojo for #jQuery Developers" - bit.ly/YSsXy4',
            142,  # 133 signs, its link counted as 23
            id="cezarsa/silver_bird#397",
        ),
    ],
)
def test_x_counts_what_its_own_counter_counts(text: str, weight: int) -> None:
    """docs.x.com, "Counting characters": 2 for most scripts and any emoji, 23 for a link."""
    assert count(P.X, text) == weight


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Adopt #CutePets now!", ["#CutePets"], id="codeforboston/CutePetsBoston#58"),
        pytest.param("New: #WordPress, #Bluesky.", ["#WordPress", "#Bluesky"], id="jetpack#40243"),
        pytest.param(
            "🍞👩‍🍳 #brot https://a.example/ü", ["#brot", "https://a.example/ü"], id="PSBluesky#36"
        ),
        pytest.param("Order 66: #66 and #order66", ["#order66"], id="jcrabapple/feedecho#35"),
        pytest.param("#law #1A.", ["#law", "#1A"], id="freelawproject/bigcases2#514"),
        pytest.param("See example.com: it is open", ["example.com"], id="social-app#1058"),
        pytest.param(
            "(See https://example.com/e.html)", ["https://example.com/e.html"], id="logbot#15"
        ),
        pytest.param(
            "https://a.example/Sphinx_(x)", ["https://a.example/Sphinx_(x)"], id="docutils#338"
        ),
        pytest.param(
            "https://a.example/e.html!", ["https://a.example/e.html"], id="idno/idno#1399"
        ),
    ],
)
def test_tags_and_links_are_live_on_bluesky_and_end_where_they_end(
    text: str, shown: list[str]
) -> None:
    """@atproto/api, RichText.detectFacets: places in bytes, without a sentence's last sign."""
    spelled = text.encode()
    pointed_out: list[Value] = list(facets(text, {}))
    places = [facet["index"] for facet in pointed_out]

    found = [spelled[place["byteStart"] : place["byteEnd"]].decode() for place in places]

    assert found == shown


@pytest.mark.parametrize(
    ("size", "kind", "mode"),
    [
        pytest.param((600, 1200), "JPEG", "RGB", id="Masterjx9/socialmediascheduler#56"),
        pytest.param((1600, 400), "JPEG", "RGB", id="mgp25/Instagram-API#1643"),
        pytest.param((800, 800), "PNG", "RGBA", id="dilame/instagram-private-api#982"),
        pytest.param((1200, 600), "PNG", "RGB", id="mgp25/Instagram-API#149"),
        pytest.param((300, 900), "WEBP", "RGB", id="b3nab/instapy-cli#28"),
    ],
)
def test_instagram_gets_a_jpeg_of_a_shape_that_it_takes(
    copies: Copies, size: tuple[int, int], kind: str, mode: str
) -> None:
    """Meta, "Image Specifications": JPEG, between 4:5 and 1.91:1."""
    out = io.BytesIO()
    Image.new(mode, size, (196, 64, 54)).save(out, kind)

    sent = copies.sent(P.INSTAGRAM, out.getvalue())

    assert sent is not None
    with Image.open(io.BytesIO(sent.data)) as found:
        assert (found.format, found.mode) == ("JPEG", "RGB")
        assert 4 / 5 - 0.001 <= found.width / found.height <= 1.91 + 0.001
