"""Reports to other schedulers and to platforms' own clients, tried here: none of them fails.

Each test's id is the report; the right value is the platform's own, as the docstring says.
"""

import io
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from PIL import Image

from chalicelib.connectors.shared.page_heads import read_head
from chalicelib.connectors.youtube.post import precheck
from chalicelib.connectors.youtube.refusals import YouTubeRefusal
from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.bluesky_facets import facets, mentions
from chalicelib.domain.platforms.texts.captions import check_caption, count
from chalicelib.domain.platforms.texts.titles import youtube_title
from chalicelib.domain.times.local_time import first_instant
from chalicelib.domain.times.queue_slots import QueueSlot, upcoming
from tests.connectors.support.rig import a_publication, a_video, an_account
from tests.support.copies import Copies, probed
from tests.support.films import HLG, PQ, Film, film
from tests.support.telling_photos import UNDONE

P = Platform
LINK = "https://soyacincau.com/2024/11/11/govt-not-blocking-social-media-platforms-fail-to-apply"


@pytest.mark.parametrize(
    ("platform", "text", "length"),
    [
        pytest.param(P.BLUESKY, f"Bread {LINK}", 94, id="inovector/mixpost#154"),
        pytest.param(P.BLUESKY, LINK, 88, id="inovector/mixpost#128"),
        pytest.param(P.X, f"Bread {LINK}", 29, id="inovector/mixpost#128, X"),
        pytest.param(P.BLUESKY, "#apps\n\n" + LINK, 95, id="MarshalX/atproto#427"),
        pytest.param(P.BLUESKY, "👨‍👩‍👧‍👦" * 3, 3, id="a family is one"),
        pytest.param(P.X, "google.com/contact", 23, id="twitter/twitter-text#142"),
        pytest.param(P.X, "3+yrs ASP.NET http://a.example/b", 53, id="dryan/twitter-text-py#28"),
        pytest.param(P.X, "S.84 persons...https://a.example/b", 38, id="bear/python-twitter#489"),
        pytest.param(P.THREADS, "👍🏽", 8, id="gitroomhq/postiz-app#1946"),
        pytest.param(P.TIKTOK, "👍🏽", 4, id="TikTok counts UTF-16 runes"),
    ],
)
def test_a_text_is_as_long_as_the_platform_counts_it(
    platform: Platform, text: str, length: int
) -> None:
    """Bluesky's lexicon (300 graphemes), X's configuration (23 a link), Threads' and TikTok's."""
    assert length == count(platform, text)


def test_a_text_of_too_many_bytes_is_refused_before_it_is_sent() -> None:
    """jcrabapple/feedecho#30: Bluesky's lexicon has 3,000 bytes beside its 300 graphemes."""
    with pytest.raises(CaptionTooLong):
        check_caption(P.BLUESKY, "👨‍👩‍👧‍👦" * 125, field="caption")


