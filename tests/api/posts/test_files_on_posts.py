"""Files on posts: one each, of a kind that each platform takes, and what a removed one stops."""

from datetime import timedelta

import pytest

from tests.api.http_room import UNKNOWN_ID, Document, House, Room
from tests.support.sample_media import samples


def _video(room: Room) -> str:
    return room.upload(samples()["silent.mp4"].data)


def _photo(room: Room) -> str:
    return room.upload(samples()["plain.jpg"].data, "loaf.jpg")


def _remove(room: Room, media_id: str) -> None:
    assert 204 == room.ask("DELETE", f"/v1/media/{media_id}").status


def test_a_post_shows_its_file(room: Room) -> None:
    media_id = _video(room)

    post = room.draft("linkedin", media_ids=[media_id])

    assert [media_id] == post["media_ids"] == room.show(post)["media_ids"]


def test_a_post_takes_one_file(room: Room) -> None:
    media_ids = [_video(room), _photo(room)]

    answer = room.create("linkedin", media_ids=media_ids)

    assert ((422, "media_required"), "media_ids") == (answer.refusal, answer.field)
    assert "one video or one photo" in answer.json["error"]["message"]


def test_an_unknown_file_comes_before_too_many(room: Room) -> None:
    answer = room.create("linkedin", media_ids=[_photo(room), UNKNOWN_ID])

    assert ((404, "media_not_found"), "media_ids[1]") == (answer.refusal, answer.field)


def test_files_of_other_workspaces_and_removed_ones_are_not_found(house: House, room: Room) -> None:
    foreign, removed = _photo(house.room()), _photo(room)
    room.draft("linkedin", media_ids=[removed])
    _remove(room, removed)

    answers = [room.create("linkedin", media_ids=[one]) for one in (foreign, removed)]

    assert [(404, "media_not_found")] * 2 == [answer.refusal for answer in answers]


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_youtube_takes_no_photo_and_google_no_video(room: Room, verb: str) -> None:
    youtube = room.draft("linkedin", "youtube", media_ids=[_photo(room)])
    google = room.draft("google business profile", media_ids=[_video(room)])

    answers = [room.act(post, verb) for post in (youtube, google)]

    assert [(422, "media_required")] * 2 == [answer.refusal for answer in answers]
    assert ["targets[1]", "targets[0]"] == [answer.field for answer in answers]


def test_a_wrong_kind_cannot_be_added_to_a_scheduled_post(room: Room) -> None:
    post = room.scheduled("linkedin", media_ids=[_photo(room)])

    answer = room.patch(post, {"add": [{"account_id": room.account("youtube")}]})

    assert ((422, "media_required"), "add[0]") == (answer.refusal, answer.field)


def test_a_file_needs_no_caption(room: Room) -> None:
    post = room.draft("instagram", caption="", media_ids=[_photo(room)])

    assert 200 == room.act(post, "schedule").status


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_removed_file_stops_a_post(room: Room, verb: str) -> None:
    media_id = _photo(room)
    post = room.draft("linkedin", media_ids=[media_id])
    _remove(room, media_id)

    answer = room.act(post, verb)

    assert (409, "file_removed") == answer.refusal
    assert "draft" == room.show(post)["status"]


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_removed_file_comes_before_a_rule(room: Room, verb: str) -> None:
    media_id = _photo(room)
    post = room.draft("youtube", "tiktok", media_ids=[media_id])
    _remove(room, media_id)

    answer = room.act(post, verb)

    assert (409, "file_removed") == answer.refusal


def test_a_removed_file_stops_a_retry(room: Room) -> None:
    media_id = _photo(room)
    post = room.sent("linkedin", caption="sandbox:fail:unknown", media_ids=[media_id])
    _remove(room, media_id)

    answer = room.act(post, "retry")

    assert (409, "file_removed") == answer.refusal


def test_a_scheduled_post_whose_file_is_removed_can_be_sent_by_nobody(room: Room) -> None:
    media_id = _photo(room)
    post = room.scheduled("linkedin", media_ids=[media_id])
    _remove(room, media_id)
    later = {"id": post["targets"][0]["id"], "scheduled_at": room.in_(days=2)}

    answers = [
        room.act(post, "publish-now"),
        room.patch(post, {"targets": [later]}),
        room.patch(post, {"add": [{"account_id": room.account("x")}]}),
    ]

    assert [(409, "file_removed")] * 3 == [answer.refusal for answer in answers]


