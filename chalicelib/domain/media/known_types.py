"""Types of file that people send and the service does not take: what each is, and what to do.

Told by the first bytes; `probing` and the upload door refuse with the sentence.
"""

from typing import Final

_HEIF_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
)
_PHOTOS: Final = "Photos are taken as JPG, PNG or WebP."
_VIDEOS: Final = "Videos are taken as MP4 or MOV."
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
    """Say what a file is that is not taken and how to convert it; None when nobody can tell."""
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