def test_a_text_of_301_is_refused_before_it_is_sent() -> None:
    """MarshalX/atproto#427, inovector/mixpost#154: refused only by the server there."""
    with pytest.raises(CaptionTooLong):
        check_caption(P.BLUESKY, "a" * 301, field="caption")


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        pytest.param("😀 #abcdef", [("#abcdef", "abcdef")], id="bluesky-social/atproto#3183"),
        pytest.param(
            "£5, né, â #bread", [("#bread", "bread")], id="bluesky-social/social-app#6358"
        ),
        pytest.param(
            "🔗 https://example.com/notes",
            [("https://example.com/notes", "https://example.com/notes")],
            id="bluesky-social/social-app#7287",
        ),
        pytest.param(
            "é #rye ü #rye", [("#rye", "rye"), ("#rye", "rye")], id="aghjones/goal-bot#51"
        ),
        pytest.param(
            "a #testpost! foo #3tofollow #123",
            [("#testpost", "testpost"), ("#3tofollow", "3tofollow")],
            id="0xZhangKe/Fread#79, bluesky-social/social-app#3067",
        ),
        pytest.param(
            "#Rye's day (#rye)",
            [("#Rye's", "Rye's")],
            id="bluesky-social/social-app#10778, as its own app",
        ),
        pytest.param(
            "Read nos.social.",
            [("nos.social", "https://nos.social")],
            id="planetary-social/nos#1233",
        ),
        pytest.param(
            "See https://example.com/a: now",
            [("https://example.com/a", "https://example.com/a")],
            id="bluesky-social/atproto#1944",
        ),
        pytest.param(
            "Look: https://google.com",
            [("https://google.com", "https://google.com")],
            id="gitroomhq/postiz-app#394",
        ),
        pytest.param(
            "Read [it](https://a.example/b/21) on 2FA in the #PowerShell module.",
            [
                ("https://a.example/b/21", "https://a.example/b/21"),
                ("#PowerShell", "PowerShell"),
            ],
            id="jdhitsolutions/PSBluesky#22",
        ),
        pytest.param("lorem (ipsum #foo)", [("#foo", "foo")], id="innoq/statuses#177"),
        pytest.param("(#diaspora)", [], id="diaspora/diaspora#5583, as Bluesky's own app"),
        pytest.param("I see a #cat.", [("#cat", "cat")], id="hannesmannerheim/qvitter#154"),
        pytest.param("see x/#tag", [], id="mastodon/mastodon#1910, as Bluesky's own app"),
        pytest.param(
            "🥖#bread 🥖 #rye!",
            [("#rye", "rye")],
            id="nfrasser/linkifyjs#501, damus-io/damus#350, as Bluesky's own app",
        ),
        pytest.param("Prix: &pound; 35.00 &amp; more", [], id="yclas/yclas#2536"),
    ],
)
def test_links_and_tags_stand_on_their_own_signs(text: str, linked: list[tuple[str, str]]) -> None:
    """Bluesky's guide to rich text: places are counted in bytes of UTF-8, ends excluded."""
    sent: list[Any] = facets(text, {})

    found = []
    for facet in sent:
        start, end = facet["index"]["byteStart"], facet["index"]["byteEnd"]
        (feature,) = facet["features"]
        found.append((text.encode()[start:end].decode(), feature.get("uri") or feature.get("tag")))
    assert linked == found


def test_a_mention_ends_before_the_sign_behind_it() -> None:
    """snarfed/bridgy-fed#1770, julianlam/nodebb-plugin-mentions#355: handles are domains."""
    text = "@a.example.com\u2019s cake, (@b.example.com) or @c.example.com. Mail d@example.com"

    assert ["a.example.com", "b.example.com", "c.example.com"] == mentions(text)


@pytest.mark.parametrize(
    ("given", "title"),
    [
        pytest.param(
            "ice nant kills!! <3",
            "ice nant kills!! 3",
            id="joaorb64/TournamentStreamHelper#817",
        ),
        pytest.param(
            "[2023-12-11] " + "a" * 120,
            "[2023-12-11] " + "a" * 87,
            id="MrBrax/LiveStreamDVR#483",
        ),
    ],
)
def test_a_first_line_becomes_a_title_that_youtube_takes(given: str, title: str) -> None:
    """developers.google.com/youtube/v3/docs/videos, snippet.title: 100 characters, no < or >."""
    assert title == youtube_title(given, {})[0]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        pytest.param("Rye > wheat", YouTubeRefusal.ANGLES, id="dbvideostriketeam/wubloader#219"),
        pytest.param("é" * 2501, YouTubeRefusal.LONG_TEXT, id="mitodl/ocw-studio#1008"),
    ],
)
def test_what_youtube_refuses_of_a_text_is_told_before_the_upload(
    text: str, refusal: YouTubeRefusal
) -> None:
    """developers.google.com/youtube/v3/docs/videos, snippet.description: 5000 bytes, no < or >."""
    account = an_account(P.YOUTUBE, "bakery", "UC1")

    told = precheck(a_publication(account, text, a_video(), {}))

    assert refusal.end(found=len(text.encode())) == told


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "Co\u0302te\u0301 12e: @mairie12.paris.fr", id="bluesky-social/social-app#7602"
        ),
        pytest.param(
            "🇧🇷👩🏽\u200d🍳 a\u0303: @mairie12.paris.fr!", id="bluesky-social/atproto#2823"
        ),
    ],
)
def test_a_mention_behind_composed_signs_stands_on_its_own(text: str) -> None:
    """Bluesky's guide to rich text: places are bytes of UTF-8 of the text as it is sent."""
    sent: list[Any] = facets(text, {"mairie12.paris.fr": "did:plc:town"})

    (facet,) = sent
    start, end = facet["index"]["byteStart"], facet["index"]["byteEnd"]
    assert "@mairie12.paris.fr" == text.encode()[start:end].decode()


