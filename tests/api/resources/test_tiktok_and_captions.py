"""TikTok's own rules, and captions that are too long as each platform counts them."""

import pytest

from tests.api.http_room import UNKNOWN_ID, Answer, Document, House, Room
from tests.support.asked_answers import answered
from tests.support.sample_media import samples

VERBS = pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])


def _on_tiktok(room: Room, **options: object) -> Answer:
    """Ask for a draft with a photo on TikTok."""
    target = {"account_id": room.account("tiktok"), "options": options}
    media_ids = [room.upload(samples()["plain.jpg"].data)]
    body = {"caption": "Fresh bread", "targets": [target], "media_ids": media_ids}
    return room.post("/v1/posts", body)


# Creator options


@pytest.mark.parametrize(
    ("query", "duet"), [({}, True), ({"media": "video"}, True), ({"media": "image"}, False)]
)
def test_a_creators_options_are_read(room: Room, query: dict[str, str], *, duet: bool) -> None:
    account = room.account("tiktok")

    answer = room.get(f"/v1/accounts/{account}/tiktok", query)

    assert 200 == answer.status
    assert answer.json == {
        "account_id": account,
        "handle": "@lighthouse",
        "nickname": "lighthouse",
        "can_post": True,
        "privacy_levels": [
            {"value": "PUBLIC_TO_EVERYONE", "label": "Everyone"},
            {"value": "MUTUAL_FOLLOW_FRIENDS", "label": "Friends"},
            {"value": "SELF_ONLY", "label": "Only you"},
        ],
        "max_video_seconds": 600,
        "interactions": {"comment": True, "duet": duet, "stitch": duet},
    }


@pytest.mark.parametrize(
    ("platform", "handle", "refusal"),
    [
        ("tiktok", "sandbox:tiktok_unsupported", (409, "tiktok_unsupported")),
        ("tiktok", "@bread sandbox:tiktok_unreachable", (502, "tiktok_unreachable")),
        ("youtube", "@lighthouse", (409, "tiktok_unsupported")),
    ],
)
def test_a_creator_who_cannot_be_asked(
    room: Room, platform: str, handle: str, refusal: tuple[int, str]
) -> None:
    account = room.connect(platform, handle)

    assert refusal == room.get(f"/v1/accounts/{account}/tiktok").refusal


def test_accounts_of_nobody_and_of_others_are_not_found(house: House, room: Room) -> None:
    foreign = house.room().account("tiktok")

    answers = [room.get(f"/v1/accounts/{one}/tiktok") for one in (foreign, UNKNOWN_ID, "x")]

    assert [(404, "account_not_found")] * 3 == [answer.refusal for answer in answers]


def test_another_kind_of_file_is_refused(room: Room) -> None:
    answer = room.get(f"/v1/accounts/{UNKNOWN_ID}/tiktok", {"media": "song"})

    assert [("string_pattern_mismatch", ["query", "media"])] == answer.problems


# TikTok's rules


def test_a_draft_may_lack_a_privacy_level(room: Room) -> None:
    assert 201 == _on_tiktok(room).status


@VERBS
def test_nothing_goes_out_without_a_privacy_level(room: Room, verb: str) -> None:
    post = _on_tiktok(room, allow_comment=True).json

    answer = room.act(post, verb)

    assert (422, "tiktok_rules") == answer.refusal
    assert "targets[0].options.privacy_level" == answer.field


@VERBS
def test_with_a_privacy_level_it_does(room: Room, verb: str) -> None:
    post = _on_tiktok(room, privacy_level="SELF_ONLY").json

    assert 200 == room.act(post, verb).status


@pytest.mark.parametrize(
    "options",
    [
        {"privacy_level": "EVERYONE"},
        {"privacy_level": ""},
        {"privacy_level": "FOLLOWER_OF_CREATOR"},
        {"privacy_level": "SELF_ONLY", "branded_content": True},
    ],
    ids=str,
)
def test_a_choice_that_can_never_be_posted_is_refused_at_once(
    room: Room, options: Document
) -> None:
    created = _on_tiktok(room, **options)
    post = _on_tiktok(room, privacy_level="PUBLIC_TO_EVERYONE").json
    changed = room.patch(post, {"targets": [{"id": post["targets"][0]["id"], "options": options}]})
    other = {"account_id": room.connect("tiktok", "@second"), "options": options}
    added = room.patch(post, {"add": [other]})

    assert [(422, "tiktok_rules")] * 3 == [one.refusal for one in (created, changed, added)]
    assert [f"{item}.options.privacy_level" for item in ("targets[0]", "targets[0]", "add[0]")] == [
        one.field for one in (created, changed, added)
    ]
    assert post == room.show(post)


