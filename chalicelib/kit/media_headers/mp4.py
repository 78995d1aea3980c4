"""MP4 and MOV videos: length, displayed size and codecs, from the boxes of the file.

It finds the index (`moov`) at either end of the file, skipping the pictures, and adds up the
fragments of fragmented files. `tracks` reads the tracks. ISO/IEC 14496-12; QuickTime File Format.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.coding import Pictures, Sound
from chalicelib.kit.media_headers.fragments import READS_BEFORE_TAIL, Fragment, Fragments
from chalicelib.kit.media_headers.ranged_file import MOST_READS, RangedFile, damage_error
from chalicelib.kit.media_headers.tracks import (
    PICTURE,
    SOUND,
    Track,
    is_turned,
    main_track,
    read_tracks,
)

SHORTEST_SECONDS = Fraction(1, 1000)
LONGEST_SECONDS = 7 * 24 * 3600
LARGEST_SIDE = 16_384
_READS_TO_CHECK_THE_END = 4
_BOX_HEADER_BYTES = 8
_CODECS = {
    b"avc1": "h264",
    b"avc3": "h264",
    b"hvc1": "hevc",
    b"hev1": "hevc",
    b"dvh1": "hevc",
    b"dvhe": "hevc",
    b"av01": "av1",
    b"vp08": "vp8",
    b"vp09": "vp9",
    b"mp4v": "mpeg4",
    b"jpeg": "mjpeg",
    b"mp4a": "aac",
    b".mp3": "mp3",
    b"ac-3": "ac3",
    b"ec-3": "eac3",
    b"Opus": "opus",
    b"fLaC": "flac",
    b"alac": "alac",
    **dict.fromkeys(
        b"lpcm|sowt|twos|in24|in32|fl32|fl64|raw |NONE|ulaw|alaw|ipcm|fpcm".split(b"|"), "pcm"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """What a video is; width and height are as displayed.

    `index_first` tells that the index comes before the pictures, `has_edits` that an edit list
    omits or moves some of them.
    """

    width: int
    height: int
    duration_s: float
    fps: float
    video_codec: str
    audio_codec: str | None
    index_first: bool
    has_edits: bool
    pictures: Pictures
    sound: Sound | None


def read_video(file: RangedFile) -> Video:
    """Return what the video is. Raises UnreadableError if it has no picture or is broken."""
    reader = BoxReader(file)
    outline = _Outline(reader)
    tracks = list(read_tracks(reader, outline.moov))
    picture, sound = main_track(tracks, PICTURE), main_track(tracks, SOUND)
    if picture is None:
        raise damage_error("it has no picture track")
    if not (picture.samples or outline.fragmented):
        raise damage_error("its index lists no pictures, so export or download it again")
    width, height = _displayed_size(reader, outline.moov, picture)
    seconds, fps = _length(reader, outline, picture)
    if not SHORTEST_SECONDS <= seconds <= LONGEST_SECONDS:
        raise damage_error("it has no length")
    return Video(
        width=width,
        height=height,
        duration_s=round(float(seconds), 3),
        video_codec=_codec(picture),
        audio_codec=None if sound is None else sound.sound.codec or _codec(sound),
        fps=round(float(fps), 3),
        index_first=outline.index_first,
        has_edits=picture.has_edits,
        pictures=picture.pictures,
        sound=None if sound is None else sound.sound,
    )


class _Outline:
    """The outermost boxes, read to the end of the file if that takes few reads."""

    def __init__(self, reader: BoxReader) -> None:
        self.index_first = False
        self._reader = reader
        self._at = 0
        self.moov = self._find_moov()
        self.fragmented = reader.child(self.moov, b"mvex") is not None

    @property
    def complete(self) -> bool:
        """Tell whether the end of the file was reached."""
        return self._reader.file.size - self._at < _BOX_HEADER_BYTES

    def fragments(self, most_reads: int) -> Iterator[Box]:
        """Yield each further `moof`, until the file was read `most_reads` times."""
        while not self.complete and self._reader.file.reads < most_reads:
            box = self._next()
            if box.kind == b"moof":
                yield box

    def check_end(self) -> None:
        """Check that the file does not end before its boxes do. Raises UnreadableError."""
        for _ in self.fragments(_READS_TO_CHECK_THE_END):
            pass

    def _find_moov(self) -> Box:
        pictures_seen = False
        while not self.complete:
            box = self._next()
            if box.kind == b"moov":
                self.index_first = not pictures_seen
                return box
            pictures_seen = pictures_seen or box.kind == b"mdat"
        raise damage_error("its index is missing")

    def _next(self) -> Box:
        box = self._reader.box_at(self._at, self._reader.file.size)
        self._at = box.end
        return box


def _displayed_size(reader: BoxReader, moov: Box, picture: Track) -> tuple[int, int]:
    """Return width and height after the rotations of the track and the movie."""
    if not (0 < picture.width <= LARGEST_SIDE and 0 < picture.height <= LARGEST_SIDE):
        raise damage_error("its picture has an impossible size")
    header = reader.payload(reader.require(moov, b"mvhd"), most=108)
    matrix_at = 48 if header[:1] == b"\1" else 36
    turned = picture.turned != is_turned(header[matrix_at : matrix_at + 36])
    return (picture.height, picture.width) if turned else (picture.width, picture.height)


def _length(reader: BoxReader, outline: _Outline, picture: Track) -> tuple[Fraction, Fraction]:
    """Return the video's duration in seconds and its frames per second."""
    if outline.fragmented:
        return _fragmented_length(reader, outline, picture)
    outline.check_end()
    return picture.shown_s or picture.media_s, _per_second(picture.samples, picture.media_s)


def _fragmented_length(
    reader: BoxReader, outline: _Outline, picture: Track
) -> tuple[Fraction, Fraction]:
    fragments = Fragments(reader, picture=picture, moov=outline.moov)
    seen = fragments.in_all(outline.fragments(READS_BEFORE_TAIL))
    if not outline.complete:
        ends = fragments.end_at_tail()
        if ends is not None and seen and seen[0].starts is not None:
            starts = 0 if picture.samples else seen[0].starts
            _, fps = _add_up(seen, picture)
            return Fraction(ends - starts, picture.timescale), fps
        seen += fragments.in_all(outline.fragments(MOST_READS))
    return _add_up(seen, picture)


def _add_up(seen: Sequence[Fragment], picture: Track) -> tuple[Fraction, Fraction]:
    """Return duration and frames per second of the index and the fragments together."""
    ticks = sum(part.ticks for part in seen)
    seconds = picture.media_s + Fraction(ticks, picture.timescale)
    return seconds, _per_second(picture.samples + sum(part.samples for part in seen), seconds)


def _per_second(samples: int, seconds: Fraction) -> Fraction:
    return samples / seconds if seconds else Fraction(0)


def _codec(track: Track) -> str:
    """Return the codec's usual name, or its four letters."""
    return _CODECS.get(track.codec) or track.codec.decode("ascii", "replace").strip()
