"""/check: every problem of every target at once; /schedule refuses by the same rules."""

import io

import pytest
from PIL import Image

from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Health
from tests.api.http_room import UNKNOWN_ID, Document, House, Room
from tests.support.sample_media import Clip, encode, samples

BOARD = {"board": "810000000000000001"}


def _draft(room: Room, targets: list[Document], **more: object) -> Document:
    answer = room.post("/v1/posts", {"caption": "Fresh bread", "targets": targets, **more})
    assert answer.status == 201, answer
    return answer.json


def _target(room: Room, platform: str, **more: object) -> Document:
    return {"account_id": room.account(platform), **more}


def _found(room: Room, post: Document) -> list[tuple[str, str, str | None]]:
    """Return level, code and field of each problem."""
    found = room.act(post, "check")
    assert found.status == 200, found
    return [(one["level"], one["code"], one["field"]) for one in found.json["data"]]


def test_a_post_without_a_problem_is_ready(room: Room) -> None:
    post = room.draft("linkedin", "x")

    assert {"ready": True, "data": []} == room.act(post, "check").json


def test_every_problem_of_every_target_is_told_at_once(room: Room) -> None:
    post = _draft(
        room, [_target(room, "pinterest"), _target(room, "reddit"), _target(room, "tiktok")]
    )

    answer = room.act(post, "check").json

    assert answer["ready"] is False
    assert [
        ("error", "media_required", "targets[0]"),
        ("error", "option_required", "targets[0].options.board"),
        ("error", "option_required", "targets[1].options.subreddit"),
        ("error", "media_required", "targets[2]"),
        ("error", "tiktok_rules", "targets[2].options.privacy_level"),
    ] == _found(room, post)
    assert [target["id"] for target in post["targets"]] == list(
        dict.fromkeys(one["target_id"] for one in answer["data"])
    )


def test_a_check_changes_nothing(room: Room) -> None:
    post = _draft(room, [_target(room, "reddit")])

    room.act(post, "check")

    assert post == room.show(post)
    assert ["post.created"] == room.actions(post)


def test_an_unknown_post_is_not_found(room: Room) -> None:
    assert (404, "post_not_found") == room.act({"id": UNKNOWN_ID}, "check").refusal


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
@pytest.mark.parametrize(
    ("options", "code"), [({}, "option_required"), ({"subreddit": "nowhere"}, "option_unknown")]
)
def test_an_option_that_is_missing_or_not_there_is_refused(
    room: Room, verb: str, options: Document, code: str
) -> None:
    post = _draft(room, [_target(room, "x"), _target(room, "reddit", options=options)])

    answer = room.act(post, verb)

    assert (422, code) == answer.refusal
    assert "targets[1].options.subreddit" == answer.field
    assert [("error", code, answer.field)] == _found(room, post)
    assert ["draft", "draft"] == room.statuses(post)


def test_an_edit_of_a_scheduled_post_to_a_choice_that_is_not_there_is_refused(room: Room) -> None:
    post = room.scheduled("x", "reddit")
    change = {"id": post["targets"][1]["id"], "options": {"subreddit": "nowhere"}}

    answer = room.patch(post, {"targets": [change]})

    assert (422, "option_unknown") == answer.refusal
    assert "targets[0].options.subreddit" == answer.field


def test_a_target_added_to_a_scheduled_post_needs_its_options(room: Room) -> None:
    post = room.scheduled("x")
    missing = {"add": [_target(room, "reddit")]}
    unknown = {"add": [_target(room, "reddit", options={"subreddit": "nowhere"})]}

    answers = [room.patch(post, missing), room.patch(post, unknown)]

    assert [(422, "option_required"), (422, "option_unknown")] == [a.refusal for a in answers]
    assert ["add[0].options.subreddit"] * 2 == [answer.field for answer in answers]


def test_a_flair_belongs_to_a_community(room: Room) -> None:
    (flair, *_) = room.get(
        f"/v1/accounts/{room.account('reddit')}/choices", {"subreddit": "goldenhour_test"}
    ).json["data"]["flair_id"]
    right = {"subreddit": "r/goldenhour_test", "flair_id": flair["id"]}
    wrong = {"subreddit": "goldenhour_test", "flair_id": "5a1b2c3d-0000-4000-8000-00000000ffff"}

    ready = _draft(room, [_target(room, "reddit", options=right)])
    unready = _draft(room, [_target(room, "reddit", options=wrong)])

    assert [] == _found(room, ready)
    assert [("error", "option_unknown", "targets[0].options.flair_id")] == _found(room, unready)


def test_a_long_video_is_an_error_that_schedule_takes(room: Room) -> None:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    post = _draft(room, [_target(room, "x")], media_ids=[video])

    assert [("error", "video_too_long", "targets[0].options.trim")] == _found(room, post)
    assert 200 == room.act(post, "schedule", {"at": room.in_(hours=1)}).status


def test_a_file_that_is_gone_is_told(room: Room) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    post = _draft(room, [_target(room, "x")], media_ids=[photo])
    room.ask("DELETE", f"/v1/media/{photo}")

    assert [("error", "file_removed", "media_ids")] == _found(room, post)


def test_a_disconnected_account_is_told(room: Room) -> None:
    post = room.draft("x")
    room.disconnect(room.account("x"))

    assert [("error", "account_removed", "targets[0].account_id")] == _found(room, post)


def test_a_broken_sign_in_is_a_warning(room: Room) -> None:
    post = room.draft("x")
    room.house.operator.people.connections.set_health(room.account("x"), Health.BROKEN)

    assert [("warning", "auth_expired", "targets[0].account_id")] == _found(room, post)
    assert room.act(post, "check").json["ready"] is True


