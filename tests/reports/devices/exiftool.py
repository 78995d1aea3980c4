"""What exiftool finds in a photo that leaves, held against what platforms' own pages say.

The rules stand here once more, apart from our pages of facts: X "Media best practices", Instagram
"Image Specifications", Threads "Image specifications", TikTok "Media transfer guide", Facebook
"Page photos", LinkedIn "Images API", Pinterest's OpenAPI, Bluesky's lexicons, Google "Posts".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chalicelib.domain.platforms.platform import Platform

P = Platform
_JPEG, _PNG, _WEBP = "image/jpeg", "image/png", "image/webp"
_WEB = frozenset({_JPEG, _PNG, _WEBP})
_OLD = frozenset({_JPEG, _PNG})


@dataclass(frozen=True, slots=True)
class Taken:
    """What a platform takes: formats, bytes, the longer and the shorter side, width to height."""

    formats: frozenset[str]
    most_bytes: int
    longest: int = 100_000
    shorter: int = 100_000
    narrowest: float = 0.0
    widest: float = 1_000.0
    usual_colours: bool = False


TAKEN = {
    P.X: Taken(_WEB, 5_000_000, 4096),
    P.INSTAGRAM: Taken(
        frozenset({_JPEG}), 8_000_000, 2560, 1440, narrowest=0.8, widest=1.91, usual_colours=True
    ),
    P.THREADS: Taken(_OLD, 8_000_000, narrowest=0.1, widest=10, usual_colours=True),
    P.TIKTOK: Taken(frozenset({_JPEG, _WEBP}), 20_000_000, 1920, 1080),
    P.FACEBOOK: Taken(_OLD, 10_000_000),
    P.LINKEDIN: Taken(_OLD, 5_000_000, 6012),
    P.PINTEREST: Taken(_OLD, 20_000_000),
    P.BLUESKY: Taken(_WEB, 2_000_000, 2000),
    P.REDDIT: Taken(_OLD, 20_971_520),
    P.GOOGLE_BUSINESS_PROFILE: Taken(_OLD, 5_000_000),
}


def faults(platform: Platform, photo: bytes, found: dict[str, Any]) -> Iterator[str]:
    """Yield what the platform would not take, or would show wrongly."""
    taken, kind = TAKEN[platform], found["File:MIMEType"]
    width, height = (_only(found, f":Image{side}") for side in ("Width", "Height"))
    if kind not in taken.formats:
        yield kind
    if len(photo) > taken.most_bytes:
        yield f"{len(photo)} bytes"
    if max(width, height) > taken.longest or min(width, height) > taken.shorter:
        yield f"{width} x {height}"
    if not taken.narrowest - 0.005 <= width / height <= taken.widest + 0.005:
        yield f"{width} x {height}"
    if kind == _JPEG and (found["File:BitsPerSample"] != 8 or found["File:ColorComponents"] > 3):
        yield f"{found['File:ColorComponents']} colours of {found['File:BitsPerSample']} bits"
    profile = str(found.get("ICC_Profile:ProfileDescription", "sRGB"))
    if taken.usual_colours and "sRGB" not in profile:
        yield f"colours of {profile}"
    if any(key.endswith(":Orientation") for key in found):
        yield "to be turned"


def _only(found: dict[str, Any], ending: str) -> int:
    return int(next(of for key, of in found.items() if key.endswith(ending)))
