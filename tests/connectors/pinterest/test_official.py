"""A client made from Pinterest's own OpenAPI 5.28.0, PyPI `pinterestsdk`, against our fake.

So the fake is proven by code that we did not write, before it judges the connector. The client's
models let unknown fields fall away in silence, so the fields are compared here.
"""

import base64
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import pytest
import requests

from chalicelib.domain.outcome import Done
from tests.connectors.pinterest.fake import BOARD, CLIENT_ID, CLIENT_SECRET, FakePinterest
from tests.connectors.pinterest.fake_pins import SECTION, USERNAME
from tests.connectors.pinterest.rig import PinterestRig, a_rig
from tests.connectors.support.fake_platform import Answer, Fault, Received, Value
from tests.support.frozen_clock import FrozenClock
from tests.support.lazy_module import lazy_module

if TYPE_CHECKING:
    from tests.connectors.pinterest import official
else:
    official = lazy_module("tests.connectors.pinterest.official")

PHOTO = base64.b64encode(b"\xff\xd8\xff\xe0" * 300).decode()
PHOTO_SOURCE = {"source_type": "image_base64", "content_type": "image/jpeg", "data": PHOTO}
MODELS: Mapping[str, str] = {
    "GET user_account": "Account",
    "GET boards": "BoardsList200Response",
    "GET pins": "BoardsListPins200Response",
    "GET analytics": "PinAnalyticsMetricsResponse",
    "POST token": "OauthAccessToken",
    "POST media": "MediaUpload",
    "GET media": "Media",
    "POST pins": "Pin",
}
T = TypeVar("T")


class Recorder(FakePinterest):
    """A fake that remembers what it answered."""

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__(clock)
        self.told: list[tuple[str, Value]] = []

    def answer(self, call: Received) -> Answer:
        answer = super().answer(call)
        parts = call.path.strip("/").split("/")
        last = next(part for part in reversed(parts) if not part.isdigit())
        self.told.append((f"{call.method} {last}", answer.body))
        return answer


@pytest.fixture
def fake() -> Iterator[FakePinterest]:
    made = FakePinterest(FrozenClock())
    yield made
    made.close()


@pytest.fixture
def client(fake: FakePinterest) -> "official.ApiClient":
    return _client(fake, "pina_1")


@pytest.fixture
def rig() -> Iterator[PinterestRig]:
    made = a_rig(Recorder(FrozenClock()))
    yield made
    made.platform.close()


class TestTheFake:
    """What a client made from Pinterest's description does, the fake takes."""

    def test_it_says_who_signed_in_and_names_boards(self, client: "official.ApiClient") -> None:
        me = official.UserAccountApi(client).user_account_get()
        boards = official.BoardsApi(client).boards_list(page_size=250)

        assert (me.username, me.account_type) == (USERNAME, official.UserAccountType.BUSINESS)
        assert next(board.id for board in boards.items) == BOARD

    def test_it_takes_a_photo_with_nulls_for_all_that_is_not_set(
        self, client: "official.ApiClient", fake: FakePinterest
    ) -> None:
        made = official.PinsApi(client).pins_create(_pin(PHOTO_SOURCE))

        assert fake.calls[-1].json["title"] is None
        assert list(fake.posts) == [made.id]
        assert isinstance(_there(made.media).actual_instance, official.PinMediaWithImage)

    def test_it_takes_a_video_once_it_is_processed(
        self, client: "official.ApiClient", fake: FakePinterest
    ) -> None:
        media = official.MediaApi(client)
        upload = media.media_create(
            official.MediaUploadCreate(media_type=official.MediaUploadType.VIDEO)
        )
        form = _there(upload.upload_parameters).model_dump(by_alias=True)
        video = ("oven.mp4", b"\0" * 4_000, "video/mp4")
        stored = requests.post(
            _there(upload.upload_url), data=form, files={"file": video}, timeout=240
        )
        states = [_there(media.media_get(upload.media_id).status).value for _ in range(3)]
        source = {"source_type": "video_id", "media_id": upload.media_id}

        with pytest.raises(official.BadRequestException):
            official.PinsApi(client).pins_create(_pin(source))
        made = official.PinsApi(client).pins_create(
            _pin({**source, "cover_image_key_frame_time": 1})
        )

        assert stored.status_code == 204
        assert states == ["processing", "processing", "succeeded"]
        assert list(fake.posts) == [made.id]

    def test_it_lists_a_board_and_a_section_newest_first(
        self, client: "official.ApiClient"
    ) -> None:
        first, second = (official.PinsApi(client).pins_create(_pin(PHOTO_SOURCE)) for _ in range(2))

        boards = official.BoardsApi(client)
        listed = boards.boards_list_pins(BOARD, page_size=250)
        in_section = boards.board_sections_list_pins(BOARD, SECTION)
        anywhere = official.PinsApi(client).pins_list(page_size=250)

        assert [pin.id for pin in listed.items] == [second.id, first.id]
        assert listed.bookmark is None
        assert in_section.items == []
        assert [pin.id for pin in anywhere.items] == [second.id, first.id]

    def test_it_counts_and_deletes(self, client: "official.ApiClient", fake: FakePinterest) -> None:
        pins, today = official.PinsApi(client), fake.clock().date()
        made = pins.pins_create(_pin(PHOTO_SOURCE))

        told = pins.pins_analytics(
            made.id,
            today - timedelta(days=89),
            today,
            [official.Kind.IMPRESSION, official.Kind.TOTAL_REACTIONS],
        )
        pins.pins_delete(made.id)
        with pytest.raises(official.NotFoundException) as gone:
            pins.pins_delete(made.id)

        assert told["all"].lifetime_metrics == {"IMPRESSION": 240, "TOTAL_REACTIONS": 12}
        assert _there(gone.value.data).code == 50

    def test_each_refresh_token_works_once(
        self, client: "official.ApiClient", fake: FakePinterest
    ) -> None:
        oauth = official.OauthApi(client)
        anew = oauth.oauth_token(official.TokenGrantType.REFRESH_TOKEN, refresh_token="pinr_1")

        with pytest.raises(official.UnauthorizedException) as dead:
            oauth.oauth_token(official.TokenGrantType.REFRESH_TOKEN, refresh_token="pinr_1")

        assert (anew.access_token, anew.refresh_token) == ("pina_2", "pinr_2")
        assert _there(dead.value.data).code == 283
        assert (
            official.UserAccountApi(_client(fake, "pina_2")).user_account_get().username == USERNAME
        )


