"""The sound of a video being written: copied where it is plain AAC, else encoded as such.

`trimming` and `encoding` write through it; the copies that go to platforms have sound in AAC-LC,
mono or stereo, of 48 kHz at most, or none (every fact sheet takes it).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from av.container import OutputContainer

from chalicelib.workers.media.video_file import Packet, require_decodable

_HIGHEST_RATE = 48_000
_MOST_CHANNELS = 2
_BITS_PER_SECOND = 128_000


class SoundTrack(Protocol):
    """Takes the source's packets and gives those to write."""

    def take(self, packet: Packet) -> list[Packet]:
        """Take one packet, its time counted from the beginning of the copy."""
        ...

    def end(self) -> list[Packet]:
        """Return what is left."""
        ...


def sound_track(out: OutputContainer, sound: AudioStream | None) -> SoundTrack | None:
    """Add a track for the sound, None for a silent video."""
    if sound is None:
        return None
    if _is_plain(sound):
        return _Copied(out, sound)
    return _Encoded(out, sound)


def _is_plain(sound: AudioStream) -> bool:
    coded = sound.codec_context
    is_lc = coded.profile in {None, "LC"}
    few = coded.channels <= _MOST_CHANNELS and (coded.sample_rate or 0) <= _HIGHEST_RATE
    return coded.name == "aac" and is_lc and few


class _Copied:
    """AAC as it is."""

    def __init__(self, out: OutputContainer, sound: AudioStream) -> None:
        self._track = out.add_stream_from_template(sound)
        self._track.time_base = sound.time_base

    def take(self, packet: Packet) -> list[Packet]:
        packet.stream = self._track
        packet.dts = packet.pts = max(packet.pts or 0, 0)
        return [packet]

    def end(self) -> list[Packet]:
        return []


class _Encoded:
    """AAC made from another codec, mono or stereo, of 48 kHz at most."""

    def __init__(self, out: OutputContainer, sound: AudioStream) -> None:
        require_decodable(sound)
        self._sound = sound
        rate = min(sound.codec_context.sample_rate or _HIGHEST_RATE, _HIGHEST_RATE)
        layout = "mono" if sound.codec_context.channels == 1 else "stereo"
        self._track: AudioStream = out.add_stream("aac", rate=rate, layout=layout)
        self._track.bit_rate = _BITS_PER_SECOND
        self._resampler = AudioResampler(format="fltp", layout=layout, rate=rate)
        self._rate = rate
        self._heard = 0

    def take(self, packet: Packet) -> list[Packet]:
        return [made for frame in packet.decode() for made in self._encode(frame)]

    def end(self) -> list[Packet]:
        late = self._sound.codec_context.decode(None)
        made = [packet for frame in late for packet in self._encode(frame)]
        return [*made, *self._heard_only(self._track.encode(None))]

    def _heard_only(self, packets: list[Packet]) -> Iterator[Packet]:
        """Leave out what encoders put before the sound: no edit list would hide it."""
        return (packet for packet in packets if (packet.pts or 0) >= 0)

    def _encode(self, frame: object) -> Iterator[Packet]:
        if not isinstance(frame, AudioFrame):
            return
        for piece in self._resampler.resample(frame):
            piece.pts, piece.time_base = self._heard, Fraction(1, self._rate)
            self._heard += piece.samples
            yield from self._heard_only(self._track.encode(piece))
