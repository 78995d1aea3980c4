"""Trimmed copies, decoded: which frames they show, how long they are, whether sound keeps step."""

import io
from fractions import Fraction

import pytest

from chalicelib.domain.media.probing import probe
from chalicelib.workers.media.encoding import Wanted, encode_span
from chalicelib.workers.media.pacing import Pace
from chalicelib.workers.media.trimming import NoKeyframeError, copy_span
from chalicelib.workers.media.video_file import Span, UnreadableVideoError
from tests.support.films import Film, film
from tests.support.prepared_files import Numbered, Seen, look_at, numbered_video, seekable
from tests.support.sample_media import turned

FRAGMENTS = "frag_keyframe+empty_moov+default_base_moof"
SOURCES = {
    "plain": Numbered(gop=15),
    "index first": Numbered(gop=15, flags="faststart"),
    "fragmented": Numbered(gop=15, flags=FRAGMENTS),
    "mov": Numbered(gop=15, container="mov"),
    "hevc with open groups": Numbered(gop=15, codec="libx265", open_gop=True),
    "h264 with open groups": Numbered(gop=15, open_gop=True),
    "uncompressed sound": Numbered(gop=15, container="mov", sound="pcm_s16le"),
    "25 frames a second": Numbered(gop=10, fps=25),
}
STEP = 0.025
"""Sound is copied in packets of 21 ms, so it can be half of one off."""


class Target(io.BytesIO):
    """A copy in memory, which counts how often something is written to it."""

    writes = 0

    def hold(self, head_bytes: int) -> None:
        """Everything can be changed."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # PyAV gives bytes
        self.writes += 1
        return super().write(data)


class Pieces(dict[int, bytes]):
    """Pieces in memory."""

    def count(self) -> int:
        return len(self)

    def keep(self, place: int, piece: bytes) -> None:
        self[place] = piece

    def read(self, place: int) -> bytes:
        return self[place]

    def drop(self) -> None:
        self.clear()


def copied(video: bytes, span: Span) -> bytes:
    out = Target()
    copy_span(seekable(video), out, span, lambda: None)
    return out.getvalue()


def encoded(video: bytes, span: Span, pieces: Pieces | None = None) -> bytes:
    out = Target()
    kept = Pieces() if pieces is None else pieces
    encode_span(lambda: seekable(video), out, Wanted(span=span), kept, lambda: None)
    return out.getvalue()


def length_of(video: bytes) -> float:
    """Return the length that the file's own index says, as platforms read it."""
    found = probe(lambda at, length: video[at : at + length], len(video))
    assert found.index_first
    assert found.duration_s is not None
    return found.duration_s


def assert_fits(video: bytes, seen: Seen, longest: int) -> None:
    """Check what every copy promises."""
    assert seen.begins == 0
    assert seen.is_contiguous
    assert max(seen.ends, seen.sound_ends, length_of(video)) <= longest
    assert seen.skew <= STEP


@pytest.mark.parametrize("name", SOURCES)
def test_the_start_is_kept_to_the_limit_and_never_beyond(name: str) -> None:
    how = SOURCES[name]

    copy = copied(numbered_video(how), Span(longest=Fraction(5)))

    seen = look_at(copy, fps=how.fps)
    assert_fits(copy, seen, 5)
    assert seen.numbers[0] == 0
    assert len(seen.numbers) >= 5 * how.fps - 3


@pytest.mark.parametrize("name", SOURCES)
def test_the_end_is_kept_from_its_first_keyframe_on(name: str) -> None:
    how = SOURCES[name]
    begins = Fraction(19, 3)

    copy = copied(numbered_video(how), Span(start=begins, longest=Fraction(17, 3)))

    seen = look_at(copy, fps=how.fps)
    assert_fits(copy, seen, 6)
    assert seen.numbers[-1] == 12 * how.fps - 1
    assert 0 <= seen.numbers[0] - begins * how.fps <= how.gop


def test_packing_a_video_anew_leaves_nothing_out() -> None:
    how = Numbered(container="mov")

    copy = copied(numbered_video(how), Span())

    seen = look_at(copy)
    assert list(range(360)) == seen.numbers
    assert 12.0 == seen.ends == length_of(copy)


def test_a_copy_is_written_in_few_pieces_however_many_packets_it_has() -> None:
    """Each write is a message to another process, and a large video has 100,000 packets."""
    short, long = Target(), Target()

    for out, seconds in ((short, 2), (long, 12)):
        copy_span(seekable(numbered_video()), out, Span(longest=Fraction(seconds)), lambda: None)

    assert short.writes == long.writes


def test_a_copy_has_no_edit_list_that_a_platform_could_ignore() -> None:
    video = numbered_video(Numbered())

    copy = copied(video, Span(longest=Fraction(5)))

    found = probe(lambda at, length: copy[at : at + length], len(copy))
    assert not found.has_edits
    assert b"elst" in video


def _trimmed_by_a_phone(video: bytes, *, ms: int) -> bytes:
    """Return the video with edit lists that leave out its beginning, in pictures and sound."""
    changed, at = bytearray(video), 0
    for ticks_per_ms in (Fraction(15_360, 1000), Fraction(48_000, 1000)):
        at = video.index(b"elst", at + 1)
        length, media_time = (int.from_bytes(video[at + to : at + to + 4]) for to in (12, 16))
        changed[at + 12 : at + 16] = (length - ms).to_bytes(4)
        changed[at + 16 : at + 20] = (media_time + int(ms * ticks_per_ms)).to_bytes(4)
    return bytes(changed)


