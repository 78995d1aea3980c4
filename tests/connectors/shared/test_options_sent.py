"""Options as they leave: each in the field of the platform's own description."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pytest

from chalicelib.domain.outcome import Done
from chalicelib.kit.json_value import Json
from tests.connectors.bluesky.rig import a_rig as bluesky
from tests.connectors.facebook.rig import a_rig as facebook
from tests.connectors.instagram.rig import a_rig as instagram
from tests.connectors.pinterest.rig import a_rig as pinterest
from tests.connectors.support.fake_platform import Received
from tests.connectors.support.rig import Rig
from tests.connectors.tiktok.rig import a_rig as tiktok
from tests.connectors.x.rig import a_rig as x
from tests.connectors.youtube.rig import a_rig as youtube

LIST = "at://did:plc:pia/app.bsky.graph.list/3kabc"
Options = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A post with options, and what of them must stand in one of the calls."""

    rig: Callable[[], Rig]
    shape: str
    options: Options
    seen: Callable[[list[Received]], Json]
    is_: Json


def body(end: str, *path: str | int) -> Callable[[list[Received]], Json]:
    """Return what stands at a path of the JSON sent to the last address that ends so."""

    def seen(calls: list[Received]) -> Json:
        found: Json = [c for c in calls if c.path.endswith(end) and c.method == "POST"][-1].json
        for step in path:
            found = found[step]  # type: ignore[index]  # the test's own path
        return found

    return seen


def form(end: str, name: str) -> Callable[[list[Received]], Json]:
    """Return a field of the last form sent to an address that ends so."""
    return lambda calls: [c for c in calls if c.path.endswith(end)][-1].form.get(name)


def query(end: str, name: str) -> Callable[[list[Received]], Json]:
    """Return a parameter of the first call to an address that ends so."""
    return lambda calls: next(c for c in calls if c.path.endswith(end)).query.get(name)


def _reels() -> Rig:
    return facebook(videos=True)


def _behind_page() -> Rig:
    return instagram(by_facebook=True)


AI: Options = {"is_ai_generated": True}
STORY: Options = {"post_type": "story", **AI, "user_tags": [{"username": "nora"}]}
PARTNERS: Options = {"is_paid_partnership": True, "sponsors": ["1784"]}
SENT = {
    "x ai": Sent(rig=x, shape="text", options=AI, seen=body("/2/tweets", "made_with_ai"), is_=True),
    "x quote": Sent(
        rig=x,
        shape="text",
        options={"quote_post_id": "19900"},
        seen=body("/2/tweets", "quote_tweet_id"),
        is_="19900",
    ),
    "x reply": Sent(
        rig=x,
        shape="text",
        options={"reply_to_post_id": "19901"},
        seen=body("/2/tweets", "reply"),
        is_={"in_reply_to_tweet_id": "19901"},
    ),
    "x warning": Sent(
        rig=x,
        shape="wordless",
        options={"sensitive": "other"},
        seen=body("/2/media/metadata", "metadata"),
        is_={"sensitive_media_warning": {"other": True}},
    ),
    "x warning of a video": Sent(
        rig=x,
        shape="video",
        options={"sensitive": "graphic_violence", "alt": "not sent"},
        seen=body("/2/media/metadata", "metadata"),
        is_={"sensitive_media_warning": {"graphic_violence": True}},
    ),
    "tiktok ai": Sent(
        rig=tiktok,
        shape="video",
        options=AI,
        seen=body("/video/init/", "post_info", "is_aigc"),
        is_=True,
    ),
    "tiktok cover": Sent(
        rig=tiktok,
        shape="video",
        options={"cover_second": 3},
        seen=body("/video/init/", "post_info", "video_cover_timestamp_ms"),
        is_=3_000,
    ),
    "facebook ai": Sent(
        rig=_reels,
        shape="video",
        options=AI,
        seen=form("/video_reels", "is_ai_generated"),
        is_="true",
    ),
    "facebook film ai": Sent(
        rig=_reels, shape="film", options=AI, seen=form("/videos", "is_ai_generated"), is_="true"
    ),
    "pinterest ai": Sent(
        rig=pinterest,
        shape="video",
        options=AI,
        seen=body("/pins", "ai_disclosures"),
        is_={"values": ["AI_MODIFIED"]},
    ),
    "youtube ai": Sent(
        rig=youtube,
        shape="video",
        options=AI,
        seen=body("/youtube/v3/videos", "status", "containsSyntheticMedia"),
        is_=True,
    ),
    "youtube paid": Sent(
        rig=youtube,
        shape="video",
        options={"paid_promotion": True},
        seen=body("/youtube/v3/videos", "paidProductPlacementDetails"),
        is_={"hasPaidProductPlacement": True},
    ),
    "youtube paid is a part": Sent(
        rig=youtube,
        shape="video",
        options={"paid_promotion": True},
        seen=query("/youtube/v3/videos", "part"),
        is_="snippet,status,paidProductPlacementDetails",
    ),
    "instagram partnership": Sent(
        rig=_behind_page,
        shape="video",
        options=PARTNERS,
        seen=body("/media", "branded_content_sponsor_ids"),
        is_=["1784"],
    ),
    "instagram partnership's label": Sent(
        rig=_behind_page,
        shape="video",
        options=PARTNERS,
        seen=body("/media", "is_paid_partnership"),
        is_=True,
    ),
    "instagram sound": Sent(
        rig=instagram,
        shape="video",
        options={"audio_name": "Oven at seven"},
        seen=body("/media", "audio_name"),
        is_="Oven at seven",
    ),
    "instagram cover": Sent(
        rig=instagram,
        shape="video",
        options={"cover_second": 2},
        seen=body("/media", "thumb_offset"),
        is_=2_000,
    ),
    "instagram story ai": Sent(
        rig=instagram,
        shape="story",
        options=STORY,
        seen=body("/media", "is_ai_generated"),
        is_=True,
    ),
    "instagram story tags": Sent(
        rig=instagram,
        shape="story",
        options=STORY,
        seen=body("/media", "user_tags"),
        is_=[{"username": "nora"}],
    ),
    "bluesky rules": Sent(
        rig=bluesky,
        shape="text",
        options={"reply_rules": ["mentioned", "followers", LIST]},
        seen=body("applyWrites", "writes", 1, "value", "allow"),
        is_=[
            {"$type": "app.bsky.feed.threadgate#mentionRule"},
            {"$type": "app.bsky.feed.threadgate#followerRule"},
            {"$type": "app.bsky.feed.threadgate#listRule", "list": LIST},
        ],
    ),
}


@pytest.mark.parametrize("name", SENT)
def test_an_option_stands_in_the_request_that_leaves(name: str) -> None:
    sent = SENT[name]
    rig = sent.rig()
    shape = rig.shapes[sent.shape]
    rig.shapes = {sent.shape: replace(shape, options={**shape.options, **sent.options})}

    end = rig.drive(sent.shape).run()

    rig.platform.close()
    assert isinstance(end, Done), end
    assert sent.seen(rig.platform.calls) == sent.is_
