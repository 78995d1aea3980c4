"""What platforms are sent of a video or photo, through the whole engine and over a real bucket."""

import io
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from chalicelib.domain.errors import TiktokUnreachable
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.probing import MOST_PROVEN_BYTES
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.storage.media.store import prepared_key
from chalicelib.workers.media.converting import Alive, CopyMaker
from tests.support.emulator import EmulatorProcess
from tests.support.prepared_files import Numbered, look_at, numbered_video
from tests.support.sample_media import samples
from tests.support.telling_photos import noise_jpeg
from tests.workers.media.studio import IN_TIME, LONG, SMOOTH, TRIM, Studio, a_studio

ONE_KEYFRAME = replace(LONG, seconds=150, gop=2_000)


@pytest.fixture
def studio(emulator: EmulatorProcess, tmp_path: Path) -> Studio:
    return a_studio(emulator, tmp_path)


@pytest.mark.costly
def test_a_video_too_long_is_sent_as_the_part_that_was_asked_for(studio: Studio) -> None:
    media = studio.upload(numbered_video(SMOOTH))
    post = studio.post(media, {Platform.INSTAGRAM: {"trim": "start"}, Platform.X: {"trim": "end"}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] * 2 == studio.outcomes(post)
    start, end = (
        look_at(studio.sent(p)[1], fps=SMOOTH.fps) for p in (Platform.INSTAGRAM, Platform.X)
    )
    assert list(range(180 * SMOOTH.fps)) == start.numbers
    assert list(range(70 * SMOOTH.fps, 210 * SMOOTH.fps)) == end.numbers
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
    assert ["poster2"] == [key.rpartition("/")[2] for key in studio.objects()]


def test_a_video_that_fits_is_sent_as_it_is_though_trim_is_set(studio: Studio) -> None:
    video = numbered_video(Numbered(seconds=3))
    post = studio.post(studio.upload(video), {Platform.X: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] == studio.outcomes(post)
    assert video == studio.sent(Platform.X)[1]


def test_one_copy_serves_every_target_that_wants_the_same(studio: Studio) -> None:
    media = studio.upload(numbered_video(SMOOTH))
    wish = dict.fromkeys((Platform.INSTAGRAM, Platform.YOUTUBE), TRIM)
    posts = [studio.post(media, wish) for _ in range(3)]

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] * 6 == [one for p in posts for one in studio.outcomes(p)]
    workspace = studio.room.caller.workspace_id
    assert [prepared_key(workspace, media.id, "video2-start-180000")] == studio.objects()


def test_makers_that_meet_make_one_copy_and_every_target_goes_out_once(studio: Studio) -> None:
    media = studio.upload(numbered_video(SMOOTH))
    wish = dict.fromkeys((Platform.INSTAGRAM, Platform.YOUTUBE), TRIM)
    posts = [studio.post(media, wish) for _ in range(3)]
    room, worker = studio.room, studio.room.worker
    CountingMaker.begun.clear()
    studio.deployment.upkeep.convert_worker = replace(
        studio.deployment.upkeep.convert_worker, maker=CountingMaker(studio.deployment.media.store)
    )
    refs = room.waking(room.clock() + IN_TIME)
    room.clock.pass_time(timedelta(hours=1))

    threads = [threading.Thread(target=worker.run, args=(ref,)) for ref in refs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    room.pass_time(IN_TIME)

    assert 6 == len(refs)
    assert ["video2-start-180000"] == CountingMaker.begun
    assert [("published", None, True)] * 6 == [one for p in posts for one in studio.outcomes(p)]
    assert 6 == sum(len(studio.seen[platform]) for platform in wish)


class CountingMaker(CopyMaker):
    """Counts how many copies are begun."""

    begun: ClassVar[list[str]] = []

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        self.begun.append(recipe.name)
        return super().make(media, recipe, alive, now)


@pytest.mark.costly
def test_an_end_without_keyframes_is_made_anew(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(ONE_KEYFRAME)), {Platform.X: {"trim": "end"}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert list(range(50, 750)) == look_at(studio.sent(Platform.X)[1], fps=5).numbers
    assert ["video2-end-140000"] == [key.rpartition("/")[2] for key in studio.objects()]


@pytest.mark.costly
def test_a_creator_may_post_less_than_the_platform(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.TIKTOK: TRIM})
    deployed = studio.deployment.engine.publish_worker
    preparation = replace(deployed.preflight.preparation, creator_limit=lambda _: 20)
    studio.deployment.engine.publish_worker = replace(
        deployed, preflight=replace(deployed.preflight, preparation=preparation)
    )

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert 20.0 == studio.sent(Platform.TIKTOK)[0].duration_s


@pytest.mark.costly
def test_a_creator_who_cannot_be_asked_is_asked_again(studio: Studio) -> None:
    post = studio.post(studio.upload(numbered_video(LONG)), {Platform.TIKTOK: TRIM})
    asked: list[str] = []

    def limit(_: object) -> int:
        asked.append("again")
        if len(asked) < 3:
            raise TiktokUnreachable
        return 30

    deployed = studio.deployment.engine.publish_worker
    preparation = replace(deployed.preflight.preparation, creator_limit=limit)
    studio.deployment.engine.publish_worker = replace(
        deployed, preflight=replace(deployed.preflight, preparation=preparation)
    )

    studio.room.pass_time(IN_TIME)

    assert [("published", None, True)] == studio.outcomes(post)
    assert 30.0 == studio.sent(Platform.TIKTOK)[0].duration_s


def test_a_photo_is_converted_where_the_platform_demands_it(studio: Studio) -> None:
    media = studio.upload(samples()["exif6.webp"].data, "bread.webp")
    post = studio.post(media, {Platform.INSTAGRAM: {}, Platform.X: {}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] * 2 == studio.outcomes(post)
    assert ("image/jpeg", "bread.jpg") == (
        studio.sent(Platform.INSTAGRAM)[0].mime,
        studio.sent(Platform.INSTAGRAM)[0].filename,
    )
    file, sent = studio.sent(Platform.X)
    assert ("image/jpeg", "bread.jpg", (30, 40)) == (
        file.mime,
        file.filename,
        Image.open(io.BytesIO(sent)).size,
    )


def test_a_photo_that_fits_leaves_with_nothing_but_its_picture(studio: Studio) -> None:
    media = studio.upload(samples()["motion_photo.jpg"].data, "bread.jpg")
    post = studio.post(media, {Platform.INSTAGRAM: {}, Platform.X: {}, Platform.REDDIT: {}})

    studio.room.pass_time(IN_TIME)

    assert [("published", None, False)] * 3 == studio.outcomes(post)
    for platform in (Platform.INSTAGRAM, Platform.X, Platform.REDDIT):
        assert samples()["plain.jpg"].data == studio.sent(platform)[1]
    assert "bread.jpg" == studio.sent(Platform.X)[0].filename
    assert 1 == sum(key.endswith("/clean2") for key in studio.objects())


def test_a_photo_that_is_proven_clean_needs_no_copy(studio: Studio) -> None:
    media = studio.upload(samples()["plain.jpg"].data, "bread.jpg")
    studio.post(media, {Platform.X: {}, Platform.REDDIT: {}})

    studio.room.pass_time(IN_TIME)

    assert samples()["plain.jpg"].data == studio.sent(Platform.X)[1]
    assert [] == studio.objects()


def test_a_clean_photo_that_was_not_proven_so_is_sent_as_it_is(studio: Studio) -> None:
    photo = noise_jpeg(MOST_PROVEN_BYTES)
    studio.post(studio.upload(photo, "bread.jpg"), {Platform.REDDIT: {}})

    studio.room.pass_time(IN_TIME)

    assert photo == studio.sent(Platform.REDDIT)[1]
    assert [] == studio.objects()


def test_a_file_that_was_removed_fails_its_targets(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    post = studio.post(media, {Platform.INSTAGRAM: TRIM})
    studio.deployment.media.library.remove(studio.room.caller, media.id)

    studio.room.pass_time(IN_TIME)

    assert [("failed", "file_removed", False)] == studio.outcomes(post)


@pytest.mark.costly
def test_copies_leave_with_their_file(studio: Studio) -> None:
    media = studio.upload(numbered_video(LONG))
    studio.post(media, {Platform.INSTAGRAM: TRIM})
    studio.room.pass_time(IN_TIME)
    before = studio.objects()

    studio.deployment.media.library.remove(studio.room.caller, media.id)

    assert before
    assert [] == studio.objects()


def test_a_video_that_nobody_can_convert_is_refused_with_its_reason(studio: Studio) -> None:
    video = numbered_video(LONG).replace(b"avc1", b"zzz1")
    post = studio.post(studio.upload(video), {Platform.INSTAGRAM: TRIM})

    studio.room.pass_time(IN_TIME)

    assert [("failed", "media_rejected", False)] == studio.outcomes(post)
