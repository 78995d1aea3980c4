"""Encodes a video's pictures again, as H.264: exact to the frame, but a hundred times the work.

It is used for spans without a keyframe near their beginning, and for codecs that a platform cannot
show. The pictures are encoded in pieces of a few seconds, and each piece is stored when it is done,
so that an interrupted run (after 15 minutes: "Lambda quotas", function timeout) can be continued.
"""

import heapq
import io
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.pacing import Moment, Pace
from chalicelib.workers.media.pictures import Upright, frames, lasts, rate_of, shown_at
from chalicelib.workers.media.sound import sound_track
from chalicelib.workers.media.trimming import Clock, half_of, write, writing
from chalicelib.workers.media.video_file import (
    Packet,
    SeekableSink,
    Span,
    UnreadableVideoError,
    VideoFile,
    base_of,
    open_video,
    unreadable,
)

PIECE = Fraction(20)
_STORED_AHEAD = 10
"""How many pictures at most are stored before an earlier one; the same for all pieces."""
_TICKS = struct.Struct(">q")
"""Before each piece stands when it begins, in ticks of the source: MP4 counts from zero."""
_PLAIN = {"movflags": "negative_cts_offsets", "use_editlist": "0", "fflags": "+bitexact"}
_X264 = {
    "preset": "veryfast",
    "crf": "21",
    "profile": "high",
    "maxrate": "12M",
    "bufsize": "24M",
    "g": "120",
    # Each thread has a stack and pictures of its own, and the child's memory is bounded.
    "threads": "1",
    "rc-lookahead": "4",
    "flags": "+bitexact",
}


class Pieces(Protocol):
    """Where finished pieces of pictures are kept until the copy is whole."""

    def count(self) -> int:
        """Return how many pieces are stored, from the first on without a gap."""
        ...

    def keep(self, place: int, piece: bytes) -> None:
        """Keep one."""
        ...

    def read(self, place: int) -> bytes:
        """Return one."""
        ...

    def drop(self) -> None:
        """Remove them all: the copy is whole."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be encoded: the part, how many pictures a second, and their smallest size."""

    span: Span
    pace: Pace = Pace()
    least_side: int = 0


def encode_span(
    source: Callable[[], SeekableObject],
    sink: SeekableSink,
    wanted: Wanted,
    pieces: Pieces,
    alive: Callable[[], None],
) -> None:
    """Write the span as an MP4 with pictures encoded again. Raises UnreadableVideoError."""
    with open_video(source()) as video:
        _make_missing_pieces(video, wanted, pieces, alive)
    with open_video(source()) as video, unreadable():
        _put_together(video, sink, wanted, pieces, alive)


def _make_missing_pieces(
    video: VideoFile, wanted: Wanted, pieces: Pieces, alive: Callable[[], None]
) -> None:
    """Go on after the last piece that is stored."""
    place = pieces.count()
    at = _begins_at(pieces, base_of(video.picture)) if place else None
    start = wanted.span.start if at is None else at + place * PIECE
    longest = wanted.span.longest
    piece: _Piece | None = None
    for moment in wanted.pace.kept_pictures(_moments(video, start, alive), rate_of(video)):
        at = moment.at if at is None else at
        if longest is not None and moment.at + moment.lasts > at + longest:
            break
        if piece is not None and moment.at >= at + (place + 1) * PIECE:
            pieces.keep(place, piece.finish())
            piece, place = None, place + 1
        piece = piece or _Piece(video, moment, wanted)
        piece.add(moment)
    if piece is not None:
        pieces.keep(place, piece.finish())
    if at is None:
        raise UnreadableVideoError


def _moments(
    video: VideoFile, start: Fraction, alive: Callable[[], None]
) -> Iterator[Moment[VideoFrame]]:
    """Yield each picture, lasting until the next: files tell lengths in their stored order."""
    held: Moment[VideoFrame] | None = None
    for frame in frames(video, start, alive):
        moment = Moment(frame, shown_at(video, frame), lasts(video, frame))
        if held is not None:
            yield Moment(held.picture, held.at, moment.at - held.at)
        held = moment
    if held is not None:
        yield held


