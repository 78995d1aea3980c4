"""What leaves with a video: one picture track, its sound and its credits, at the same length."""

import io
import random
import struct
from collections.abc import Callable

import av
import pytest

from chalicelib.domain.media.cleaning.movies import is_clean_movie, movie_patches
from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.kit.media_headers.ranged_file import RangedFile, UnreadableError
from chalicelib.storage.media.patched_copy import patch_piece
from tests.support.sample_media import Clip, box, encode, samples
from tests.support.telling_photos import CREDITS, SECRETS
from tests.support.telling_videos import SECRETS_OF_VIDEOS, plain_video, telling_video


def opened(video: bytes) -> RangedFile:
    return RangedFile(lambda at, length: video[at : at + length], len(video))


def cleaned(video: bytes) -> bytes:
    found = patch_piece(video, 0, movie_patches(opened(video)))
    assert len(video) == len(found)
    return found


def packets(video: bytes) -> list[tuple[str, int | None, bytes]]:
    """Return every packet of picture and sound, as FFmpeg finds them."""
    with av.open(io.BytesIO(video), "r", format="mov") as container:
        streams = [one for one in container.streams if one.type in {"video", "audio"}]
        return [(p.stream.type, p.pts, bytes(p)) for p in container.demux(streams)]


@pytest.mark.parametrize("container", ["mp4", "mov"])
def test_nothing_leaves_but_picture_sound_and_credits(container: str) -> None:
    video = telling_video(container)
    assert all(word in video for word in SECRETS_OF_VIDEOS)

    left = cleaned(video)

    assert [] == [word for word in SECRETS_OF_VIDEOS if word in left]
    assert video.count(CREDITS[1]) == left.count(CREDITS[1])
    assert packets(plain_video(container)) == packets(left)


@pytest.mark.parametrize("container", ["mp4", "mov"])
def test_a_cleaned_video_is_clean(container: str) -> None:
    video = telling_video(container)

    assert not is_clean_movie(opened(video))
    assert is_clean_movie(opened(cleaned(video)))


@pytest.mark.parametrize(
    "name", [n for n, s in samples().items() if s.found is not None and s.found[1] is not None]
)
def test_a_video_as_editors_export_it_is_clean_as_it_is(name: str) -> None:
    assert is_clean_movie(opened(samples()[name].data))


def in_fragments(*more: bytes) -> bytes:
    video = samples()["fragmented.mp4"].data
    at = video.rindex(b"mfra") - 4
    return video[:at] + b"".join(more) + video[at:]


def test_what_stands_between_fragments_goes() -> None:
    video = in_fragments(box(b"emsg", SECRETS[0]), box(b"mdat", SECRETS[1]))

    left = cleaned(video)

    assert [] == [word for word in SECRETS if word in left]
    assert packets(samples()["fragmented.mp4"].data) == packets(left)


def test_a_second_picture_track_goes() -> None:
    video = plain_video()
    at = video.rindex(b"moov") - 4
    body = video[at + 8 :]
    trak = body.index(b"trak") - 4
    first = body[trak : trak + int.from_bytes(body[trak : trak + 4])]
    tkhd = first.index(b"tkhd") + 16
    second = first[:tkhd] + struct.pack(">I", 9) + first[tkhd + 4 :]
    two = video[:at] + box(b"moov", body, second)

    with av.open(io.BytesIO(cleaned(two)), "r", format="mov") as container:
        assert 1 == len(container.streams.video)


NONSENSE: dict[str, Callable[[], bytes]] = {
    "a size of zero": lambda: b"\0\0\0\0\xa9xyz" + SECRETS[0],
    "a size beyond the end": lambda: b"\x7f\xff\xff\xff\xa9xyz" + SECRETS[0],
    "a size that is too small": lambda: b"\0\0\0\3\xa9xyz" + SECRETS[0],
    "no text": lambda: box(b"\xa9xyz", b"\xff\xff" + SECRETS[0]),
    "a box in a box in a box": lambda: box(b"meta", box(b"meta", box(b"meta", SECRETS[0]))),
    "megabytes": lambda: box(b"\xa9xyz", SECRETS[0] * 300_000),
}


@pytest.mark.parametrize("make", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_in_user_data_goes_and_the_video_stays(make: Callable[[], bytes]) -> None:
    video = plain_video()
    at = video.rindex(b"moov") - 4
    told = video[:at] + box(b"moov", video[at + 8 :], box(b"udta", make()))

    left = cleaned(told)

    assert SECRETS[0] not in left
    assert packets(video) == packets(left)


@pytest.mark.parametrize("tail", [b"\0\0\0", SECRETS[0], b"\0\0\0\1mdat" + SECRETS[0] * 20])
def test_what_follows_the_last_box_goes(tail: bytes) -> None:
    video = plain_video() + tail
    try:
        left = cleaned(video)
    except UncleanableError:
        return  # it is packed anew

    assert SECRETS[0] not in left
    assert packets(plain_video()) == packets(left)


@pytest.mark.parametrize("seed", range(20))
def test_a_video_changed_anywhere_is_cleaned_or_refused(seed: int) -> None:
    video, chance = telling_video(), random.Random(seed)
    index = video.rindex(b"moov") - 4
    for _ in range(40):
        broken = bytearray(video)
        for _ in range(chance.randint(1, 4)):
            broken[chance.randrange(index, len(video))] = chance.randrange(256)
        try:
            left = cleaned(bytes(broken))
        except (UncleanableError, UnreadableError):
            continue
        assert b"freeGPS" not in left


def test_a_long_video_is_cleaned_by_its_index_alone() -> None:
    video = encode(Clip(seconds=180, fps=2, sound_hz=8_000))
    file = opened(video)

    assert [] == list(movie_patches(file))

    assert file.reads <= 4
