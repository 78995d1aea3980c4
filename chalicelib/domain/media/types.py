"""File types that the service accepts, recognised by the first bytes, and known refused ones.

The upload door sniffs the head of a file so that unsupported files are refused before they are
stored, with a sentence that says what to do; `probing` then reads enough of the rest to be sure.
"""

from enum import StrEnum
from typing import Final

from chalicelib.domain.platforms.platform import MediaKind

SNIFF_BYTES = 4096
"""How much of a file's head `sniff` may look at; less is fine when the file is shorter."""


class MediaType(StrEnum):
    """An accepted type, as Content-Type names it."""

    MP4 = "video/mp4"
    MOV = "video/quicktime"
    JPEG = "image/jpeg"
    PNG = "image/png"
    WEBP = "image/webp"

    @property
    def kind(self) -> MediaKind:
        """Tell video from photo."""
        return MediaKind.VIDEO if self in {MediaType.MP4, MediaType.MOV} else MediaKind.IMAGE


_QUICKTIME = b"qt  "


def _brands(names: str) -> frozenset[bytes]:
    return frozenset(name.ljust(4).encode() for name in names.split())


_MP4_BRANDS = _brands(
    "isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 isoa isob isoc mp41 mp42 mp71 avc1 hvc1 av01 "
    "M4V M4VH M4VP MSNV dash msdh msix cmfc cmfs cmff dby1 XAVC f4v mmp4 NDSC NDSH NDSM NDXC NDXH "
    "NDXM caqv"
)
# Pictures, sound and camera raws in the same kind of boxes; many also claim a brand of the above.
_OTHER_BRANDS = _brands(
    "heic heix heim heis hevc hevx hevm hevs mif1 mif2 msf1 avif avis jp2 jpx jpm mjp2 jxl crx "
    "M4A M4B M4P F4A F4B"
)
_OLD_QUICKTIME_STARTS = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
_FTYP_BYTES = range(16, 1025)


def sniff(head: bytes) -> MediaType | None:
    """Return the type that the file's first bytes (`SNIFF_BYTES` or all) show, or None."""
    if head.startswith(b"\xff\xd8\xff"):
        return MediaType.JPEG
    if head.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"):
        return MediaType.PNG
    if head.startswith(b"RIFF") and head[8:15] == b"WEBPVP8" and head[15:16] in {b" ", b"L", b"X"}:
        return MediaType.WEBP
    if head[4:8] == b"ftyp":
        return _by_brand(head)
    if head[4:8] in _OLD_QUICKTIME_STARTS:
        return MediaType.MOV
    return None


def _by_brand(head: bytes) -> MediaType | None:
    size = int.from_bytes(head[:4])
    major = head[8:12]
    if size not in _FTYP_BYTES or major in _OTHER_BRANDS:
        return None
    if major == _QUICKTIME:
        return MediaType.MOV
    compatible = {head[at : at + 4] for at in range(16, min(size, len(head)), 4)}
    return MediaType.MP4 if _MP4_BRANDS & {major, *compatible} else None


_HEIF_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
)
_PHOTOS: Final = "Photos must be JPG, PNG or WebP."
_VIDEOS: Final = "Videos must be MP4 or MOV."
_HEIC: Final = (
    f"This is a HEIC photo, as iPhones make them. {_PHOTOS} Export it as JPG, or choose "
    '"Most Compatible" in the iPhone\'s camera settings.'
)
_AVIF: Final = f"This is an AVIF photo. {_PHOTOS} Save it as JPG or PNG."
_GIF: Final = (
    f"This is a GIF. {_PHOTOS} {_VIDEOS} Save a still as PNG, or convert an animation: "
    "ffmpeg -i in.gif -pix_fmt yuv420p out.mp4"
)
_WEBM: Final = (
    f"This is a WebM or Matroska video. {_VIDEOS} Convert it: "
    "ffmpeg -i in.webm -c:v libx264 -c:a aac out.mp4"
)
_AVI: Final = f"This is an AVI video. {_VIDEOS} Convert it: ffmpeg -i in.avi out.mp4"
_TIFF: Final = f"This is a TIFF photo. {_PHOTOS} Save it as JPG or PNG."
_BMP: Final = f"This is a BMP photo. {_PHOTOS} Save it as JPG or PNG."
_PDF: Final = f"This is a PDF. {_PHOTOS} Export its page as JPG or PNG."


def refusal_sentence(head: bytes) -> str | None:
    """Say what a refused file is and how to convert it; None if that is unknown."""
    if head[4:8] == b"ftyp":
        if head[8:12] in _HEIF_BRANDS:
            return _HEIC
        return _AVIF if head[8:12] in {b"avif", b"avis"} else None
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return _AVI
    return next((sentence for start, sentence in _STARTS.items() if head.startswith(start)), None)


_STARTS: Final = {
    b"GIF87a": _GIF,
    b"GIF89a": _GIF,
    b"\x1a\x45\xdf\xa3": _WEBM,
    b"II*\0": _TIFF,
    b"MM\0*": _TIFF,
    b"BM": _BMP,
    b"%PDF": _PDF,
}
