"""What platforms are sent of a video or photo, through the whole engine and over a real bucket."""

import io
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.registry import Connectors
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.drafting import NewPost, NewTarget
from chalicelib.domain.errors import TiktokUnreachable
from chalicelib.domain.media import Media
from chalicelib.domain.outcome import Checkpoint, Json, Outcome
from chalicelib.domain.platforms import Platform
from chalicelib.domain.post import Post
from chalicelib.storage.media_store import prepared_key
from chalicelib.workers.publish import PublishWorker
from tests.emulator import EmulatorProcess
from tests.engine_room import EngineRoom, an_engine_room
from tests.prepared_files import Numbered, look_at, number_of, numbered_video
from tests.sample_media import samples

LONG = Numbered(seconds=210, fps=5, gop=10, size=(64, 48))
ONE_KEYFRAME = replace(LONG, seconds=150, gop=2_000)
PLATFORMS = (Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE, Platform.X, Platform.REDDIT)
IN_TIME = timedelta(hours=2)
TRIM: Mapping[str, Json] = {"trim": "start"}


class Watched(SandboxConnector):
    """A sandbox that remembers the files it was given."""

    seen: list[tuple[MediaFile, bytes]]

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        media = publication.media
        if checkpoint.step == "upload" and media is not None:
            self.seen.append((media, b"".join(media.source.stream())))
        return super().advance(publication, checkpoint)


@dataclass(slots=True)
class Studio:
    """An engine room whose platforms can be looked into."""

    room: EngineRoom
    seen: dict[Platform, list[tuple[MediaFile, bytes]]] = field(default_factory=dict)

    @property
    def deployment(self) -> Deployment:
        return self.room.deployment

    def upload(self, data: bytes, name: str = "film.mp4") -> Media:
        return self.deployment.services.media_library.upload(self.room.caller, name, data)

    def post(self, media: Media, options: Mapping[Platform, Mapping[str, Json]]) -> Post:
        """Schedule a post with a file, with these options for each platform."""
        targets = tuple(
            NewTarget(
                account_id=self.room.account_id(platform),
                options={**_NEEDED.get(platform, {}), **more},
            )
            for platform, more in options.items()
        )
        draft = NewPost(caption="A film", media_ids=(media.id,), targets=targets)
        services, caller = self.deployment.services, self.room.caller
        post, _ = services.drafts.create(caller, draft, idempotency_key=None)
        at = self.room.clock() + timedelta(hours=1)
        return services.scheduling.schedule(caller, post.id, at=at)

    def outcomes(self, post: Post) -> list[tuple[str, str | None, bool]]:
        targets = self.room.post(post).targets
        return [(target.status.value, target.error_code, target.trimmed) for target in targets]

    def sent(self, platform: Platform) -> tuple[MediaFile, bytes]:
        """Return the one file a platform was given."""
        (one,) = self.seen[platform]
        return one

    def objects(self) -> list[str]:
        found = self.deployment.s3.list_objects_v2(
            Bucket=self.deployment.settings.media_bucket, Prefix="prepared/"
        )
        return [one["Key"] for one in found.get("Contents", [])]


_NEEDED: Mapping[Platform, Mapping[str, Json]] = {
    Platform.TIKTOK: {"privacy_level": "SELF_ONLY"},
    Platform.YOUTUBE: {"title": "A film"},
}