class _Piece:
    """Pictures of a few seconds being encoded, beginning with a keyframe."""

    def __init__(self, video: VideoFile, first: Moment[VideoFrame], wanted: Wanted) -> None:
        self._base = base_of(video.picture)
        self._pace = wanted.pace
        self._rate = wanted.pace.rate(rate_of(video))
        self._upright = Upright(video, first.picture, least_side=wanted.least_side)
        self._began = first.at
        self._waiting: deque[Moment[VideoFrame]] = deque()
        self._data = io.BytesIO()
        self._out = av.open(self._data, "w", format="mp4", options=_PLAIN)
        self._track: VideoStream | None = None

    def add(self, moment: Moment[VideoFrame]) -> None:
        """Encode one picture; the filters may hold it back until the next comes."""
        self._waiting.append(moment)
        for picture in self._upright.take(moment.picture):
            self._encode(picture, self._waiting.popleft())

    def finish(self) -> bytes:
        """Return the whole piece."""
        for picture in self._upright.end():
            self._encode(picture, self._waiting.popleft())
        if self._track is not None:
            self._out.mux(self._track.encode(None))
        self._out.close()
        ticks = round(self._began / self._base)
        return _TICKS.pack(ticks) + self._data.getvalue()

    def _encode(self, picture: VideoFrame, moment: Moment[VideoFrame]) -> None:
        """Encode a picture as often as it is shown."""
        if self._track is None:
            self._track = self._add_track(picture)
        times = self._pace.times(moment.lasts)
        step = moment.lasts / times
        for number in range(times):
            shown = moment.at + number * step - self._began
            picture.pts, picture.time_base = round(shown / self._base), self._base
            picture.duration = round(step / self._base)
            picture.pict_type = 0
            self._out.mux(self._track.encode(picture))

    def _add_track(self, picture: VideoFrame) -> VideoStream:
        track = self._out.add_stream("libx264", rate=self._rate, options=_X264)
        track.width, track.height, track.pix_fmt = picture.width, picture.height, "yuv420p"
        track.time_base = track.codec_context.time_base = self._base
        coded = track.codec_context
        coded.sample_aspect_ratio = Fraction(1)
        coded.color_range, coded.colorspace = picture.color_range, picture.colorspace
        coded.color_primaries, coded.color_trc = picture.color_primaries, picture.color_trc
        return track


def _begins_at(pieces: Pieces, base: Fraction) -> Fraction:
    """Return when the first picture of the first piece is shown."""
    (ticks,) = _TICKS.unpack_from(pieces.read(0))
    return Fraction(ticks) * base


def _open_piece(piece: bytes) -> InputContainer:
    return av.open(io.BytesIO(piece[_TICKS.size :]), "r", format="mov")


def _put_together(
    video: VideoFile, sink: SeekableSink, wanted: Wanted, pieces: Pieces, alive: Callable[[], None]
) -> None:
    """Write all pieces and the sound that belongs to them as one file."""
    at = _begins_at(pieces, base_of(video.picture))
    with (
        _open_piece(pieces.read(0)) as first,
        writing(sink, video, more_pictures=video.most_pictures(wanted.pace.fewest or 0)) as out,
    ):
        track = out.add_stream_from_template(first.streams.video[0])
        track.time_base = base_of(video.picture)
        sound = sound_track(out, video.sound)
        out.start_encoding()
        pictures = _pictures(pieces, video, at, wanted.pace)
        heard = _heard(video, at, wanted.span.longest)
        ordered = heapq.merge(pictures, heard, key=_stored_at)
        write(out, ordered, track, sound, alive)


def _pictures(pieces: Pieces, video: VideoFile, at: Fraction, pace: Pace) -> Iterator[Packet]:
    """Yield the pictures of all pieces, in the source's ticks from the beginning of the first."""
    base = base_of(video.picture)
    slowest = min(rate_of(video), pace.rate(rate_of(video)))
    ahead = round(_STORED_AHEAD / slowest / base)
    for place in range(pieces.count()):
        piece = pieces.read(place)
        begins = _TICKS.unpack_from(piece)[0] - round(at / base)
        shown = [begins + round((one.pts or 0) * one.time_base / base) for one in _packets(piece)]
        for packet, pts, dts in zip(
            _packets(piece), shown, _decoding_times(shown, ahead), strict=True
        ):
            packet.duration = round((packet.duration or 0) * packet.time_base / base)
            packet.pts, packet.dts, packet.time_base = pts, dts, base
            yield packet


def _packets(piece: bytes) -> Iterator[Packet]:
    with _open_piece(piece) as container:
        yield from (packet for packet in container.demux() if packet.pts is not None)


def _decoding_times(shown: Sequence[int], ahead: int) -> list[int]:
    """Return a decoding time for each picture of a piece, given in the order of decoding.

    Each is later than the one before, also than the last one of the piece before, and none later
    than when it is shown, however unevenly pictures are shown.
    """
    found: list[int] = []
    for pts, place in zip(reversed(shown), sorted(shown, reverse=True), strict=True):
        found.append(min(place - ahead, pts, *(one - 1 for one in found[-1:])))
    return found[::-1]


def _heard(video: VideoFile, at: Fraction, longest: Fraction | None) -> Iterator[Packet]:
    if video.sound is None:
        return
    clock = Clock.of_sound(video.sound, at + video.began, longest)
    for packet in video.sound_from(at):
        if clock.takes(packet, early=half_of(packet)):
            yield clock.count_from_start(packet)
        if clock.over:
            return


def _stored_at(packet: Packet) -> Fraction:
    return (packet.dts or 0) * packet.time_base
