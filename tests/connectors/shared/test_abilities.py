"""What a connector claims in docs/connectors.md works through the HTTP API and the engine.

Eleven accounts in one workspace, each platform a fake; a claim that is missing is refused.
"""

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.cli.post import inside_document
from chalicelib.connectors.shared.link_cards import LinkCards
from chalicelib.domain.platforms.choices import Choice, ChoiceQuery
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.guarded import GuardedFetch
from tests.api.http_room import Document
from tests.connectors.facebook.fake import FakeFacebook
from tests.connectors.google_business_profile.fake import FakeGoogleBusinessProfile
from tests.connectors.instagram.rig import a_rig as instagram
from tests.connectors.pinterest.fake import BOARD, OTHER_BOARD, FakePinterest
from tests.connectors.pinterest.fake_pins import SECTIONS
from tests.connectors.proofs.abilities import Ability, abilities_of
from tests.connectors.reddit.fake import FLAIR_ID
from tests.connectors.shared.every_platform import World, a_world
from tests.connectors.shared.test_link_cards import Bakery
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.youtube.fake import PLAYLIST, FakeYouTube
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import Clip, encode

KINDS = {"text": Ability.TEXT, "photo": Ability.PHOTO, "video": Ability.VIDEO}


@pytest.fixture(scope="module")
def world(emulator: EmulatorProcess) -> Iterator[World]:
    made = a_world(emulator)
    yield made
    made.close()


@pytest.fixture(scope="module")
def posts(world: World) -> dict[str, Document]:
    """Publish a post of each kind on every platform that claims the kind."""
    return {kind: world.publish(kind, *_able(world, ability)) for kind, ability in KINDS.items()}


@pytest.fixture
def bakery(world: World) -> Iterator[Bakery]:
    made = Bakery()
    for platform in _able(world, Ability.LINK_CARD):
        connector = world.rigs[platform].connector
        connector._cards = LinkCards(GuardedFetch(frozenset({made.url})))  # type: ignore[attr-defined]
    yield made
    made.close()


def _able(world: World, ability: Ability) -> list[Platform]:
    return [p for p, rig in world.rigs.items() if ability in abilities_of(rig.connector)]