def test_a_scheduled_post_whose_file_is_removed_can_be_reworded_and_stopped(room: Room) -> None:
    media_id = _photo(room)
    post = room.scheduled("linkedin", media_ids=[media_id])
    _remove(room, media_id)

    assert 200 == room.patch(post, {"caption": "Still warm"}).status
    assert 200 == room.act(post, "cancel").status


def test_a_deleted_draft_lets_its_file_go(room: Room) -> None:
    media_id = _photo(room)
    post = room.draft("linkedin", media_ids=[media_id])
    room.delete(post)

    _remove(room, media_id)

    assert (404, "media_not_found") == room.get(f"/v1/media/{media_id}").refusal


def test_a_file_that_a_post_uses_keeps_its_record(room: Room) -> None:
    media_id = _photo(room)
    room.draft("linkedin", media_ids=[media_id])

    _remove(room, media_id)

    record: Document = room.get(f"/v1/media/{media_id}").json
    assert (True, None) == (record["file_removed"], record["url"])


def test_a_video_that_is_too_long_fails_when_its_time_comes(room: Room) -> None:
    media_id = room.upload(samples()["eleven_minutes.mp4"].data)
    post = room.draft("x", media_ids=[media_id])

    answer = room.act(post, "publish-now")
    room.run_due()

    target = room.show(post)["targets"][0]
    assert (200, "failed", "video_too_long") == (
        answer.status,
        target["status"],
        target["error_code"],
    )


def test_a_patch_changes_takes_away_and_leaves_the_file(room: Room) -> None:
    first, second = _photo(room), _photo(room)
    post = room.draft("linkedin", media_ids=[first])

    found = [
        room.patch(post, {"media_ids": wanted}).json["media_ids"]
        for wanted in ([second], None, [], [first])
    ]

    assert [[second], [second], [], [first]] == found


def test_a_file_belongs_to_the_posts_that_have_it_now(room: Room) -> None:
    """One that a post let go of is gone when it is deleted; one that it took keeps its record."""
    first, second = _photo(room), _photo(room)
    post = room.draft("linkedin", media_ids=[first])
    room.patch(post, {"media_ids": [second]})

    _remove(room, first)
    _remove(room, second)

    assert 404 == room.get(f"/v1/media/{first}").status
    assert room.get(f"/v1/media/{second}").json["file_removed"] is True


def test_a_scheduled_post_goes_out_with_the_file_that_it_got(room: Room) -> None:
    post = room.scheduled("linkedin", media_ids=[_photo(room)])
    other = _photo(room)

    answer = room.patch(post, {"media_ids": [other]})
    room.pass_time(timedelta(hours=2))

    assert 200 == answer.status
    assert ["published"] == room.statuses(post)
    assert [other] == room.show(post)["media_ids"]


@pytest.mark.parametrize(
    ("media_ids", "refusal"),
    [
        ([UNKNOWN_ID], (404, "media_not_found")),
        (["one", "two"], (422, "media_required")),
    ],
    ids=["unknown", "two"],
)
def test_files_of_a_patch_follow_the_rules_of_a_new_post(
    room: Room, media_ids: list[str], refusal: tuple[int, str]
) -> None:
    post = room.draft("linkedin", caption="Rye")
    wanted = [_photo(room) if len(one) == 3 else one for one in media_ids]

    assert refusal == room.patch(post, {"media_ids": wanted}).refusal
    assert [] == room.show(post)["media_ids"]


def test_a_scheduled_post_keeps_a_file_that_its_platform_needs(room: Room) -> None:
    post = room.scheduled("instagram", media_ids=[_photo(room)])

    assert (422, "media_required") == room.patch(post, {"media_ids": []}).refusal
    assert post["media_ids"] == room.show(post)["media_ids"]


def test_the_file_of_what_went_out_stays(room: Room) -> None:
    post = room.sent("x")

    assert (409, "already_live") == room.patch(post, {"media_ids": [_photo(room)]}).refusal
