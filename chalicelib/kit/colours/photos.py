"""The colours of a photo as usual screens show them: sRGB, eight bits, opaque on white.

Copies for platforms (`photo_fitting`) and the pictures of link cards are made with it. Colours are
turned by the photo's own profile whatever its mode is: with transparency, in grey, in four inks, of
16 bits or of a palette. A profile that cannot be read, or is one for another mode, is left aside.
"""

import io
from typing import Final

from PIL import Image, ImageCms

_WHITE: Final = (255, 255, 255)
_DEEP: Final = 256
_FITTING: Final = {
    "RGB": frozenset({"RGB"}),
    "GRAY": frozenset({"L"}),
    "CMYK": frozenset({"CMYK"}),
}
"""Modes by what a profile is for."""


def has_wide_colours(photo: Image.Image) -> bool:
    """Tell whether a colour profile other than sRGB is meant."""
    profile = photo.info.get("icc_profile")
    return isinstance(profile, bytes) and b"sRGB" not in profile


def in_usual_colours(picture: Image.Image, profile: object) -> Image.Image:
    """Return the picture as RGB in sRGB, what shines through white."""
    shown, mask = _apart(_eight_bits(picture))
    coloured = _in_srgb(shown, profile)
    if mask is None:
        return coloured
    board = Image.new("RGB", picture.size, _WHITE)
    board.paste(coloured, mask=mask)
    return board


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Return a picture of 16 bits a colour in eight: Pillow's own way cuts off what is above."""
    if not picture.mode.startswith("I"):
        return picture
    less = picture.point(lambda value: value / _DEEP).convert("L")
    clear = picture.info.get("transparency")
    if isinstance(clear, int):
        less.info["transparency"] = clear // _DEEP
    return less


def _apart(picture: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Return the picture in a mode without transparency, and how opaque it is."""
    if not picture.has_transparency_data:
        return picture if picture.mode in {"RGB", "L", "CMYK"} else picture.convert("RGB"), None
    is_grey = picture.mode in {"L", "LA", "La"}
    with_mask = picture.convert("LA" if is_grey else "RGBA")
    return with_mask.convert("L" if is_grey else "RGB"), with_mask.getchannel("A")


def _in_srgb(picture: Image.Image, profile: object) -> Image.Image:
    if not isinstance(profile, bytes) or b"sRGB" in profile:
        return picture.convert("RGB")
    try:
        meant = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = meant.profile.xcolor_space.strip()
        if space == "RGB" and picture.mode == "L":
            picture = picture.convert("RGB")
        if picture.mode not in _FITTING.get(space, ()):
            return picture.convert("RGB")
        turned = ImageCms.profileToProfile(
            picture, meant, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return picture.convert("RGB")
    return picture.convert("RGB") if turned is None else turned