def test_a_scheduled_post_cannot_lose_its_privacy_level(room: Room) -> None:
    post = _on_tiktok(room, privacy_level="SELF_ONLY").json
    room.act(post, "schedule")

    answer = room.patch(post, {"targets": [{"id": post["targets"][0]["id"], "options": {}}]})

    assert (422, "tiktok_rules") == answer.refusal


# Captions


@pytest.mark.parametrize(("platform", "limit"), [("x", 280), ("linkedin", 3_000)])
def test_a_caption_may_fill_its_platforms_limit_and_no_more(
    room: Room, platform: str, limit: int
) -> None:
    fits = room.create(platform, caption="b" * limit)
    exceeds = room.create(platform, caption="b" * (limit + 1))

    assert (201, (422, "caption_too_long")) == (fits.status, exceeds.refusal)
    assert "targets[0].caption" == exceeds.field


def test_the_shared_caption_is_blamed_at_the_target_it_is_too_long_for(room: Room) -> None:
    answer = room.create("linkedin", "x", caption="b" * 281)

    assert ((422, "caption_too_long"), "targets[1].caption") == (answer.refusal, answer.field)


def test_an_override_is_blamed_as_itself(room: Room) -> None:
    targets = [
        {"account_id": room.account("linkedin")},
        {"account_id": room.account("x"), "caption_override": "b" * 281},
    ]

    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets})

    assert (422, "caption_too_long") == answer.refusal
    assert "targets[1].caption_override" == answer.field


def test_an_override_that_fits_excuses_the_shared_caption(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "caption_override": "Short"}]

    assert 201 == room.post("/v1/posts", {"caption": "b" * 281, "targets": targets}).status


def test_an_edit_is_blamed_where_it_stands(room: Room) -> None:
    post = room.draft("linkedin", "x")
    x_target = {"id": post["targets"][1]["id"]}
    threads = {"account_id": room.account("threads")}
    long = "b" * 501

    answers = [
        room.patch(post, {"caption": long}),
        room.patch(post, {"caption": long, "targets": [x_target]}),
        room.patch(post, {"targets": [{**x_target, "caption_override": long}]}),
        room.patch(post, {"add": [{**threads, "caption_override": long}]}),
    ]

    assert [(422, "caption_too_long")] * 4 == [answer.refusal for answer in answers]
    assert [
        "targets[1].caption",
        "targets[0].caption",
        "targets[0].caption_override",
        "add[0].caption_override",
    ] == [answer.field for answer in answers]
    assert post == room.show(post)


@pytest.mark.parametrize("platform", ["x", "bluesky", "threads", "linkedin", "facebook"])
def test_an_asked_answer_counts_as_nothing_of_a_test_accounts_caption(
    room: Room, platform: str
) -> None:
    """A network's page of 100 KB is played where a caption may have 280 characters."""
    asked = answered(403, b"<p>" * 33_333)

    post = room.draft(platform, caption=asked)
    checked = room.act(post, "check")
    edited = room.patch(post, {"caption": f"{asked} and wheat"})
    words_besides = room.create(platform, caption=f"{asked} {'b' * 70_000}")

    assert asked == post["caption"]
    assert (True, 200) == (checked.json["ready"], edited.status)
    assert words_besides.refusal == (422, "caption_too_long")


def test_clearing_an_override_brings_the_shared_caption_back_to_account(room: Room) -> None:
    targets = [{"account_id": room.account("x"), "caption_override": "Short"}]
    post = room.post("/v1/posts", {"caption": "b" * 281, "targets": targets}).json

    cleared = {"id": post["targets"][0]["id"], "caption_override": ""}
    answer = room.patch(post, {"targets": [cleared]})

    assert ((422, "caption_too_long"), "targets[0].caption") == (answer.refusal, answer.field)
