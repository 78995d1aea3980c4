"""Videos: only a picture track, its sound, and its author stay; the file keeps its size.

Boxes that are not known to be needed become free space, and so does all media that belongs to no
kept track: tracks of locations, texts and second pictures, and bytes between them. ISO/IEC
14496-12; QuickTime File Format.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from chalicelib.domain.media.cleaning.movie_tags import MovieTags
from chalicelib.domain.media.cleaning.outcome import UncleanableError
from chalicelib.domain.media.cleaning.patches import FREE, Patch, Patches
from chalicelib.domain.media.cleaning.sample_entries import SampleEntries
from chalicelib.domain.media.cleaning.sample_ranges import (
    FragmentRanges,
    Range,
    chunk_offsets,
    chunk_ranges,
    default_sizes,
)
from chalicelib.kit.media_headers.boxes import Box, BoxReader
from chalicelib.kit.media_headers.ranged_file import RangedFile, UnreadableError
from chalicelib.kit.media_headers.tracks import PICTURE, SOUND, main_track, read_tracks

_HEAD: Final = 8
_MOST_CHUNKS: Final = 1_000_000
"""Of all tracks: three hours in the smallest chunks. A file with more is remuxed."""
_LONGEST_FREE: Final = 0xFFFF_FFFF
_OUTERMOST: Final = frozenset({b"ftyp", b"styp", b"sidx"})
_MOVIE: Final = frozenset({b"mvhd", b"trak", b"mvex", b"udta", b"meta", b"iods"})
_TRACK: Final = frozenset({b"tkhd", b"edts", b"mdia", b"tapt", b"tref"})
_TABLES: Final = frozenset(
    b"stsd stts ctts cslg stsc stsz stco co64 stss stps stsh sdtp sbgp sgpd subs padb".split()
)
_FRAGMENT: Final = frozenset(b"tfhd tfdt trun sdtp sbgp sgpd subs".split())


def movie_patches(file: RangedFile) -> Sequence[Patch]:
    """Return the patches that a video needs before it may be sent, in order; none if it is clean.

    Raises UncleanableError, UnreadableError.
    """
    patches = Patches(file)
    _Movie(file, patches).clean()
    return sorted(patches.gathered, key=lambda patch: patch.at)


def is_clean_movie(file: RangedFile) -> bool:
    """Tell whether a video is proven to need no change, reading a limited part of it."""
    try:
        _Movie(file, _None(file)).clean()
    except (UncleanableError, UnreadableError):
        return False
    return True


class _None(Patches):
    """Ends at the first change."""

    def add(self, _: Patch) -> None:
        raise UncleanableError


class _Movie:
    """One file that is being cleaned."""

    def __init__(self, file: RangedFile, patches: Patches) -> None:
        self._file = file
        self._patches = patches
        self._reader = BoxReader(file)
        self._tags = MovieTags(self._reader, patches)
        self._entries = SampleEntries(self._reader, patches)
        self._kept: frozenset[int] = frozenset()
        self._defaults: dict[int, int] = {}
        self._ranges: list[Range] = []

    def clean(self) -> None:
        """Gather every change."""
        boxes = list(self._outermost())
        moov = next((box for box in boxes if box.kind == b"moov"), None)
        if moov is None:
            raise UncleanableError
        self._movie(moov)
        for box in boxes:
            if box.kind == b"moof":
                self._fragment(box)
            elif box.kind == b"mfra":
                self._only(box, frozenset({b"tfra", b"mfro"}))
            elif box.kind == b"uuid":
                self._tags.extension(box)
            elif box is not moov and box.kind != b"mdat" and box.kind not in _OUTERMOST:
                self._tags.drop(box)
        self._media([box for box in boxes if box.kind == b"mdat"])

    def _outermost(self) -> Iterator[Box]:
        at, size = 0, self._file.size
        while size - at >= _HEAD:
            try:
                box = self._reader.box_at(at, size)
            except UnreadableError:
                box = self._to_the_end(at)
            yield box
            at = box.end
        self._patches.blank(at, size)

    def _to_the_end(self, at: int) -> Box:
        """Return truncated media, or free space in place of what is no box."""
        size = self._file.size
        if self._file.take(at + 4, 4) != b"mdat" and size - at <= _LONGEST_FREE:
            self._patches.write(at, (size - at).to_bytes(4) + FREE)
            return Box(FREE, at, at + _HEAD, size)
        raise UncleanableError

    def _only(self, parent: Box, kept: frozenset[bytes]) -> Sequence[Box]:
        """Keep only boxes of these kinds."""
        found, end = [], parent.start
        for box in self._reader.inside(parent):
            end = box.end
            if box.kind in kept:
                found.append(box)
            else:
                self._tags.drop(box)
        self._patches.blank(end, parent.end)
        return found

    def _movie(self, moov: Box) -> None:
        tracks = list(read_tracks(self._reader, moov))
        picture = main_track(tracks, PICTURE)
        if picture is None:
            raise UncleanableError
        sounds = {track.track_id for track in tracks if track.handler == SOUND}
        self._kept = frozenset({picture.track_id, *sounds})
        traks = []
        for box in self._only(moov, _MOVIE):
            if box.kind == b"trak":
                traks.append(box)
            elif box.kind == b"udta":
                self._tags.user_data(box)
            elif box.kind == b"meta":
                self._tags.metadata(box)
            elif box.kind == b"mvex":
                inside = self._only(box, frozenset({b"mehd", b"trex"}))
                trexes = [one for one in inside if one.kind == b"trex"]
                self._defaults = default_sizes(self._reader, trexes)
        self._tracks(traks, picture.track_id)

    def _tracks(self, traks: Sequence[Box], picture: int) -> None:
        offsets = {trak: chunk_offsets(self._reader, self._table(trak)) for trak in traks}
        if sum(map(len, offsets.values())) > _MOST_CHUNKS:
            raise UncleanableError
        starts = sorted(at for some in offsets.values() for at in some)
        seen: set[int] = set()
        for trak in traks:
            tkhd = self._reader.payload(self._reader.require(trak, b"tkhd"), most=32)
            number = int.from_bytes(tkhd[20:24] if tkhd[:1] == b"\1" else tkhd[12:16])
            handler = self._reader.payload(self._reader.require(trak, b"mdia", b"hdlr"), most=12)
            visual = handler[8:12] == PICTURE
            is_kept = number == picture if visual else handler[8:12] == SOUND
            if not is_kept or number in seen:
                self._patches.free(trak)
                continue
            seen.add(number)
            self._track(trak, visual=visual)
            among = None if visual else starts
            self._ranges += chunk_ranges(self._reader, self._table(trak), offsets[trak], among)

    def _table(self, trak: Box) -> Box:
        return self._reader.require(trak, b"mdia", b"minf", b"stbl")

    def _track(self, trak: Box, *, visual: bool) -> None:
        entries = self._entries
        for box in self._only(trak, _TRACK):
            if box.kind == b"edts":
                self._only(box, frozenset({b"elst"}))
            elif box.kind == b"tref":
                self._references(box)
            elif box.kind == b"mdia":
                for inner in self._only(box, frozenset({b"mdhd", b"hdlr", b"minf", b"elng"})):
                    if inner.kind == b"hdlr":
                        entries.handler(inner)
                    elif inner.kind == b"minf":
                        self._information(inner, visual=visual)

    def _information(self, minf: Box, *, visual: bool) -> None:
        for box in self._only(minf, frozenset({b"vmhd", b"smhd", b"hdlr", b"dinf", b"stbl"})):
            if box.kind == b"hdlr":
                self._entries.handler(box)
            elif box.kind == b"dinf":
                for dref in self._only(box, frozenset({b"dref"})):
                    self._entries.references(dref)
            elif box.kind == b"stbl":
                for table in self._only(box, _TABLES):
                    if table.kind == b"stsd":
                        self._entries.descriptions(table, visual=visual)

    def _references(self, tref: Box) -> None:
        """Keep references between tracks only where all that they name stay."""
        for box in self._reader.inside(tref):
            named = self._reader.payload(box, most=1024)
            ids = {int.from_bytes(named[at : at + 4]) for at in range(0, len(named), 4)}
            if not ids <= self._kept:
                self._patches.free(tref)
                return

    def _fragment(self, moof: Box) -> None:
        ranges = FragmentRanges(self._reader, moof, self._defaults)
        for traf in self._only(moof, frozenset({b"mfhd", b"traf"})):
            if traf.kind != b"traf":
                continue
            tfhd = self._reader.require(traf, b"tfhd")
            truns = [box for box in self._reader.inside(traf) if box.kind == b"trun"]
            of_track = list(ranges.of_track(tfhd, truns))
            if ranges.track_id(tfhd) in self._kept:
                self._only(traf, _FRAGMENT)
                self._ranges += of_track
            else:
                self._patches.free(traf)

    def _media(self, mdats: Sequence[Box]) -> None:
        """Blank everything in the media except the samples of kept tracks."""
        wanted = iter(sorted(one for one in self._ranges if one[1] > one[0]))
        start, end = next(wanted, (self._file.size, self._file.size))
        for mdat in mdats:
            at = mdat.start
            while start < mdat.end:
                if start < mdat.start:
                    raise UncleanableError
                self._patches.blank(at, start)
                at = max(at, min(end, mdat.end))
                start, end = next(wanted, (self._file.size, self._file.size))
            self._patches.blank(at, mdat.end)
        if start < self._file.size:
            raise UncleanableError
