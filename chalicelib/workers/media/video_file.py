"""A stored video as FFmpeg reads and writes it: its picture and sound, and where a span begins.

`trimming` copies packets, `encoding` makes new pictures; both begin here. The format is always
named, so that FFmpeg never guesses one that opens other files; only files that our own probe
accepted come here (ADR 0003, 0006). https://pyav.basswood-io.com
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar, cast

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet as AnyPacket
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from chalicelib.domain.media.video_demands import MOST_CODED_PIXELS
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.seekable import SeekableObject

Packet: TypeAlias = "AnyPacket[Stream]"
Track = TypeVar("Track", VideoStream, AudioStream)

_BUFFER_BYTES = 256 * 1024
_DECODERS = frozenset(
    {"h264", "hevc", "aac", "mp3", "mp3float"}
    | {f"pcm_{kind}{end}" for kind in ("s16", "s24", "s32", "f32", "f64") for end in ("le", "be")}
    | {"pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw"}  # plain samples: nothing to unpack
)
"""What may be decoded: FFmpeg knows hundreds of codecs, and each reads what strangers wrote."""


_DECODER_THREADS = 2
_LARGE_PIXELS = 1920 * 1088
_SAMPLE_BYTES = 48
"""What one sample costs at most in an index: time, shift, size, place, sync."""
_SMALLEST_INDEX = 64 * 1024


class UnreadableVideoError(Exception):
    """FFmpeg cannot make sense of the video, or it wants more memory than there is."""


class SeekableSink(Protocol):
    """A file being written; FFmpeg goes back to its head to write the index."""

    def write(self, data: bytes, /) -> int:
        """Take bytes at the place."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place."""
        ...

    def tell(self) -> int:
        """Return the place."""
        ...

    def hold(self, head_bytes: int) -> None:
        """Keep at least this much of the file's head changeable until the end."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The part of a video that is wanted: from `start`, at most `longest` (None: to its end)."""

    start: Fraction = Fraction(0)
    longest: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFile:
    """An open video. Its time counts from its first picture, whatever the file's own clock says."""

    container: InputContainer
    picture: VideoStream
    sound: AudioStream | None

    @property
    def began(self) -> Fraction:
        """Return when the first picture is shown on the file's own clock."""
        return (self.picture.start_time or 0) * base_of(self.picture)

    def packets_from(self, start: Fraction) -> Iterator[Packet]:
        """Yield packets of both tracks from the last keyframe before `start` on, in order."""
        tracks = [track for track in (self.picture, self.sound) if track is not None]
        return self._packets(start, tracks)

    def pictures_from(self, start: Fraction) -> Iterator[Packet]:
        """Yield packets of the picture from the last keyframe before `start` on."""
        return self._packets(start, [self.picture])

    def sound_from(self, start: Fraction) -> Iterator[Packet]:
        """Yield packets of the sound from `start` or a little earlier on."""
        return self._packets(start, [] if self.sound is None else [self.sound])

    def _packets(
        self, start: Fraction, tracks: "list[VideoStream | AudioStream]"
    ) -> Iterator[Packet]:
        if not tracks:
            return
        if start > 0:
            at = int((start + self.began) / base_of(tracks[0]))
            self.container.seek(at, stream=tracks[0], backward=True)
        for packet in self.container.demux(tracks):
            if packet.dts is not None and packet.pts is not None:
                yield packet

    def shown_at(self, packet: Packet) -> Fraction:
        """Return when a packet is shown or heard."""
        return (packet.pts or 0) * packet.time_base - self.began

    def index_bytes(self, *, more: int) -> int:
        """Return how much room an index of its samples, and some more, takes at most."""
        return _SMALLEST_INDEX + _SAMPLE_BYTES * (self._samples() + more)

    def most_pictures(self, rate: int) -> int:
        """Return how many pictures the video has at most at so many a second."""
        seconds = (self.picture.duration or 0) * base_of(self.picture)
        return math.ceil(seconds * rate)

    def _samples(self) -> int:
        if self.picture.frames:
            return self.picture.frames + (self.sound.frames if self.sound else 0)
        seconds = (self.picture.duration or 0) * base_of(self.picture)
        return int(seconds * ((self.picture.average_rate or 30) + 60) * 2)


@contextmanager
def open_video(source: SeekableObject) -> Iterator[VideoFile]:
    """Open a video that was probed before. Raises UnreadableVideoError, in the block too."""
    with unreadable(), _container(source) as container:
        if not container.streams.video:
            raise UnreadableVideoError
        picture = _default_track(container.streams.video)
        sound = _default_track(container.streams.audio) if container.streams.audio else None
        if not _is_known(picture) or not (sound is None or _is_known(sound)):
            raise UnreadableVideoError
        _limit(picture)
        if sound is not None:
            _limit(sound)
        yield VideoFile(container=container, picture=picture, sound=sound)


@contextmanager
def unreadable() -> Iterator[None]:
    """Turn what FFmpeg says of broken files into one error; that it has no memory is none."""
    try:
        yield
    except MemoryError:
        raise
    except av.FFmpegError as error:
        raise UnreadableVideoError from error


def _container(source: SeekableObject) -> InputContainer:
    try:
        # Also what FFmpeg decodes by itself to find out more of a stream is limited.
        limits = {"codec_whitelist": ",".join(sorted(_DECODERS))}
        return av.open(source, "r", format="mov", buffer_size=_BUFFER_BYTES, options=limits)
    except (UnicodeDecodeError, IndexError, AttributeError) as error:  # PyAV, on damaged headers
        raise UnreadableVideoError from error


def _limit(track: VideoStream | AudioStream) -> None:
    """Let the decoder refuse pictures that are larger than they may be, before it makes room."""
    track.codec_context.options = {"max_pixels": str(MOST_CODED_PIXELS)}
    track.codec_context.thread_count = 1 if _is_large(track) else _DECODER_THREADS


def _is_large(track: VideoStream | AudioStream) -> bool:
    """Tell whether pictures are so large that a few more of them at once are too many."""
    if not isinstance(track, VideoStream):
        return False
    return track.codec_context.width * track.codec_context.height > _LARGE_PIXELS


def require_decodable(track: VideoStream | AudioStream) -> None:
    """Raise UnreadableVideoError where the track needs a decoder that is not allowed."""
    if track.codec_context.name not in _DECODERS:
        raise UnreadableVideoError


def _is_known(track: VideoStream | AudioStream) -> bool:
    """Tell whether FFmpeg knows the codec; PyAV's types say that it always does."""
    return cast("object", track.codec_context) is not None


def _default_track(tracks: tuple[Track, ...]) -> Track:
    """Return the first track that players show, else the first."""
    return next((track for track in tracks if track.disposition & Disposition.default), tracks[0])


def base_of(track: VideoStream | AudioStream) -> Fraction:
    """Return how long a tick of the track's clock is."""
    return track.time_base or Fraction(1, 90_000)
