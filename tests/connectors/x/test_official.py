"""X's own client, PyPI `xdk`, against our fake, and its models against what our connector sends.

So the fake is proven by code that we did not write, before it judges the connector. The models are
generated from X's OpenAPI description; they let unknown fields pass, so those are looked for here.
"""

import base64
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import requests
from pydantic import BaseModel

from chalicelib.domain.outcome import Done
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_photo, a_publication, a_video
from tests.connectors.x.fake import CLIENT_ID, CLIENT_SECRET, USER_ID, USERNAME, FakeX
from tests.connectors.x.rig import XRig
from tests.support.frozen_clock import FrozenClock
from tests.support.lazy_module import lazy_module

if TYPE_CHECKING:
    from tests.connectors.x import official
else:
    official = lazy_module("tests.connectors.x.official")

SEGMENTS = (b"\0" * 1_048_576, b"\1" * 524_288)


@pytest.fixture
def fake() -> Iterator[FakeX]:
    made = FakeX(FrozenClock())
    yield made
    made.close()


@pytest.fixture
def client(fake: FakeX) -> "Iterator[official.Client]":
    made = official.Client(base_url=fake.url, access_token="AT1")
    yield made
    made.session.close()


class TestTheFake:
    """What X's client does, the fake takes."""

    def test_it_says_who_signed_in(self, client: "official.Client") -> None:
        me = client.users.get_me()

        assert (me.data.id, me.data.username) == (USER_ID, USERNAME)

    def test_it_takes_a_text_and_shows_counts_and_deletes(
        self, client: "official.Client", fake: FakeX
    ) -> None:
        made = client.posts.create(official.CreateRequest(text="Launch day"))

        told = client.posts.get_by_ids([made.data.id], post_fields=["public_metrics"])
        deleted = client.posts.delete(made.data.id)

        assert told.data[0].public_metrics.impression_count == 950
        assert told.data[0].public_metrics.repost_count == 4
        assert deleted.data.deleted is True
        assert fake.posts == {}

    def test_it_takes_a_photo(self, client: "official.Client", fake: FakeX) -> None:
        photo = base64.b64encode(b"\xff\xd8" * 500).decode()
        uploaded = client.media.upload(
            official.UploadRequest(media=photo, media_category="tweet_image")
        )
        alt = {"alt_text": {"text": "a rocket"}}
        client.media.create_metadata(
            official.CreateMetadataRequest.model_validate({"id": uploaded.data.id, "metadata": alt})
        )

        made = client.posts.create(_post("Launch day", uploaded.data.id))

        assert fake.posts[made.data.id]["attachments"]["media_keys"] == [uploaded.data.media_key]

    def test_it_takes_a_video_in_segments(self, client: "official.Client", fake: FakeX) -> None:
        about = official.InitializeUploadRequest(
            media_type="video/mp4", total_bytes=1_572_864, media_category="tweet_video"
        )
        media_id = client.media.initialize_upload(about).data.id
        for index, segment in enumerate(SEGMENTS):
            content = base64.b64encode(segment).decode()
            part = official.AppendUploadRequest(media=content, segment_index=index)
            client.media.append_upload(media_id, part)
        state = client.media.finalize_upload(media_id).data.processing_info.state

        states = [state]
        while states[-1] != "succeeded":
            status = client.media.get_upload_status(media_id, command="STATUS")
            states.append(status.data.processing_info.state)
        made = client.posts.create(_post("Launch day", media_id))

        assert states == ["pending", "in_progress", "succeeded"]
        assert list(fake.posts) == [made.data.id]

    def test_it_refuses_the_same_text_twice(self, client: "official.Client") -> None:
        client.posts.create(official.CreateRequest(text="Launch day"))

        with pytest.raises(requests.HTTPError) as refused:
            client.posts.create(official.CreateRequest(text="Launch day"))

        assert refused.value.response.status_code == 403

    def test_it_trades_a_code_for_tokens(self, fake: FakeX) -> None:
        client = official.Client(
            base_url=fake.url,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            redirect_uri="http://127.0.0.1:9/back",
            scope="tweet.read",
        )
        client.get_authorization_url()

        tokens = client.exchange_code("code-of-nora")

        assert (tokens["access_token"], tokens["refresh_token"]) == ("AT2", "RT2")
        client.session.close()


class TestTheConnector:
    """What the connector sends, X's models know; what the fake answers it, too."""

    def test_bodies_have_no_field_that_x_does_not_know(self, rig: XRig) -> None:
        options: dict[str, Json] = {
            "alt": "a rocket",
            "reply_settings": "mentionedUsers",
            "made_with_ai": True,
            "paid_partnership": True,
            "community_id": "123",
            "share_with_followers": True,
            "for_super_followers_only": True,
            "media_title": "Launch",
            "media_description": "Of a rocket",
        }
        rig.shapes = {
            "video": a_publication(rig.account, "Launch", a_video(), options),
            "photo": a_publication(rig.account, "Launch again", a_photo(), options),
        }

        ends = [rig.drive(shape).run() for shape in rig.shapes]

        assert all(isinstance(end, Done) for end in ends)
        models = {
            "/2/media/upload/initialize": official.InitializeUploadRequest,
            "/2/media/metadata": official.CreateMetadataRequest,
            "/2/tweets": official.CreateRequest,
        }
        checked = [call for call in rig.platform.calls if call.path in models]
        assert len(checked) == 4
        for call in checked:
            model = models[call.path].model_validate(call.json)
            assert _unknown(model) == []
            assert model.model_dump(exclude_none=True) == call.json

    def test_multipart_fields_are_those_of_the_models(self, rig: XRig) -> None:
        rig.drive("photo").run()
        photo = rig.platform.calls[0]

        sent = {part.name: part.content.decode("latin-1") for part in photo.parts}

        model = official.UploadRequest.model_validate(sent)
        assert _unknown(model) == []
        assert set(sent) == {"media", "media_category"}

    def test_answers_of_the_fake_are_what_the_models_describe(self, rig: XRig) -> None:
        rig.platform.strike(0, Fault.DROP_AFTER)
        end = rig.drive("text").run()
        assert isinstance(end, Done)
        fake = rig.platform
        assert isinstance(fake, FakeX)
        look = fake.calls[-1]

        timeline = official.GetUsersPostsResponse.model_validate(fake.timeline(look).body)
        unknown = _unknown(timeline)

        assert timeline.meta.result_count == 1
        assert unknown == []
        assert official.GetPostsByIdsResponse.model_validate(timeline.model_dump()).data[0].id


def _post(text: str, media_id: str) -> "official.CreateRequest":
    return official.CreateRequest.model_validate({"text": text, "media": {"media_ids": [media_id]}})


def _unknown(value: object) -> list[str]:
    """Return the fields that a model took in without knowing them."""
    if isinstance(value, BaseModel):
        extra = list(value.model_extra or {})
        inner = [getattr(value, name) for name in type(value).model_fields]
        return extra + [name for one in inner for name in _unknown(one)]
    if isinstance(value, list):
        return [name for one in value for name in _unknown(one)]
    return []
