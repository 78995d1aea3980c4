"""What is said of a file: its alt text and name, and the cover that a video is given."""

import io
import json
from datetime import timedelta
from functools import cache

import pytest
from PIL import Image

from chalicelib.api.resources.media import MOST_FILENAME
from chalicelib.domain.media.media import LONGEST_ALT_TEXT, Media
from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.storage.media.records import MediaRepository
from tests.api.http_house import a_house
from tests.api.http_room import Answer, Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.support.sample_media import Clip, encode

HOUR = timedelta(hours=1)
VIDEO = Clip(seconds=5, size=(360, 640), flags="faststart")
LOAVES = "Four loaves of rye on a wooden board"


@cache
def a_jpeg(colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (600, 800), colour).save(out, "JPEG")
    return out.getvalue()


@cache
def a_video() -> bytes:
    return encode(VIDEO)


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def room(house: House) -> Room:
    house.clock.now = NOON
    return house.room()


def describe(room: Room, media_id: str, body: object) -> dict[str, object]:
    answer = room.ask("PATCH", f"/v1/media/{media_id}", body=body)
    assert answer.status == 200, answer.json
    return answer.json


def alt_of(room: Room, media_id: str) -> object:
    return room.get(f"/v1/media/{media_id}", {"include": "alt_text"}).json["alt_text"]


def test_a_file_is_described_renamed_and_shown_so_only_if_asked(room: Room) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")

    described = describe(room, photo, {"alt_text": LOAVES, "filename": "rye.jpg"})

    assert (described["alt_text"], described["filename"]) == (LOAVES, "rye.jpg")
    assert alt_of(room, photo) == LOAVES
    assert "alt_text" not in room.get(f"/v1/media/{photo}").json


def test_null_takes_the_alt_text_away_and_nothing_leaves_it(room: Room) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    describe(room, photo, {"alt_text": LOAVES})

    describe(room, photo, {"filename": "rye.jpg"})
    kept = alt_of(room, photo)
    describe(room, photo, {"alt_text": None})

    assert kept == LOAVES
    assert alt_of(room, photo) is None


@pytest.mark.parametrize(
    "body",
    [
        {"alt_text": "a" * 2_001},
        {"alt_text": "a\x00b"},
        {"alt": LOAVES},
        {"filename": ""},
        {"alt_text": 7},
    ],
)
def test_what_is_no_description_is_refused(room: Room, body: object) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")

    assert room.ask("PATCH", f"/v1/media/{photo}", body=body).status == 422


def test_somebody_elses_file_is_not_found(house: House, room: Room) -> None:
    photo = house.room().upload(a_jpeg(), "bread.jpg")

    answer = room.ask("PATCH", f"/v1/media/{photo}", body={"alt_text": LOAVES})

    assert answer.refusal == (404, "media_not_found")


def sent_alt(room: Room, post: dict[str, object]) -> list[object]:
    kept = room.house.deployment.stores.posts.get_any(str(post["id"]))
    entries = [room.house.sandbox.find(t.account_id, t.id) for t in kept.targets]
    return [json.loads(json.dumps(found[0].sent))["alt_text"] for found in entries]


@pytest.mark.parametrize("platform", ["bluesky", "instagram", "threads", "pinterest"])
def test_a_post_says_its_files_alt_text_even_one_written_later(room: Room, platform: str) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    target = {"account_id": room.account(platform), "options": options_of(room, platform)}
    body = {"caption": "Rye", "media_ids": [photo], "targets": [target]}
    post = room.post("/v1/posts", body).json
    describe(room, photo, {"alt_text": LOAVES})

    room.act(post, "publish-now")
    room.pass_time(HOUR)

    assert room.statuses(post) == ["published"]
    assert sent_alt(room, post) == [LOAVES]


