"""Cutting a video by copying its packets: nothing is decoded, sound stays with the pictures.

A copy begins at the first keyframe of the wanted span and ends before the span's length is over, so
it is never longer than asked. Pictures that are shown before that keyframe but stored after it
cannot be decoded without the part that is left out, and are left out too. The index comes first and
there are no edit lists, as Instagram and Threads demand. `encoding` is for all other videos.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain

import av
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.stream import VideoStream

from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.sound import SoundTrack, sound_track
from chalicelib.workers.media.video_file import (
    Packet,
    SeekableSink,
    Span,
    VideoFile,
    base_of,
    open_video,
    unreadable,
)

LOSS_ACCEPTED = Fraction(1, 10)
"""How much of the wanted length may be lost by waiting for a keyframe."""
_LOSS_OF_WHOLE = Fraction(1, 10)
"""How many seconds may be where all of it is wanted: phones trim by edit lists, at any picture."""
_SOUND_LOOKED_FOR = Fraction(2)
_PACKETS_ARE_IN_ORDER_WITHIN = Fraction(2)
_SOUND_IS_LATE = Fraction(1, 25)
_SOUND_ENDS_EARLIER = Fraction(1, 20)
_BUFFER_BYTES = 1024 * 1024
_APPLE = "com.apple.quicktime."
_CREDITS = {"copyright": ("copyright", "copyright-eng"), "artist": ("artist", "author")}
_LONGEST_CREDIT = 2_048


class NoKeyframeError(Exception):
    """The wanted span has no keyframe near its beginning: its pictures must be made anew."""


def copy_span(
    source: SeekableObject, sink: SeekableSink, span: Span, alive: Callable[[], None]
) -> None:
    """Write the span as an MP4; `alive` is called again and again meanwhile.

    Raises NoKeyframeError, UnreadableVideoError.
    """
    with open_video(source) as video:
        begun = _begin(video, span)
        packets = chain(begun.packets, begun.rest)
        cut = _Cut(video, begun.at, span.longest)
        with writing(sink, video, sound_is_late=begun.sound_is_late) as out:
            track = out.add_stream_from_template(video.picture)
            track.time_base = base_of(video.picture)
            sound = sound_track(out, video.sound)
            out.start_encoding()
            write(out, cut.pictures_and_sound(packets), track, sound, alive)


def writing(
    sink: SeekableSink, video: VideoFile, *, sound_is_late: bool = False, more_pictures: int = 0
) -> OutputContainer:
    """Open an MP4 for writing, with room at its head for an index as large as the source's.

    `more_pictures` are those that the copy may have besides.
    """
    index_bytes = video.index_bytes(more=more_pictures)
    sink.hold(index_bytes + _BUFFER_BYTES)
    options = {
        "movflags": "negative_cts_offsets",
        "use_editlist": "1" if sound_is_late else "0",
        "moov_size": str(index_bytes),
        "fflags": "+bitexact",
        "flush_packets": "0",  # as the buffer fills, not after each packet: each write is a message
    }
    out = av.open(sink, "w", format="mp4", options=options, buffer_size=_BUFFER_BYTES)
    out.metadata.update(_credits(video))
    return out


def _credits(video: VideoFile) -> dict[str, str]:
    """Return who made a video and whose it is, as its own tags say."""
    said = {name.removeprefix(_APPLE): text for name, text in video.container.metadata.items()}
    found = {
        name: next((said[one] for one in written if said.get(one)), "")
        for name, written in _CREDITS.items()
    }
    return {name: text for name, text in found.items() if 0 < len(text) <= _LONGEST_CREDIT}


def write(
    out: OutputContainer,
    packets: Iterable[Packet],
    picture: VideoStream,
    sound: SoundTrack | None,
    alive: Callable[[], None],
) -> None:
    """Write packets whose times count from the first picture."""
    with unreadable():
        for packet in packets:
            alive()
            if packet.stream.type == "video":
                packet.stream = picture
                out.mux(packet)
            elif sound is not None:
                out.mux(sound.take(packet))
        if sound is not None:
            out.mux(sound.end())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """Where a copy begins, and what was read to find out."""

    at: Fraction
    packets: deque[Packet]
    rest: Iterator[Packet]
    sound_is_late: bool


def _begin(video: VideoFile, span: Span) -> _Begun:
    """Read on to the first keyframe of the span and the sound that belongs to it."""
    rest = video.packets_from(span.start)
    seen: deque[Packet] = deque()
    at: Fraction | None = None
    is_decodable = False
    for packet in rest:
        shown = video.shown_at(packet)
        if packet.stream is video.picture:
            if at is None and not (packet.is_keyframe and shown >= span.start):
                is_decodable = is_decodable or packet.is_keyframe
                continue
            if at is None:
                at = shown
                _check_loss(span, at, is_decodable=is_decodable)
            seen.append(packet)
            if video.sound is None or shown - at > _SOUND_LOOKED_FOR:
                return _Begun(at=at, packets=seen, rest=rest, sound_is_late=video.sound is not None)
        else:
            seen.append(packet)
            if at is not None and shown >= at:
                late = shown - at > _SOUND_IS_LATE and not _heard_before(video, seen, at)
                return _Begun(at=at, packets=seen, rest=rest, sound_is_late=late)
    if at is None:
        raise NoKeyframeError
    return _Begun(at=at, packets=seen, rest=rest, sound_is_late=False)


def _check_loss(span: Span, at: Fraction, *, is_decodable: bool) -> None:
    """Check that a copy that begins at a time lacks little; what no keyframe precedes is lost."""
    lost = at - span.start
    if span.longest is None:
        is_too_much = is_decodable and lost > _LOSS_OF_WHOLE
    else:
        is_too_much = lost > span.longest * LOSS_ACCEPTED
    if is_too_much:
        raise NoKeyframeError


def _heard_before(video: VideoFile, seen: Iterable[Packet], at: Fraction) -> bool:
    """Tell whether sound already ran when the first picture is shown."""
    return any(p.stream is video.sound and video.shown_at(p) < at for p in seen)


def half_of(packet: Packet) -> int:
    """Return half of how long a packet is heard: the nearest packet begins the sound."""
    return (packet.duration or 0) // 2


class _Cut:
    """Picks the packets of a copy and counts their times from its first picture."""

    def __init__(self, video: VideoFile, at: Fraction, longest: Fraction | None) -> None:
        self._video = video
        self._picture = Clock.of(video.picture, at + video.began, longest)
        self._sound = (
            None if video.sound is None else Clock.of_sound(video.sound, at + video.began, longest)
        )
        self._first: Packet | None = None
        self._began = False

    def pictures_and_sound(self, packets: Iterable[Packet]) -> Iterator[Packet]:
        """Yield what belongs to the copy, in the file's order, until both tracks are over."""
        sound = self._sound
        for packet in packets:
            if packet.stream is self._video.picture:
                yield from self._pictures(packet)
                if self._picture.is_long_over(packet) or (sound is None and self._picture.over):
                    break
            elif sound is not None and sound.takes(packet, early=half_of(packet)):
                yield sound.count_from_start(packet)
            if self._picture.over and (sound is None or sound.over):
                break
        if self._first is not None:
            yield self._first

    def _pictures(self, packet: Packet) -> Iterator[Packet]:
        """Hold the first picture back until the next kept one tells its decoding time."""
        if not self._picture.takes(packet):
            return
        packet = self._picture.count_from_start(packet)
        if not self._began:
            self._first, self._began = packet, True
            return
        if self._first is not None:
            # What was left out between the two must not count as time of the first.
            latest = (packet.dts or 0) - (self._first.duration or 0)
            self._first.dts = max(self._first.dts or 0, latest)
            yield self._first
            self._first = None
        yield packet


