"""The colours of a photo as usual screens show them: sRGB, eight bits, opaque on white.

Copies for platforms (`photo_fitting`) and the pictures of link cards are made with it. Colours are
turned by what the photo says of them (`meanings`) whatever its mode is: with transparency, in grey,
in four inks, of 16 bits or of a palette. A profile that cannot be read, or is one for another mode,
is left aside.
"""

import io
from functools import lru_cache
from typing import Final

from PIL import Image, ImageCms

from chalicelib.kit.colours.icc_profiles import light_profile
from chalicelib.kit.colours.meanings import Meaning

_WHITE: Final = (255, 255, 255)
_DEEP: Final = 256
_FITTING: Final = {
    "RGB": frozenset({"RGB"}),
    "GRAY": frozenset({"L"}),
    "CMYK": frozenset({"CMYK"}),
}
"""Modes by what a profile is for."""
_UNREADABLE: Final = (ImageCms.PyCMSError, OSError, ValueError)
_BLACK_AT, _NARROW = 16, 219
_TRIED: Final = 6
_UNSEEN: Final = 2
"""A profile that moves no colour by more is sRGB, whatever its name says."""


def has_other_colours(meaning: Meaning) -> bool:
    """Tell whether something else than the numbers of sRGB is meant."""
    if meaning.light is not None or meaning.is_narrow:
        return True
    return meaning.profile is not None and not _is_srgb(meaning.profile)


def in_usual_colours(picture: Image.Image, meaning: Meaning) -> Image.Image:
    """Return the picture as RGB in sRGB, what shines through white."""
    shown, mask = _apart(_eight_bits(picture))
    if meaning.is_narrow:
        shown = shown.point([_widen(value) for value in range(256)] * len(shown.getbands()))
    profile = meaning.profile if meaning.light is None else light_profile(meaning.light)
    coloured = _in_srgb(shown, profile)
    coloured.info.clear()  # Pillow writes a comment that it finds here into a JPEG
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


def _widen(value: int) -> int:
    """Return what a number between black at 16 and white at 235 is between 0 and 255."""
    return min(255, max(0, round((value - _BLACK_AT) * 255 / _NARROW)))


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    if profile is None or _is_srgb(profile):
        return picture.convert("RGB")
    try:
        turned = _convert_to_srgb(picture, profile)
    except _UNREADABLE:
        turned = None
    return picture.convert("RGB") if turned is None else turned


def _convert_to_srgb(picture: Image.Image, profile: bytes) -> Image.Image | None:
    """Return the picture in sRGB, None where the profile is for another mode."""
    meant = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    space = meant.profile.xcolor_space.strip()
    if space == "RGB" and picture.mode == "L":
        picture = picture.convert("RGB")
    if picture.mode not in _FITTING.get(space, ()):
        return None
    return ImageCms.profileToProfile(
        picture, meant, ImageCms.createProfile("sRGB"), outputMode="RGB"
    )


@lru_cache(maxsize=2)
def _is_srgb(profile: bytes) -> bool:
    """Tell whether a profile leaves colours as they are: its name is no proof."""
    steps = [round(255 * step / (_TRIED - 1)) for step in range(_TRIED)]
    colours = bytes(
        value for red in steps for green in steps for blue in steps for value in (red, green, blue)
    )
    tried = Image.frombytes("RGB", (len(colours) // 3, 1), colours)
    try:
        turned = _convert_to_srgb(tried, profile)
    except _UNREADABLE:
        return False
    if turned is None:
        return False
    moved = zip(colours, turned.tobytes(), strict=True)
    return all(abs(one - other) <= _UNSEEN for one, other in moved)