def test_a_post_written_while_its_file_is_described_says_the_new_words(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    keep, written = MediaRepository.describe, list[Document]()

    def write_and_describe(files: MediaRepository, media: Media) -> None:
        written.append(room.scheduled("bluesky", media_ids=[photo]))
        keep(files, media)

    monkeypatch.setattr(MediaRepository, "describe", write_and_describe)
    describe(room, photo, {"alt_text": LOAVES})
    room.pass_time(HOUR)

    assert sent_alt(room, written[0]) == [LOAVES]


@pytest.mark.parametrize("name", ["alt_text", "alt"])
def test_a_targets_own_alt_text_wins_by_either_name(room: Room, name: str) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    describe(room, photo, {"alt_text": LOAVES})
    target = {"account_id": room.account("bluesky"), "options": {name: "A boat"}}
    post = room.post(
        "/v1/posts", {"caption": "Rye", "media_ids": [photo], "targets": [target]}
    ).json

    room.act(post, "publish-now")
    room.pass_time(HOUR)

    assert sent_alt(room, post) == ["A boat"]


def test_a_check_tells_what_a_platform_shortens(room: Room) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    describe(room, photo, {"alt_text": "loaf " * 300})
    post = room.draft("x", "bluesky", media_ids=[photo])

    found = room.act(post, "check").json

    assert found["ready"] is True
    [told] = [each for each in found["data"] if each["code"] == "alt_text_shortened"]
    assert told["field"] == "targets[0].options.alt_text"
    assert "X takes at most 1000 characters" in told["message"]


def test_words_of_a_scheduled_post_need_the_right_to_publish(room: Room) -> None:
    photo = room.upload(a_jpeg(), "bread.jpg")
    post = room.draft("x", media_ids=[photo])
    room.act(post, "schedule", {"at": room.in_(hours=1)})
    writer = room.member(Role.EDITOR, scopes=[Scope.READ, Scope.WRITE])

    answer = writer.ask("PATCH", f"/v1/media/{photo}", body={"alt_text": LOAVES})

    assert answer.refusal == (403, "scope_missing")
    assert alt_of(room, photo) is None


def options_of(room: Room, platform: str) -> dict[str, object]:
    """Return what nothing goes out without on a platform."""
    if platform != "pinterest":
        return {}
    account = room.account(platform)
    return {"board": room.get(f"/v1/accounts/{account}/choices").json["data"]["board"][0]["id"]}


def with_cover(room: Room, platform: str, cover: str) -> Answer:
    """Make a draft of a video with a cover."""
    options = {"cover_media_id": cover, **options_of(room, platform)}
    target = {"account_id": room.account(platform), "options": options}
    video = room.upload(a_video(), "oven.mp4")
    body = {"caption": "Rye", "media_ids": [video], "targets": [target]}
    return room.post("/v1/posts", body)


@pytest.mark.parametrize("platform", ["youtube", "linkedin", "facebook", "instagram", "pinterest"])
def test_a_video_goes_out_with_a_cover_of_ones_own(room: Room, platform: str) -> None:
    cover = room.upload(a_jpeg(), "cover.jpg")
    post = with_cover(room, platform, cover).json

    room.act(post, "publish-now")
    room.pass_time(HOUR)

    assert room.statuses(post) == ["published"]
    kept = room.house.deployment.stores.posts.get_any(post["id"])
    [entry] = room.house.sandbox.find(kept.targets[0].account_id, kept.targets[0].id)
    assert json.loads(json.dumps(entry.sent))["cover"]["mime"] == "image/jpeg"


@pytest.mark.parametrize("platform", ["x", "tiktok", "threads", "bluesky"])
def test_where_no_cover_is_taken_the_option_is_unknown(room: Room, platform: str) -> None:
    cover = room.upload(a_jpeg(), "cover.jpg")

    answer = with_cover(room, platform, cover)

    assert answer.refusal == (422, "option_unknown")
    assert answer.field == "targets[0].options.cover_media_id"


def test_a_cover_must_be_a_photo_that_is_there(room: Room) -> None:
    video = room.upload(a_video(), "other.mp4")

    gone = with_cover(room, "youtube", "f" * 32)
    film = with_cover(room, "youtube", video)

    place = "targets[0].options.cover_media_id"
    assert (gone.refusal, gone.field) == ((404, "media_not_found"), place)
    assert (film.refusal, film.field) == ((422, "media_required"), place)


def test_a_cover_that_was_removed_refuses_the_schedule_as_a_file_does(room: Room) -> None:
    cover = room.upload(a_jpeg(), "cover.jpg")
    post = with_cover(room, "youtube", cover).json
    assert room.ask("DELETE", f"/v1/media/{cover}").status == 204

    refused = room.act(post, "schedule", {"at": room.in_(hours=1)})
    found = room.act(post, "check").json

    assert refused.refusal == (409, "file_removed")
    assert [each["code"] for each in found["data"]][:1] == ["file_removed"]
    assert room.get(f"/v1/media/{cover}").json["file_removed"] is True


def test_a_new_cover_is_a_new_revision(room: Room) -> None:
    first, second = room.upload(a_jpeg(), "one.jpg"), room.upload(a_jpeg(), "two.jpg")
    post = with_cover(room, "youtube", first).json
    before = room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]

    change = {"id": post["targets"][0]["id"], "options": {"cover_media_id": second}}
    changed = room.patch(post, {"targets": [change]})

    assert changed.status == 200
    assert changed.response.headers["ETag"] != before
    assert room.house.deployment.media.files.users(first) == []
    assert room.house.deployment.media.files.users(second) == [post["id"]]


@pytest.mark.parametrize(
    ("field", "words", "told"),
    [
        ("alt_text", "x" * (LONGEST_ALT_TEXT + 1), f"at most {LONGEST_ALT_TEXT} characters"),
        ("filename", "x" * (MOST_FILENAME + 1), f"at most {MOST_FILENAME} characters"),
        ("filename", "", "at least 1 character"),
    ],
    ids=["alt text", "name", "no name"],
)
def test_a_text_of_another_length_is_told_in_characters(
    room: Room, field: str, words: str, told: str
) -> None:
    photo = room.upload(a_jpeg(), "oven.jpg")

    answer = room.ask("PATCH", f"/v1/media/{photo}", body={field: words})

    assert answer.status == 422
    assert [f"String should have {told}"] == [one["msg"] for one in answer.json["detail"]]
