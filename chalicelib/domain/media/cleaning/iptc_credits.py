"""IPTC in Photoshop's blocks: by-line, credit and copyright notice stay, all else is removed.

IPTC-IIM 4.2 chapters 3 and 6; Adobe Photoshop File Formats, "Image Resource Blocks".
"""

from collections.abc import Iterator
from typing import Final

PHOTOSHOP: Final = b"Photoshop 3.0\0"
_RESOURCE: Final = b"8BIM"
_IPTC: Final = 0x0404
_COPYRIGHTED: Final = 0x040A
_TAG: Final = 0x1C
_KEPT: Final = frozenset({(1, 90), (2, 80), (2, 110), (2, 116)})
"""The coded character set, and the by-lines, the credit and the copyright notice it is for."""
_SAYS_NOTHING_ALONE: Final = (1, 90)
_LONGEST: Final = 2_048
_HEAD: Final = 5


def iptc_credits(block: bytes) -> bytes:
    """Return the kept part of a Photoshop block without its prefix, b"" for nothing."""
    kept = b""
    for number, data in _resources(block.removeprefix(PHOTOSHOP)):
        if number == _IPTC:
            kept += _resource(_IPTC, _datasets(data))
        elif number == _COPYRIGHTED and data[:1] == b"\1":
            kept += _resource(_COPYRIGHTED, data[:1])
    return kept


def _resources(blocks: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while blocks[at : at + 4] == _RESOURCE and at + 12 <= len(blocks):
        number = int.from_bytes(blocks[at + 4 : at + 6])
        name = 1 + blocks[at + 6]
        start = at + 6 + name + name % 2
        size = int.from_bytes(blocks[start : start + 4])
        yield number, blocks[start + 4 : start + 4 + size]
        at = start + 4 + size + size % 2


def _resource(number: int, data: bytes) -> bytes:
    if not data:
        return b""
    head = _RESOURCE + number.to_bytes(2) + bytes(2) + len(data).to_bytes(4)
    return head + data + bytes(len(data) % 2)


def _datasets(data: bytes) -> bytes:
    kept, at, says = b"", 0, False
    while at + _HEAD <= len(data) and data[at] == _TAG:
        name, size = (data[at + 1], data[at + 2]), int.from_bytes(data[at + 3 : at + _HEAD])
        end = at + _HEAD + size
        if name in _KEPT and size <= _LONGEST and end <= len(data):
            kept += data[at:end]
            says = says or name != _SAYS_NOTHING_ALONE
        at = end
    return kept if says else b""
