"""How an account looks: what each platform's answer says of followers and picture.

The answers are those of the platforms' own pages, cut to what is asked for.
"""

import json
from dataclasses import replace

import pytest

from chalicelib.connectors.connector import SeenProfile, ShowsProfile
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.calls.stand_ins import answer_calls
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.linkedin.fake import MEMBER, PAGE
from tests.connectors.support.every_rig import a_rig_for

PICTURE = "https://pictures.example/nora.jpg"
SAID: dict[Platform, tuple[str, object, int | None]] = {
    # docs.x.com/x-api/users/user-lookup-me
    Platform.X: (
        "/2/users/me",
        {
            "data": {
                "username": "nora",
                "profile_image_url": PICTURE,
                "public_metrics": {"followers_count": 512},
            }
        },
        512,
    ),
    # docs.bsky.app/docs/api/app-bsky-actor-get-profile
    Platform.BLUESKY: (
        "/xrpc/app.bsky.actor.getProfile",
        {"handle": "nora", "avatar": PICTURE, "followersCount": 512},
        512,
    ),
    # developers.tiktok.com/doc/tiktok-api-v2-get-user-info
    Platform.TIKTOK: (
        "/v2/user/info/",
        {"data": {"user": {"avatar_url": PICTURE, "username": "nora"}}, "error": {"code": "ok"}},
        None,
    ),
    # developers.facebook.com/docs/instagram-platform/reference/ig-user
    Platform.INSTAGRAM: (
        "",
        {"username": "nora", "followers_count": 512, "profile_picture_url": PICTURE},
        512,
    ),
    # developers.facebook.com/docs/graph-api/reference/page
    Platform.FACEBOOK: (
        "",
        {"name": "nora", "followers_count": 512, "picture": {"data": {"url": PICTURE}}},
        512,
    ),
    # developers.facebook.com/docs/threads/threads-profiles
    Platform.THREADS: (
        "",
        {"username": "nora", "threads_profile_picture_url": PICTURE},
        None,
    ),
    # developers.google.com/youtube/v3/docs/channels
    Platform.YOUTUBE: (
        "/youtube/v3/channels",
        {
            "items": [
                {
                    "snippet": {
                        "customUrl": "nora",
                        "title": "Nora bakes",
                        "thumbnails": {"default": {"url": PICTURE}},
                    },
                    "statistics": {"subscriberCount": "512"},
                }
            ]
        },
        512,
    ),
    # developers.pinterest.com/docs/api/v5/user_account-get
    Platform.PINTEREST: (
        "/v5/user_account",
        {"username": "nora", "follower_count": 512, "profile_image": PICTURE},
        512,
    ),
    # www.reddit.com/dev/api#GET_api_v1_me
    Platform.REDDIT: (
        "/api/v1/me",
        {"icon_img": PICTURE, "subreddit": {"subscribers": 512}},
        512,
    ),
    # learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
    Platform.LINKEDIN: ("/v2/userinfo", {"name": "nora", "picture": PICTURE}, None),
}


def seen(platform: Platform, said: object, *, remote_id: str | None = None) -> SeenProfile:
    rig = a_rig_for(platform, "video" if platform is Platform.YOUTUBE else "photo")
    signed = rig.keeper.sign_in(rig.account, rig.connector)
    rig.platform.close()
    asked: list[str] = []

    def answer(exchange: Exchange) -> PlatformResponse:
        asked.append(exchange.url)
        return PlatformResponse(status=200, headers={}, body=json.dumps(said).encode())

    connector = rig.connector
    assert isinstance(connector, ShowsProfile)
    with answer_calls(answer):
        found = connector.profile(replace(signed, remote_id=remote_id or signed.remote_id))
    assert all(SAID[platform][0] in url for url in asked)
    assert len(asked) <= 1
    return found


@pytest.mark.parametrize("platform", SAID)
def test_an_answer_is_read_for_followers_and_picture(platform: Platform) -> None:
    _, said, followers = SAID[platform]
    own = MEMBER if platform is Platform.LINKEDIN else None

    found = seen(platform, said, remote_id=own)

    assert (found.followers, found.picture_url) == (followers, PICTURE)
    # Reddit lets nobody change a name.
    assert found.handle == (None if platform is Platform.REDDIT else "nora")


def test_a_name_that_leads_nowhere_on_bluesky_is_none() -> None:
    assert seen(Platform.BLUESKY, {"handle": "handle.invalid"}).handle is None


@pytest.mark.parametrize("platform", SAID)
@pytest.mark.parametrize("said", [{}, {"data": None}, {"items": []}])
def test_an_answer_that_says_nothing_is_no_profile(platform: Platform, said: object) -> None:
    own = MEMBER if platform is Platform.LINKEDIN else None
    said = {**said, "error": {"code": "ok"}} if platform is Platform.TIKTOK else said  # type: ignore[dict-item]

    assert seen(platform, said, remote_id=own) == SeenProfile()


def test_of_a_linkedin_page_nothing_is_asked() -> None:
    assert seen(Platform.LINKEDIN, {"picture": PICTURE}, remote_id=PAGE) == SeenProfile()


@pytest.mark.parametrize("followers", [True, -1, "12k", 1.5, None, [1], "²", "9" * 5000])
def test_what_is_no_count_is_none(followers: object) -> None:
    assert SeenProfile.of(followers, 7).followers is None  # type: ignore[arg-type]
    assert SeenProfile.of(followers, 7).picture_url is None  # type: ignore[arg-type]