@dataclass(slots=True, kw_only=True)
class Clock:
    """One track's time in its own ticks: where the copy begins and where it must have ended."""

    begin: int
    end: int | None
    long_after: int
    over: bool = False

    @classmethod
    def of(
        cls, track: VideoStream | AudioStream, at: Fraction, longest: Fraction | None
    ) -> "Clock":
        """Return the clock of a copy that begins at a time of the file's own clock."""
        base = base_of(track)
        begin = round(at / base)
        end = None if longest is None else begin + int(longest / base)
        return cls(begin=begin, end=end, long_after=int(_PACKETS_ARE_IN_ORDER_WITHIN / base))

    @classmethod
    def of_sound(cls, track: AudioStream, at: Fraction, longest: Fraction | None) -> "Clock":
        """Return the sound's clock: what decoders add to its end must not reach the limit."""
        shorter = None if longest is None else max(longest - _SOUND_ENDS_EARLIER, Fraction(0))
        return cls.of(track, at, shorter)

    def takes(self, packet: Packet, *, early: int = 0) -> bool:
        """Tell whether the packet is part of the copy; the first that ends too late ends it."""
        shown = packet.pts or 0
        if self.end is not None and shown + (packet.duration or 0) > self.end:
            self.over = True
        return not self.over and shown >= self.begin - early

    def is_long_over(self, packet: Packet) -> bool:
        """Tell whether no other track can have anything left for the copy."""
        return self.end is not None and (packet.dts or 0) > self.end + self.long_after

    def count_from_start(self, packet: Packet) -> Packet:
        """Return the packet with its times counted from the copy's beginning."""
        packet.pts = (packet.pts or 0) - self.begin
        packet.dts = (packet.dts or 0) - self.begin
        return packet