@pytest.mark.parametrize(
    ("zone", "local", "expected"),
    [
        pytest.param(
            "America/New_York", (2026, 3, 8, 9), (2026, 3, 8, 13), id="gitroomhq/postiz-app#1145"
        ),
        pytest.param(
            "America/New_York", (2026, 11, 1, 9), (2026, 11, 1, 14), id="WordPress/gutenberg#3271"
        ),
        pytest.param(
            "America/Denver", (2027, 3, 23, 9), (2027, 3, 23, 15), id="Automattic/wp-calypso#11528"
        ),
        pytest.param(
            "America/Los_Angeles",
            (2027, 3, 14, 7),
            (2027, 3, 14, 14),
            id="Automattic/wp-calypso#74233",
        ),
        pytest.param("Europe/Brussels", (2027, 4, 1, 2), (2027, 4, 1, 0), id="sk22/megalodon#940"),
    ],
)
def test_a_time_behind_a_change_of_the_clocks_is_that_time(
    zone: str, local: tuple[int, int, int, int], expected: tuple[int, int, int, int]
) -> None:
    """IANA's rules: what was chosen is what the clock on the wall shows then."""
    at = first_instant(datetime(*local), ZoneInfo(zone))  # noqa: DTZ001 - of the wall

    assert datetime(*expected, tzinfo=UTC) == at