def test_tiktok_that_cannot_be_asked_is_a_warning(room: Room) -> None:
    account = room.connect("tiktok", "@quiet sandbox:tiktok_unreachable")
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    target = {"account_id": account, "options": {"privacy_level": "SELF_ONLY"}}
    post = _draft(room, [target], media_ids=[photo])

    assert [("warning", "unchecked", "targets[0].options")] == _found(room, post)


def test_options_that_do_not_go_together_are_told(room: Room) -> None:
    options = {"topic_type": "EVENT"}
    post = _draft(room, [_target(room, "google business profile", options=options)])

    room.act(post, "publish-now")
    found = _found(room, post)
    room.run_due()

    assert [("error", "invalid_options", "targets[0].options.event")] == found
    assert "invalid_options" == room.show(post)["targets"][0]["error_code"]


def test_an_allowance_that_does_not_suffice_is_told_for_the_targets_it_misses(
    house: House,
) -> None:
    room = house.room(plan=Plan.TRIAL)
    first, second = ({"account_id": room.connect("x", f"@{number}")} for number in range(2))
    post = _draft(room, [first, second], caption="Plain bread")
    with_link = _draft(room, [first], caption="See https://lumen.example/bread")
    assert [] == _found(room, post)

    room.act(with_link, "publish-now")

    assert [
        *(("error", "plan_limit", f"targets[{place}]") for place in (0, 1)),
        ("warning", "close_together", "targets[0]"),
    ] == _found(room, post)
    assert (402, "plan_limit") == room.act(post, "schedule").refusal


def test_what_is_live_has_no_problem(room: Room) -> None:
    post = room.sent("x")
    room.disconnect(room.account("x"))

    assert [] == _found(room, post)


def test_a_video_that_needs_another_decoder_is_told_ahead(room: Room) -> None:
    video = room.upload(encode(Clip()).replace(b"avc1", b"apcn"))
    post = _draft(room, [_target(room, "x")], media_ids=[video])

    found = room.act(post, "check").json

    assert [("error", "media_rejected", "media_ids")] == _found(room, post)
    assert "coded as apcn" in found["data"][0]["message"]
    assert found["ready"] is False


def test_a_photo_that_changes_its_shape_is_told(room: Room) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (300, 400)).save(picture, "JPEG")
    file = room.upload(picture.getvalue(), "phone.jpg")

    post = _draft(room, [_target(room, "instagram")], media_ids=[file])

    assert [("warning", "photo_reshaped", "targets[0].options.fit")] == _found(room, post)
    assert "white bars will fill" in room.act(post, "check").json["data"][0]["message"]


@pytest.mark.parametrize("coding", ["WEBP", "PNG"])
@pytest.mark.parametrize("pictures", [1, 3])
def test_an_animated_photo_that_goes_out_as_a_still_is_told(
    room: Room, coding: str, pictures: int
) -> None:
    shades = range(0, 80 * pictures, 80)
    first, *more = [Image.new("RGB", (320, 320), (shade, 50, 90)) for shade in shades]
    saved = io.BytesIO()
    if more:
        first.save(saved, coding, save_all=True, append_images=more, duration=100)
    else:
        first.save(saved, coding)
    file = room.upload(saved.getvalue(), f"moves.{coding.lower()}")

    post = _draft(room, [_target(room, "linkedin"), _target(room, "x")], media_ids=[file])

    told = [("warning", "animation_stilled", "media_ids")] * 2
    assert (told if more else []) == _found(room, post)


def test_what_facebook_takes_with_reels_alone_is_told(room: Room) -> None:
    file = room.upload(encode(Clip(seconds=4, fps=5, size=(640, 360))), "wide.mp4")
    options = {"place_id": "61", "collaborator_page_id": "62"}
    targets = [_target(room, "facebook", options=options)]

    post = _draft(room, targets, media_ids=[file])

    told = [("warning", "option_ignored", f"targets[0].options.{name}") for name in options]
    assert told == _found(room, post)


def test_what_goes_out_as_asked_has_no_warning(room: Room) -> None:
    file = room.upload(samples()["plain.jpg"].data, "plain.jpg")
    options = {"alt_text": "a loaf", "is_ai_generated": True, "post_type": "feed"}
    target = {"account_id": room.account("instagram"), "options": options}
    made = room.post("/v1/posts", {"caption": "Bread", "media_ids": [file], "targets": [target]})

    assert room.act(made.json, "check").json == {"ready": True, "data": []}


def test_a_link_under_a_title_needs_no_caption_on_reddit(room: Room) -> None:
    options = {"subreddit": "goldenhour_test", "title": "Menu", "link": "https://bakery.example/"}
    target = {"account_id": room.account("reddit"), "options": options}
    made = room.post("/v1/posts", {"caption": "", "targets": [target]})
    bare = room.post("/v1/posts", {"caption": "", "targets": [_target(room, "x")]})

    assert room.act(made.json, "publish-now").status == 200
    assert room.act(bare.json, "publish-now").code == "media_required"


def test_a_check_warns_of_what_the_account_posts_nearby(room: Room) -> None:
    room.scheduled("x", "linkedin", at=room.in_(hours=2))
    post = room.draft("x")
    place = {"id": post["targets"][0]["id"], "scheduled_at": room.in_(hours=2, minutes=5)}
    room.patch(post, {"targets": [place]})

    assert [
        ("warning", "repeated_text", "targets[0]"),
        ("warning", "close_together", "targets[0]"),
    ] == _found(room, post)
    assert room.act(post, "check").json["ready"]