def test_a_whole_copy_begins_where_a_phone_trimmed_the_video_between_two_keyframes() -> None:
    """Found by discard_first_keyframe.mp4 in torchcodec's tests (BSD-3-Clause)."""
    video = _trimmed_by_a_phone(numbered_video(), ms=500)
    assert 15 == look_at(video).numbers[0]

    with pytest.raises(NoKeyframeError):
        copied(video, Span())

    seen = look_at(encoded(video, Span()))
    assert 15 == seen.numbers[0]
    assert seen.ends == pytest.approx(11.5, abs=STEP)


def test_a_whole_copy_leaves_out_no_more_than_a_tenth_of_a_second() -> None:
    video = _trimmed_by_a_phone(numbered_video(), ms=1_900)

    seen = look_at(copied(video, Span()))

    assert 60 == seen.numbers[0]


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_copy_is_turned_as_the_video_was(degrees: int) -> None:
    video = turned(numbered_video(Numbered()), degrees)

    copy = copied(video, Span(longest=Fraction(5)))

    found = probe(lambda at, length: copy[at : at + length], len(copy))
    assert ((96, 160) if degrees % 180 else (160, 96)) == (found.width, found.height)


def test_an_end_without_a_keyframe_cannot_be_copied() -> None:
    video = numbered_video(Numbered(gop=600))

    with pytest.raises(NoKeyframeError):
        copied(video, Span(start=Fraction(7), longest=Fraction(5)))


def test_an_end_whose_first_keyframe_comes_much_too_late_cannot_be_copied() -> None:
    video = numbered_video(Numbered(gop=150))

    with pytest.raises(NoKeyframeError):
        copied(video, Span(start=Fraction(6), longest=Fraction(6)))


@pytest.mark.parametrize("start", [0, 7])
def test_pictures_made_anew_are_exact_to_the_frame(start: int) -> None:
    video = numbered_video(Numbered(gop=600))

    copy = encoded(video, Span(start=Fraction(start), longest=Fraction(5)))

    seen = look_at(copy)
    assert_fits(copy, seen, 5)
    assert list(range(start * 30, start * 30 + 150)) == seen.numbers


@pytest.mark.parametrize(("degrees", "turns"), [(90, 1), (180, 2), (270, 3)])
def test_pictures_made_anew_stand_upright(degrees: int, turns: int) -> None:
    video = turned(numbered_video(Numbered(seconds=2)), degrees)

    copy = encoded(video, Span())

    seen = look_at(copy, turns=turns)
    assert seen.size == ((96, 160) if degrees % 180 else (160, 96))
    assert list(range(60)) == seen.numbers


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chalicelib.workers.media.encoding.PIECE", Fraction(2))


class KilledError(Exception):
    """Lambda's time is over."""


@pytest.mark.usefixtures("short_pieces")
def test_making_pictures_goes_on_where_it_was_killed() -> None:
    video, pieces = numbered_video(Numbered(gop=600)), Pieces()
    span = Span(start=Fraction(2), longest=Fraction(9))
    packets_left = iter(range(150))

    def alive() -> None:
        if next(packets_left, None) is None:
            raise KilledError

    with pytest.raises(KilledError):
        encode_span(lambda: seekable(video), Target(), Wanted(span=span), pieces, alive)
    kept = dict(pieces)
    copy = encoded(video, span, pieces)

    assert kept
    assert kept == {place: pieces[place] for place in kept}
    seen = look_at(copy)
    assert_fits(copy, seen, 9)
    assert list(range(60, 330)) == seen.numbers


@pytest.mark.parametrize("cut", [0.3, 0.7, 0.95])
def test_a_video_that_breaks_off_is_unreadable_or_shorter(cut: float) -> None:
    whole = numbered_video(Numbered(flags="faststart"))
    broken = whole[: int(len(whole) * cut)]

    try:
        copy = copied(broken, Span(longest=Fraction(11)))
    except (UnreadableVideoError, NoKeyframeError):
        return

    assert length_of(copy) <= 11


def test_damaged_videos_end_in_one_error_or_a_copy_within_the_limit() -> None:
    whole = bytearray(numbered_video(Numbered(seconds=4)))
    moov = whole.index(b"moov")

    for place in range(moov, len(whole), 97):
        damaged = bytes(whole[:place]) + b"\xff" + bytes(whole[place + 1 :])
        try:
            copy = copied(damaged, Span(longest=Fraction(3)))
        except (UnreadableVideoError, NoKeyframeError):
            continue
        assert copy


UNEVEN = Film(
    size=(320, 180),
    fps=10,
    seconds=23,
    sound=None,
    uneven=(248, 103, 104, 98, 3),
    options=(("bf", "3"), ("b_strategy", "0")),
)
"""Few pictures, of which some are shown long and some but a moment, stored in another order."""


@pytest.mark.parametrize("pace", [Pace(), Pace(fewest=23, most=60)], ids=["its own", "repeated"])
def test_pictures_that_last_unevenly_are_made_anew_over_two_pieces(pace: Pace) -> None:
    """Found by count-video.mp4 among the examples of github.com/sannies/mp4parser (Apache 2.0)."""
    video, out, kept = film(UNEVEN), Target(), Pieces()

    encode_span(lambda: seekable(video), out, Wanted(span=Span(), pace=pace), kept, lambda: None)

    assert kept.count() == 2
    assert abs(length_of(out.getvalue()) - length_of(video)) < 0.05
