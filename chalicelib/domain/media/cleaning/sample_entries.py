"""Descriptions of a track's coding: values for decoders stay, makers' names are removed.

ISO/IEC 14496-12 sections 8.4.3, 8.5.2 and 8.7.2; QuickTime File Format, "Sample Description Atoms".
"""

import re
from typing import Final

from chalicelib.domain.media.cleaning.patches import Patches
from chalicelib.kit.media_headers.boxes import Box, BoxReader

_PLAIN_VENDORS: Final = frozenset({bytes(4), b"FFMP", b"appl"})
_PLAIN_NAME: Final = re.compile(
    rb"[\0-\x1f]?(?:(?:Video|Sound|Data|Alias)(?:Handler| Media Handler)"
    rb"|Core Media (?:Video|Audio|Data Handler)|Apple (?:Video|Sound|Alias) (?:Media|Data) Handler"
    rb"|(?:L-SMASH|GPAC ISO|Bento4) (?:Video|Audio|Sound) (?:Media )?Handler"
    rb"|ISO Media file produced by Google Inc\.[\w :/.]*)?\0*"
)
_PLAIN_COMPRESSOR: Final = re.compile(
    rb"(?:[\0-\x1f](?:(?:Lavc[\d.]* )?lib[\w-]+|H\.264|HEVC|AVC Coding|AV1 Coding|VPC Coding)?)\0*"
)
_CONFIGURATIONS: Final = frozenset(
    b"avcC hvcC lhvC av1C vpcC esds wave btrt pasp colr clap fiel gama mdcv clli SmDm CoLL dvcC "
    b"dvvC dvwC amve vexu hfov dac3 dec3 dac4 dOps dfLa alac chan chnl enda frma pcmC damr "
    b"srat".split()
)
_ENTRIES_AT: Final = 8
_VERSION_AT, _VENDOR_AT, _NAME_AT, _NAME_END = 8, 12, 42, 74
_VISUAL: Final = 78
_SOUND: Final = {0: 28, 1: 44, 2: 64}
_NAMED_AT: Final = 24
_MANUFACTURER: Final = 12


class SampleEntries:
    """Cleans the descriptions of kept tracks."""

    def __init__(self, reader: BoxReader, patches: Patches) -> None:
        self._reader = reader
        self._patches = patches

    def descriptions(self, stsd: Box, *, visual: bool) -> None:
        """Clean every entry of a table of descriptions."""
        for entry in self._reader.walk(stsd.start + _ENTRIES_AT, stsd.end):
            self._entry(entry, visual=visual)

    def _entry(self, entry: Box, *, visual: bool) -> None:
        reader, patches = self._reader, self._patches
        head = reader.payload(entry, most=_VISUAL)
        if head[_VENDOR_AT : _VENDOR_AT + 4] not in _PLAIN_VENDORS:
            patches.blank(entry.start + _VENDOR_AT, entry.start + _VENDOR_AT + 4)
        name = head[_NAME_AT:_NAME_END]
        if visual and not _PLAIN_COMPRESSOR.fullmatch(name):
            patches.blank(entry.start + _NAME_AT, min(entry.start + _NAME_END, entry.end))
        version = int.from_bytes(head[_VERSION_AT : _VERSION_AT + 2])
        start = entry.start + (_VISUAL if visual else _SOUND.get(version, _SOUND[0]))
        end = start
        for box in reader.walk(start, entry.end):
            end = box.end
            if box.kind not in _CONFIGURATIONS and box.kind.strip(b"\0"):
                patches.free(box)
        patches.blank(end, entry.end)

    def handler(self, hdlr: Box) -> None:
        """Clean a handler's name: cameras write their names there."""
        said = self._reader.payload(hdlr, most=1024)
        if said[_MANUFACTURER : _MANUFACTURER + 4] not in _PLAIN_VENDORS:
            self._patches.blank(hdlr.start + _MANUFACTURER, hdlr.start + _MANUFACTURER + 4)
        if not _PLAIN_NAME.fullmatch(said[_NAMED_AT:]) or hdlr.length > len(said):
            self._patches.blank(hdlr.start + _NAMED_AT, hdlr.end)

    def references(self, dref: Box) -> None:
        """Refer to media in this file only: another file's address names somebody's disk."""
        for entry in self._reader.walk(dref.start + _ENTRIES_AT, dref.end):
            if entry.length > 4:  # noqa: PLR2004 - version and flags alone mean "in this file"
                self._patches.write(entry.start, b"\0\0\0\1")
                self._patches.blank(entry.start + 4, entry.end)