def _by_platform(post: Document) -> dict[str, Document]:
    return {target["platform"]: target for target in post["targets"]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_claimed_kind_is_published_once(
    world: World, posts: dict[str, Document], kind: str
) -> None:
    told = ("platform", "status", "error_code", "error_message")

    rows = [tuple(target[name] for name in told) for target in posts[kind]["targets"]]

    assert [row for row in rows if row[1] != "published"] == []
    for platform in _able(world, KINDS[kind]):
        claimed = sum(platform in _by_platform(post) for post in posts.values())
        assert len(world.visible(platform)) == claimed, platform


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_not_claimed_is_refused_when_it_is_scheduled(
    world: World, kind: str
) -> None:
    for platform in set(world.rigs) - set(_able(world, KINDS[kind])):
        answer = world.room.act(world.draft(kind, platform), "publish-now")

        assert answer.refusal == (422, "media_required"), platform


def test_claimed_metrics_arrive_at_the_api(world: World, posts: dict[str, Document]) -> None:
    """Nobody noticed for long that Bluesky was never asked."""
    google = world.rigs[Platform.GOOGLE_BUSINESS_PROFILE].platform
    assert isinstance(google, FakeGoogleBusinessProfile)
    google.views.update(dict.fromkeys(google.posts, 7))
    world.room.house.clock.pass_time(timedelta(minutes=15))
    world.room.house.deployment.upkeep.metrics_worker.run()

    told: set[str] = set()
    for post in posts.values():
        metrics = world.room.get(f"/v1/posts/{post['id']}/metrics").json["platforms"]
        told |= {platform for platform, counts in metrics.items() if counts}

    assert told == set(_able(world, Ability.METRICS))


def test_what_an_account_can_choose_is_listed(world: World) -> None:
    choosing = {*_able(world, Ability.CHOICES), *_able(world, Ability.CREATOR)}

    for platform, account in world.accounts.items():
        answer = world.room.get(f"/v1/accounts/{account}/choices")
        assert answer.status == 200, (platform, answer)
        assert bool(answer.json["data"]) == (platform in choosing), platform


def test_places_to_tag_are_found_by_words(world: World) -> None:
    """Instagram's own sign-in can name none: its rig behind a Page is asked alone."""
    options = {Platform.FACEBOOK: "place_id", Platform.THREADS: "location_id"}
    assert {*options, Platform.INSTAGRAM} == {*_able(world, Ability.PLACES)}

    for platform, account in world.accounts.items():
        answer = world.room.get(f"/v1/accounts/{account}/choices", {"q": "Bakery"})
        listed = {"place_id", "location_id"} & set(answer.json["data"])
        assert listed == ({options[platform]} if platform in options else set()), platform


def test_an_account_behind_a_page_finds_places() -> None:
    rig = instagram(by_facebook=True)
    account = rig.keeper.sign_in(rig.account, rig.connector)

    found = rig.connector.choices(account, ChoiceQuery(words="Bakery"))

    rig.platform.close()
    assert {"location_id": (Choice("61", "Bakery 1, Nice, France"),)} == found.offered


def test_a_place_has_its_address_in_its_name(world: World) -> None:
    account = world.accounts[Platform.FACEBOOK]

    answer = world.room.get(f"/v1/accounts/{account}/choices", {"q": "Bakery"})

    assert {"place_id": [{"id": "61", "name": "Bakery 1, Nice, France"}]} == answer.json["data"]


OFFERED: dict[str, dict[str, list[Document]]] = {
    Platform.PINTEREST: {
        "board": [{"id": BOARD, "name": "Harbours"}, {"id": OTHER_BOARD, "name": "Lighthouses"}],
        "board_section": [{"id": key, "name": name} for key, name in SECTIONS],
    },
    Platform.REDDIT: {
        "subreddit": [{"id": "test", "name": "r/test"}, {"id": "baking", "name": "r/baking"}],
        "flair_id": [{"id": FLAIR_ID, "name": "Sourdough"}],
    },
    Platform.YOUTUBE: {
        "playlist": [{"id": PLAYLIST, "name": "rye"}, {"id": "PLspelt", "name": "spelt"}],
        "category": [{"id": "22", "name": "People & Blogs"}],
    },
}
NOT_OFFERED = {
    Platform.PINTEREST: {"board": "99999999"},
    Platform.REDDIT: {"flair_id": "00000000-5c1d-11ee-8c99-0242ac120002"},
    Platform.YOUTUBE: {"playlist": "PLoats"},
}


@pytest.fixture
def paged(world: World) -> World:
    """Let the platforms tell what they offer in several pages."""
    pinterest, youtube = (
        world.rigs[one].platform for one in (Platform.PINTEREST, Platform.YOUTUBE)
    )
    assert isinstance(pinterest, FakePinterest)
    assert isinstance(youtube, FakeYouTube)
    pinterest.page = 1
    youtube.playlists["PLspelt"] = []
    return world


@pytest.mark.parametrize("platform", OFFERED)
def test_the_choices_are_those_of_the_account_page_by_page(
    paged: World, platform: Platform
) -> None:
    asked = {Platform.REDDIT: {"subreddit": "r/test"}, Platform.PINTEREST: {"board": BOARD}}
    place = f"/v1/accounts/{paged.accounts[platform]}/choices"

    answer = paged.room.get(place, {"fresh": "true", **asked.get(platform, {})})

    assert answer.json == {"data": OFFERED[platform]}


def _told(checked: Document) -> list[tuple[str, str, str]]:
    """Return what a check tells besides that the account's other posts are alike and near."""
    return [
        (one["level"], one["code"], one["field"])
        for one in checked["data"]
        if one["code"] not in ("repeated_text", "close_together")
    ]


@pytest.mark.parametrize("platform", OFFERED)
def test_each_choice_of_an_account_can_be_published_and_no_other(
    paged: World, platform: Platform
) -> None:
    kind = "video" if platform is Platform.YOUTUBE else "photo"
    for option, choices in OFFERED[platform].items():
        for choice in choices:
            post = paged.publish(kind, platform, **{option: choice["id"]})
            assert post["status"] == "published", (option, choice, post["targets"])
    wrong = paged.draft(kind, platform, **NOT_OFFERED[platform])

    checked = paged.room.act(wrong, "check").json
    refused = paged.room.act(wrong, "schedule", {"at": paged.room.in_(minutes=30)})

    (name,) = NOT_OFFERED[platform]
    told = _told(checked)
    assert told == [("error", "option_unknown", f"targets[0].options.{name}")]
    assert (refused.status, refused.code) == (422, "option_unknown")


def test_a_linkedin_video_that_is_too_small_is_told_before_its_time(world: World) -> None:
    """The connector's own rule of 75,000 bytes, which LinkedIn itself tells after an upload."""
    small = world.room.upload(encode(Clip(seconds=5)), "oven.mp4")
    body = {
        "caption": "Rye",
        "media_ids": [small],
        "targets": [{"account_id": world.accounts[Platform.LINKEDIN]}],
    }
    post = world.room.post("/v1/posts", body).json

    checked = world.room.act(post, "check").json
    assert world.room.act(post, "publish-now").status == 200
    world.room.pass_time(timedelta(minutes=1))

    (error,) = checked["data"]
    (target,) = world.room.show(post)["targets"]
    assert (error["level"], error["code"]) == ("error", target["error_code"])
    assert error["message"] == target["error_message"]
    assert "75 KB" in error["message"]


def test_what_a_creator_s_own_settings_take_away_is_told(world: World) -> None:
    """The fake's creator lets nobody stitch: TikTok is sent `disable_stitch`."""
    post = world.draft("video", Platform.TIKTOK, allow_stitch=True, allow_comment=True)

    told = world.room.act(post, "check").json["data"]

    field = "targets[0].options.allow_stitch"
    ignored = [one["field"] for one in told if one["code"] == "option_ignored"]
    others = {one["code"] for one in told} - {"option_ignored"}
    assert ignored == [field]
    assert others <= {"tiktok_label", "tiktok_unaudited"}


def test_a_creator_s_options_are_those_of_a_platform_that_has_them(world: World) -> None:
    for platform, account in world.accounts.items():
        answer = world.room.get(f"/v1/accounts/{account}/tiktok")

        expected = 200 if platform in _able(world, Ability.CREATOR) else 409
        assert answer.status == expected, platform


def test_a_refused_token_is_renewed_and_the_post_goes_out(world: World) -> None:
    able = _able(world, Ability.REFRESH)
    for platform in able:
        world.rigs[platform].platform.strike(0, Fault.TOKEN_REFUSED)

    post = world.publish("photo", *(p for p in able if p is not Platform.YOUTUBE))
    video = world.publish("video", *(p for p in able if p is Platform.YOUTUBE))

    assert (post["status"], video["status"]) == ("published", "published")
    health = world.room.house.operator.people.connections.list(world.room.workspace_id)
    assert {account.health for account in health} == {"ok"}


@pytest.mark.parametrize("kind", ["photo", "video"])
def test_a_lost_answer_is_settled_without_a_second_post(world: World, kind: str) -> None:
    able = [one for one in _able(world, Ability.RECONCILE) if _settled_as(one) == kind]
    fakes = {platform: world.rigs[platform].platform for platform in able}
    before = {platform: len(fake.posts) for platform, fake in fakes.items()}
    for fake in fakes.values():
        fake.loses_next_post = True

    post = world.publish(kind, *able, minutes=45)

    assert [fake.loses_next_post for fake in fakes.values()] == [False] * len(able)
    told = ("platform", "status", "error_code")
    rows = [tuple(target[name] for name in told) for target in post["targets"]]
    assert [row for row in rows if row[1] != "published"] == []
    assert {platform: len(fake.posts) - 1 for platform, fake in fakes.items()} == before


def _settled_as(platform: Platform) -> str:
    """Return a kind whose lost answer a platform can settle: TikTok's lists may lack photos."""
    return "video" if platform in (Platform.YOUTUBE, Platform.TIKTOK) else "photo"


def test_links_are_shown_where_that_is_claimed(world: World, bakery: Bakery) -> None:
    link = f"{bakery.url}/menu"
    able = _able(world, Ability.LINK_CARD)
    post = world.draft("text", *able, link=link)
    assert world.room.act(post, "check").json == {"ready": True, "data": []}

    shown = world.publish("text", *able, link=link)

    assert shown["status"] == "published"
    for platform in able:
        newest = list(world.rigs[platform].platform.posts.values())[-1]
        assert link in str(newest), platform


def test_a_link_that_cannot_be_read_is_a_warning_and_no_failed_post(
    world: World, bakery: Bakery
) -> None:
    able = _able(world, Ability.LINK_CARD)
    post = world.draft("text", *able, link=f"{bakery.url}/gone")

    checked = world.room.act(post, "check").json
    shown = world.publish("text", *able, link=f"{bakery.url}/gone")

    assert checked["ready"]
    assert _told(checked) == [
        ("warning", "no_preview", f"targets[{place}].options.link") for place in range(len(able))
    ]
    assert shown["status"] == "published"


def test_what_is_claimed_to_be_deleted_is_gone_and_nothing_else_is(
    world: World, posts: dict[str, Document]
) -> None:
    able = _able(world, Ability.DELETE)
    for post in posts.values():
        for target in post["targets"]:
            platform, fake = target["platform"], world.rigs[target["platform"]].platform
            before = len(fake.posts)

            answer = world.room.act(post, f"targets/{target['id']}/unpublish")

            expected = (200, before - 1) if platform in able else (409, before)
            assert (answer.status, len(fake.posts)) == expected, platform


def test_what_a_platform_says_reaches_the_person_the_log_and_the_operator(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """Meta writes `error_user_msg` for people, and its support asks for `fbtrace_id`."""
    facebook = world.rigs[Platform.FACEBOOK].platform
    assert isinstance(facebook, FakeFacebook)
    said = "The location you tagged has been removed. Choose another place."
    error = {"message": "Invalid parameter", "code": 100, "error_user_msg": said}
    answer = Answer(400, {"error": {**error, "fbtrace_id": "AbC1dEf"}})
    facebook.script = {"POST feed": [answer]}

    with caplog.at_level(logging.INFO):
        post = world.publish("text", Platform.FACEBOOK)

    (target,) = post["targets"]
    sentence = (
        f"Facebook refused one of the post's options. Change it, then retry. Facebook said: {said}"
    )
    assert (target["error_code"], target["error_message"]) == ("invalid_options", sentence)
    history = world.room.get(f"/v1/posts/{post['id']}/history").json
    assert [one["error_message"] for one in history["attempts"]] == [sentence]
    lines = [vars(one) for one in caplog.records if vars(one).get("action") == "attempt"]
    assert [one["platform_trace_id"] for one in lines] == ["AbC1dEf"]
    shown = inside_document(*world.room.house.operator.people.engine_control.show(post["id"]))
    kept = {"status": 400, "code": "100", "subcode": None, "trace_id": "AbC1dEf"}
    for attempts in (shown["attempts"], history["attempts"]):
        assert isinstance(attempts, list)
        assert [one["platform_answer"] for one in attempts] == [{**kept, "sentence": said}]