@pytest.fixture
def studio(emulator: EmulatorProcess, tmp_path: Path) -> Studio:
    room = an_engine_room(emulator, tmp_path, platforms=PLATFORMS)
    made = Studio(room)
    connectors = {}
    for platform in Platform:
        watched = Watched(platform, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
        made.seen[platform] = watched.seen = []
        connectors[platform] = watched
    room.deployment.connectors = Connectors(sandbox=connectors, real={})
    return made


def test_a_video_too_long_is_sent_as_the_part_that_was_asked_for(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    post = studio.post(media, {Platform.INSTAGRAM: {"trim": "start"}, Platform.X: {"trim": "end"}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] * 2 == studio.outcomes(post)
    start, end = (look_at(studio.sent(p)[1], fps=5) for p in (Platform.INSTAGRAM, Platform.X))
    assert list(range(900)) == start.numbers
    assert list(range(350, 1050)) == end.numbers
    assert start.ends <= 180
    assert end.ends <= 140
    file = studio.sent(Platform.X)[0]
    assert ("film.mp4", "video/mp4", 140.0) == (file.filename, file.mime, file.duration_s)
    assert file.size_bytes == len(studio.sent(Platform.X)[1])


def test_a_video_too_long_without_a_wish_fails(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.INSTAGRAM: {}})

    studio.room.pass_time(IN_TIME)

    assert [("failed", "video_too_long", False)] == studio.outcomes(post)
    assert [] == studio.room.taken(post)


def test_a_platform_without_a_cap_gets_the_whole_video(studio: Studio) -> None:
    video = numbered_video(LONG)
    post = studio.post(studio.upload(video), {Platform.REDDIT: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] == studio.outcomes(post)
    assert video == studio.sent(Platform.REDDIT)[1]
    assert ["poster1"] == [key.rpartition("/")[2] for key in studio.objects()]


def test_a_video_that_fits_is_sent_as_it_is_though_trim_is_set(studio: Studio) -> None:
    video = numbered_video(Numbered(seconds=3))
    post = studio.post(studio.upload(video), {Platform.X: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] == studio.outcomes(post)
    assert video == studio.sent(Platform.X)[1]


def test_one_copy_serves_every_target_that_wants_the_same(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    wish = dict.fromkeys((Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE), TRIM)
    posts = [studio.post(media, wish) for _ in range(2)]

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] * 6 == [one for p in posts for one in studio.outcomes(p)]
    workspace = studio.room.caller.workspace_id
    assert [prepared_key(workspace, media.id, "video1-start-180000")] == studio.objects()


def test_makers_that_meet_make_one_copy_and_every_target_goes_out_once(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    wish = dict.fromkeys((Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE), TRIM)
    posts = [studio.post(media, wish) for _ in range(2)]
    room, made = studio.room, CountingMaker.into(studio)
    refs = room.waking(room.clock() + IN_TIME)
    room.clock.pass_time(timedelta(hours=1))
    worker = made.worker

    threads = [threading.Thread(target=worker.run, args=(ref,)) for ref in refs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    room.pass_time(IN_TIME)

    assert 6 == len(refs)
    assert 1 == made.count
    assert [("published", None, True)] * 6 == [one for p in posts for one in studio.outcomes(p)]
    assert 6 == sum(len(studio.seen[platform]) for platform in wish)


@dataclass(slots=True)
class CountingMaker:
    """Counts how many copies are begun."""

    worker: PublishWorker
    count: int = 0

    @classmethod
    def into(cls, studio: Studio) -> "CountingMaker":
        worker = studio.room.worker
        made = cls(worker)
        copies = worker.preflight.preparation.copies
        maker = copies.maker

        class Counting(type(maker)):  # type: ignore[misc]  # a subclass with a count
            def make(self, *given: object) -> object:
                made.count += 1
                return super().make(*given)

        counted = replace(copies, maker=Counting(maker.store))
        preparation = replace(worker.preflight.preparation, copies=counted)
        preflight = replace(worker.preflight, preparation=preparation)
        made.worker = replace(worker, preflight=preflight)
        return made


def test_an_end_without_keyframes_is_made_anew(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(ONE_KEYFRAME)), {Platform.X: {"trim": "end"}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert list(range(50, 750)) == look_at(studio.sent(Platform.X)[1], fps=5).numbers
    assert ["video1-end-140000"] == [key.rpartition("/")[2] for key in studio.objects()]


def test_a_creator_may_post_less_than_the_platform(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.TIKTOK: TRIM})
    deployed = studio.deployment.publish_worker
    preparation = replace(deployed.preflight.preparation, creator_limit=lambda _: 60)
    studio.deployment.publish_worker = replace(
        deployed, preflight=replace(deployed.preflight, preparation=preparation)
    )

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert 60.0 == studio.sent(Platform.TIKTOK)[0].duration_s


def test_a_creator_who_cannot_be_asked_is_asked_again(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.TIKTOK: TRIM})
    asked: list[str] = []

    def limit(_: object) -> int:
        asked.append("again")
        if len(asked) < 3:
            raise TiktokUnreachable
        return 120

    deployed = studio.deployment.publish_worker
    preparation = replace(deployed.preflight.preparation, creator_limit=limit)
    studio.deployment.publish_worker = replace(
        deployed, preflight=replace(deployed.preflight, preparation=preparation)
    )

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert 120.0 == studio.sent(Platform.TIKTOK)[0].duration_s


def test_a_video_takes_a_still_of_its_first_second_along_where_the_platform_demands_it(
    studio: Studio,
) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.REDDIT: {}, Platform.X: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False), ("published", None, True)] == studio.outcomes(post)
    still = studio.sent(Platform.REDDIT)[0].poster
    assert still is not None
    assert ("image/jpeg", "film.jpg", None) == (still.mime, still.filename, still.duration_s)
    data = b"".join(still.source.stream())
    assert still.size_bytes == len(data)
    with Image.open(io.BytesIO(data)) as picture:
        assert (still.width, still.height) == picture.size
        assert LONG.fps == number_of(picture)
    assert studio.sent(Platform.X)[0].poster is None


def test_a_video_of_which_no_still_can_be_cut_goes_without(studio: Studio) -> None:
    video = numbered_video(LONG).replace(b"avc1", b"zzz1")
    post = studio.post(studio.upload(video), {Platform.REDDIT: {}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] == studio.outcomes(post)
    assert studio.sent(Platform.REDDIT)[0].poster is None


def test_a_photo_is_converted_where_the_platform_demands_it(studio: Studio) -> None:
    media = studio.upload(samples()["exif6.webp"].data, "bread.webp")
    post = studio.post(media, {Platform.INSTAGRAM: {}, Platform.X: {}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] * 2 == studio.outcomes(post)
    assert ("image/jpeg", "bread.jpg") == (
        studio.sent(Platform.INSTAGRAM)[0].mime,
        studio.sent(Platform.INSTAGRAM)[0].filename,
    )
    assert samples()["exif6.webp"].data == studio.sent(Platform.X)[1]


def test_a_file_that_was_removed_fails_its_targets(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    post = studio.post(media, {Platform.INSTAGRAM: TRIM})
    studio.deployment.services.media_library.remove(studio.room.caller, media.id)

    studio.room.pass_time(IN_TIME)

    assert [("failed", "file_removed", False)] == studio.outcomes(post)


def test_copies_leave_with_their_file(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    studio.post(media, {Platform.INSTAGRAM: TRIM})
    studio.room.pass_time(IN_TIME)
    before = studio.objects()

    studio.deployment.services.media_library.remove(studio.room.caller, media.id)

    assert before
    assert [] == studio.objects()


def test_a_video_that_nobody_can_convert_is_refused_with_its_reason(studio: Studio) -> None:
    video = numbered_video(LONG).replace(b"avc1", b"zzz1")
    post = studio.post(studio.upload(video), {Platform.INSTAGRAM: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("failed", "media_rejected", False)] == studio.outcomes(post)