class TestTheConnector:
    """What the connector sends, the models know; what the fake answers it, too."""

    @pytest.mark.parametrize("shape", ["photo", "photo with all options", "wordless", "video"])
    def test_pins_have_no_field_that_pinterest_does_not_know(
        self, rig: PinterestRig, shape: str
    ) -> None:
        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        sent = rig.platform.calls[-1].json
        assert _as_known(sent) == sent

    def test_every_field_of_a_pin_is_used_that_an_option_has(self, rig: PinterestRig) -> None:
        rig.drive("photo with all options").run()

        known = set(official.PinCreate.model_fields) - {
            "ai_disclosures",
            "parent_pin_id",
            "sponsor_id",
        }

        assert set(rig.platform.calls[-1].json) == known

    @pytest.mark.parametrize(
        "wrong",
        [
            {"board_id": "Harbours"},
            {"board_section_id": "Sails"},
            {"title": "T" * 101},
            {"description": "d" * 801},
            {"link": f"https://shop.example/{'a' * 2_048}"},
            {"alt_text": "a" * 501},
            {"media_source": {**PHOTO_SOURCE, "content_type": "image/webp"}},
            {"media_source": {**PHOTO_SOURCE, "data": "with a space"}},
            {"media_source": {"source_type": "video_id", "media_id": "oven"}},
        ],
    )
    def test_the_models_do_refuse(self, wrong: dict[str, Value]) -> None:
        """So that a body that passes them says something."""
        with pytest.raises(ValueError, match=r"validat|match"):
            official.PinCreate.from_dict({"board_id": BOARD, "media_source": PHOTO_SOURCE, **wrong})

    def test_what_the_models_do_not_know_is_noticed(self) -> None:
        body = {"board_id": BOARD, "media_source": PHOTO_SOURCE, "note": "old"}

        assert _as_known(body) != body

    def test_all_that_the_fake_answers_is_what_the_models_describe(self, rig: PinterestRig) -> None:
        fake = rig.platform
        assert isinstance(fake, Recorder)
        connector, clock = rig.connector, rig.clock
        connector.identities(rig.tokens, clock())
        fake.strike(0, Fault.DROP_AFTER)
        lost = rig.drive("photo with all options").run()
        end = rig.drive("video").run()
        assert isinstance(end, Done)
        assert isinstance(lost, Done)
        connector.metrics([rig.live(end)])
        connector.refresh(rig.keeper.sign_in(rig.account, connector), rig.tokens, clock())

        assert {name for name, _ in fake.told} == {*MODELS, "POST s3"}
        for name, body in fake.told:
            if name in MODELS:
                told = body["all"] if name == "GET analytics" else body
                model = getattr(official, MODELS[name])
                assert set(told) <= set(model.model_fields), name
                assert model.from_dict(told) is not None, name


def _client(fake: FakePinterest, token: str) -> "official.ApiClient":
    return official.ApiClient(
        official.Configuration(
            host=f"{fake.url}/v5", access_token=token, username=CLIENT_ID, password=CLIENT_SECRET
        )
    )


def _pin(source: Mapping[str, Value]) -> "official.PinCreate":
    return _there(official.PinCreate.from_dict({"board_id": BOARD, "media_source": dict(source)}))


def _as_known(body: Mapping[str, Value]) -> Value:
    """Return what is left of a body in the model, without the default that it adds."""
    model = _there(official.PinCreate.from_dict(dict(body)))
    known = {name: value for name, value in model.to_dict().items() if value is not None}
    known["media_source"].pop("is_standard")
    return known


def _there(value: T | None) -> T:
    """Return what the description lets be missing and the fake always says."""
    assert value is not None
    return value
