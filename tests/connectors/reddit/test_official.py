"""PRAW, the usual client of Reddit, against our fake, and its calls beside our connector's.

So the fake is proven by code that we did not write, before it judges the connector. PRAW speaks
https to the buckets that leases name, whatever they say; its session takes that to loopback.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import ClassVar

import praw
import pytest
import requests
from praw.endpoints import API_PATH
from praw.exceptions import RedditAPIException, TooLargeMediaException
from praw.models import PostMedia
from prawcore.exceptions import BadRequest, ResponseException

from chalicelib.connectors.reddit.api import agent
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.choices import ChoiceQuery
from chalicelib.kit.json_value import Json
from tests.connectors.reddit.answers import bad_request, refused
from tests.connectors.reddit.fake import (
    CLIENT_ID,
    CLIENT_SECRET,
    COMMUNITIES,
    FLAIR_ID,
    MOD_FLAIR_ID,
    USER_ID,
    USERNAME,
    FakeReddit,
)
from tests.connectors.reddit.fake_uploads import too_large
from tests.connectors.reddit.rig import TEXT, RedditRig, a_film
from tests.connectors.support.fake_platform import Received, Value
from tests.connectors.support.rig import a_photo, a_publication
from tests.support.frozen_clock import FrozenClock

JPEG = PostMedia(b"\xff\xd8\xff" * 300, name="image.jpg")
MP4 = PostMedia(b"\0\0\0\x18ftyp" * 300, name="video.mp4")


class PlainSession(requests.Session):
    """Speaks http where PRAW insists on https."""

    def send(self, request: requests.PreparedRequest, **kwargs: Value) -> requests.Response:
        """Send it on."""
        request.url = str(request.url).replace("https:", "http:", 1)
        return super().send(request, **kwargs)


@pytest.fixture
def fake() -> Iterator[FakeReddit]:
    made = FakeReddit(FrozenClock())
    yield made
    made.close()


@pytest.fixture
def reddit(fake: FakeReddit) -> Iterator[praw.Reddit]:
    with a_client(fake) as made:
        yield made


def a_client(fake: FakeReddit, refresh: str = "RT1") -> praw.Reddit:
    """Return PRAW, signed in at a fake."""
    session = PlainSession()
    session.trust_env = False
    return praw.Reddit(
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
        refresh_token=refresh,
        user_agent=agent("praw", USERNAME),
        reddit_url=fake.url,
        oauth_url=fake.url,
        check_for_updates=False,
        requestor_kwargs={"session": session},
    )


class TestTheFake:
    """What PRAW does, the fake takes."""

    def test_it_says_who_signed_in(self, reddit: praw.Reddit) -> None:
        me = reddit.user.me()

        assert me is not None
        assert (me.id, me.name) == (USER_ID, USERNAME)

    def test_it_takes_texts_and_links(self, reddit: praw.Reddit, fake: FakeReddit) -> None:
        text = reddit.subreddit("test").submit("Rye", selftext="Baked **today**.")
        link = reddit.subreddit("test").submit("Menu", url="https://bakery.example/", nsfw=True)

        assert [f"t3_{text.id}", f"t3_{link.id}"] == list(fake.posts)
        assert fake.posts[f"t3_{text.id}"]["selftext"] == "Baked **today**."
        assert fake.posts[f"t3_{link.id}"]["nsfw"] is True

    def test_it_takes_an_image_and_a_video_with_its_poster(
        self, reddit: praw.Reddit, fake: FakeReddit
    ) -> None:
        test = reddit.subreddit("test")
        image = test.submit("Harbour", image=JPEG, without_websockets=True)
        film: dict[str, bool | PostMedia] = {"media": MP4, "thumbnail": JPEG}
        video = test.submit("Oven", video=film, flair_id=FLAIR_ID, without_websockets=True)

        assert (image, video) == (None, None)
        assert [call.path for call in fake.calls] == [
            "/api/v1/access_token",
            *("/api/media/asset.json", "/", "/api/submit/"),
            *("/api/media/asset.json", "/", "/api/media/asset.json", "/", "/api/submit/"),
        ]

    def test_files_show_in_the_listing_under_their_assets(
        self, reddit: praw.Reddit, fake: FakeReddit
    ) -> None:
        reddit.subreddit("test").submit("Harbour", image=JPEG, without_websockets=True)
        listing = reddit.redditor(USERNAME).submissions

        early = list(listing.new(limit=25))
        fake.clock.pass_time(timedelta(minutes=1))
        late = [post.url for post in listing.new(limit=25)]

        assert early == []
        assert late == ["https://i.redd.it/fk7asset01.jpg"]

    def test_a_long_listing_has_pages(self, reddit: praw.Reddit, fake: FakeReddit) -> None:
        fake.page = 2
        for number in range(5):
            fake.post_as_a_person(f"Number {number}")

        titles = [post.title for post in reddit.redditor(USERNAME).submissions.new(limit=None)]

        assert titles == [f"Number {number}" for number in (4, 3, 2, 1, 0)]

    def test_a_community_shows_what_is_new(self, reddit: praw.Reddit, fake: FakeReddit) -> None:
        fake.post_as_a_person("Rye")
        fake.post_as_a_person("Spelt", "bread")

        assert [post.title for post in reddit.subreddit("bread").new(limit=100)] == ["Spelt"]

    def test_it_tells_communities_page_by_page_and_their_flairs(self, reddit: praw.Reddit) -> None:
        mine = [community.display_name for community in reddit.user.subreddits(limit=None)]
        flairs = [flair["id"] for flair in reddit.subreddit("test").flair.link_templates]

        assert mine == list(COMMUNITIES)
        assert flairs == [FLAIR_ID, MOD_FLAIR_ID]

    def test_it_counts(self, reddit: praw.Reddit, fake: FakeReddit) -> None:
        name = fake.post_as_a_person("Rye")

        told = [post.score for post in reddit.info(fullnames=[name, "t3_zzzzzz"])]

        assert told == [14]

    def test_its_refusals_are_read_as_what_they_are(
        self, reddit: praw.Reddit, fake: FakeReddit
    ) -> None:
        fake.refusal = refused(("RATELIMIT", "Take a break for 9 minutes.", "ratelimit"))

        with pytest.raises(RedditAPIException) as listed:
            reddit.subreddit("test").submit("Rye", selftext="")
        fake.refusal = bad_request("SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING")
        with pytest.raises((BadRequest, RedditAPIException)) as reasoned:
            reddit.subreddit("test").submit("Rye", selftext="")

        assert [item.error_type for item in listed.value.items] == ["RATELIMIT"]
        assert "SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING" in str(reasoned.value)

    def test_its_bucket_says_what_is_too_large(self, reddit: praw.Reddit, fake: FakeReddit) -> None:
        fake.uploads.failure = too_large(30_000_000, 20_971_520)

        with pytest.raises(TooLargeMediaException) as refusal:
            reddit.subreddit("test").submit("Harbour", image=JPEG, without_websockets=True)

        assert refusal.value.maximum_size == 20_971_520

    def test_a_withdrawn_sign_in_is_refused(self, fake: FakeReddit) -> None:
        with a_client(fake, "RT9") as reddit, pytest.raises(ResponseException) as refusal:
            reddit.user.me()

        assert refusal.value.response.status_code == 400


class TestTheConnector:
    """What PRAW sends for a post, the connector sends too."""

    kinds: ClassVar[dict[str, dict[str, Json]]] = {
        "self": {"send_replies": False},
        "link": {"link": "https://bakery.example/menu"},
        "image": {"nsfw": True},
        "video": {"flair_id": FLAIR_ID, "flair_text": "Ovens", "spoiler": True},
    }

    @pytest.mark.parametrize("kind", kinds)
    def test_leases_and_submissions_are_those_of_praw(
        self, rig: RedditRig, reddit: praw.Reddit, fake: FakeReddit, kind: str
    ) -> None:
        asked, media = self.kinds[kind], {"image": a_photo(), "video": a_film()}.get(kind)
        said: dict[str, Json] = {"subreddit": "test", "title": "Rye", "markdown": True}
        options: dict[str, Json] = {**said, "kind": kind, **asked}
        rig.shapes = {kind: a_publication(rig.account, TEXT, media, options)}

        end = rig.drive(kind).run()
        submit(reddit, kind, asked)

        assert isinstance(end, Done)
        assert forms(rig.platform) == forms(fake)

    def test_every_path_is_one_that_praw_knows(self, rig: RedditRig) -> None:
        known = {path.strip("/") for path in API_PATH.values()}
        rig.drive("video").run()
        end = rig.drive("text").run()
        assert isinstance(end, Done)
        rig.connector.metrics([rig.live(end)])
        rig.connector.identities(rig.tokens, rig.clock())
        account = rig.keeper.sign_in(rig.account, rig.connector)
        rig.connector.choices(account, ChoiceQuery(chosen={"subreddit": "test"}))

        called = {call.path.strip("/") for call in rig.platform.calls if call.path != "/"}

        # PRAW puts the listings together from the paths of user and community.
        profile = API_PATH["user"].format(user=USERNAME) + "submitted"
        community = API_PATH["subreddit"].format(subreddit="test") + "new"
        flairs = API_PATH["link_flair"].format(subreddit="test")
        demands = API_PATH["post_requirements"].format(subreddit="test")
        assert called - known == {profile, community, flairs, demands}
        assert len(called) == 9


def submit(reddit: praw.Reddit, kind: str, asked: dict[str, Json]) -> None:
    """Let PRAW submit what the connector did."""
    what: dict[str, dict[str, Value]] = {
        "self": {},
        "link": {"url": asked.get("link")},
        "image": {"image": JPEG, "without_websockets": True},
        "video": {"video": {"media": MP4, "thumbnail": JPEG}, "without_websockets": True},
    }
    options = {name: value for name, value in asked.items() if name != "link"}
    arguments: dict[str, Value] = {"selftext": TEXT, **options, **what[kind]}
    reddit.subreddit("test").submit("Rye", **arguments)


def forms(fake: FakeReddit) -> list[tuple[str, dict[str, str]]]:
    """Return the forms that were sent, as Reddit reads them: flags in any capitals."""
    sent = [call for call in fake.calls if call.path.startswith(("/api/media", "/api/submit"))]
    return [(call.path.rstrip("/"), _read(call, fake)) for call in sent]


def _read(call: Received, fake: FakeReddit) -> dict[str, str]:
    own = fake.uploads.action
    return {
        name: text.lower() if text in {"True", "False"} else text.replace(own, "//bucket")
        for name, text in call.form.items()
    }