def test_a_queue_time_is_one_of_the_workspaces_zone() -> None:
    """brightbeanxyz/brightbean-studio#72: 09:00 in Berlin was 09:00 UTC there."""
    slot = QueueSlot(id="slot", weekdays=(0, 1, 2, 3, 4, 5, 6), time="09:00")
    friday = datetime(2027, 3, 26, 12, tzinfo=UTC)

    times = list(islice(upcoming([slot], "Europe/Berlin", friday), 3))

    assert [(27, 8), (28, 7), (29, 7)] == [(at.day, at.hour) for at in times]


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize(
    "platform",
    [
        pytest.param(P.BLUESKY, id="bluesky-social/social-app#10714"),
        pytest.param(P.INSTAGRAM, id="pixelfed/pixelfed#75"),
        pytest.param(P.X, id="mastodon/mastodon#7530"),
        pytest.param(P.THREADS, id="superseriousbusiness/gotosocial#618"),
    ],
)
def test_a_phones_photo_stands_upright(copies: Copies, platform: Platform, turn: int) -> None:
    """EXIF 2.32, Orientation: what leaves has upright pixels and nothing that turns it again."""
    upright = Image.new("RGB", (320, 480), "white")
    upright.paste("red", (0, 0, 160, 240))
    stored = upright.transpose(UNDONE[turn]) if turn in UNDONE else upright
    exif = Image.Exif()
    exif[0x0112] = turn
    out = io.BytesIO()
    stored.save(out, "JPEG", quality=95, exif=exif)

    sent = copies.sent(platform, out.getvalue())

    assert sent is not None
    with Image.open(io.BytesIO(sent.data)) as found:
        assert found.getexif().get(0x0112, 1) == 1
        picture = found.convert("RGB")
        assert picture.width < picture.height or platform is P.INSTAGRAM
        left = (picture.width - picture.height * 2 // 3) // 2 + 40
        assert picture.getpixel((left, 60)) == pytest.approx((254, 0, 0), abs=4)
        assert picture.getpixel((picture.width // 2 + 60, picture.height - 60)) == (255,) * 3


@pytest.mark.parametrize(
    ("platform", "how"),
    [
        pytest.param(
            P.TIKTOK,
            Film(codec="libx265", pix_fmt="yuv420p10le", colours=HLG, seconds=1),
            id="browser-use/video-use#6",
        ),
        pytest.param(
            P.BLUESKY,
            Film(codec="libx265", pix_fmt="yuv420p10le", colours=PQ, fps=10, seconds=1),
            id="librephotos/librephotos#2044",
        ),
        pytest.param(
            P.BLUESKY,
            Film(codec="libx265", pix_fmt="yuv420p10le", colours=HLG, seconds=1),
            id="bluesky-social/social-app#11461",
        ),
        pytest.param(
            P.X,
            Film(codec="libx265", pix_fmt="yuv420p10le", colours=PQ, seconds=1),
            id="immich-app/immich#3512",
        ),
        pytest.param(P.INSTAGRAM, Film(size=(640, 640), fps=29.97), id="mgp25/Instagram-API#593"),
        pytest.param(
            P.INSTAGRAM, Film(fps=25, pix_fmt="yuv444p"), id="dilame/instagram-private-api#972"
        ),
        pytest.param(
            P.INSTAGRAM,
            Film(size=(360, 640), turned=0),
            id="Upload-Post/n8n-nodes-upload-post#36",
        ),
        pytest.param(P.INSTAGRAM, Film(size=(1280, 720)), id="mgp25/Instagram-API#2780"),
        pytest.param(
            P.X,
            Film(codec="libx265", tag="hvc1", uneven=(16, 17, 34, 17), container="mov", seconds=1),
            id="appaheadgmbh/support#190",
        ),
        pytest.param(
            P.X,
            Film(codec="libx265", tag="hvc1", turned=90, container="mov", seconds=1),
            id="immich-app/immich#10498",
        ),
    ],
)
def test_a_video_leaves_whole_in_what_phones_play(
    copies: Copies, platform: Platform, how: Film
) -> None:
    """The platforms' pages: H.264 of 8 bits in 4:2:0, BT.709, no shape changed, no border added."""
    source = film(how)

    sent = copies.sent(platform, source)

    assert sent is not None
    found, before = probed(sent.data), probed(source)
    assert ("h264", "4:2:0", 8, None) == (
        found.video_codec,
        found.coding.chroma,
        found.coding.bit_depth,
        found.coding.light,
    )
    assert before.width * found.height == found.width * before.height


@pytest.mark.parametrize(
    ("how", "size"),
    [
        pytest.param(
            Film(turned=90, container="mov"),
            (360, 640),
            id="kylegilman/video-embed-thumbnail-generator#426",
        ),
        pytest.param(
            Film(uneven=(400, 34, 17), seconds=1),
            (640, 360),
            id="margelo/react-native-vision-camera#3104",
        ),
    ],
)
def test_a_cover_shows_what_the_video_shows(
    copies: Copies, how: Film, size: tuple[int, int]
) -> None:
    """ISO/IEC 14496-12, 8.3.2: a track's matrix turns what it shows, and so its cover."""
    cover = copies.poster(film(how))

    assert size == cover.size
    assert (190, 190, 190) == pytest.approx(cover.convert("RGB").getpixel((100, 100)), abs=30)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(
            '<meta name="twitter:image" property="og:image" content="/bench.jpg">',
            id="bluesky-social/social-app#6303",
        ),
        pytest.param(
            '<meta content="/bench.jpg" property=og:image>', id="gitroomhq/postiz-app#1594"
        ),
    ],
)
def test_a_card_has_the_picture_that_others_show(head: str) -> None:
    """ogp.me: `og:image`, in whatever order and quotes."""
    assert "/bench.jpg" == read_head(head.encode(), "text/html")["og:image"]
