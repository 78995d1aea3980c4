"""Making a photo fit a platform: an upright sRGB JPEG within a box, an aspect and a size.

Pillow decodes only what our own probe accepted, so with limited dimensions (ADR 0003); photos much
larger than the box are shrunk while they are decoded. Transparency becomes white, an animation its
first picture. Of the metadata, only the photographer's own words are kept
(`domain/media/cleaning`).
"""

import io
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from PIL import Image
from PIL.JpegImagePlugin import get_sampling

from chalicelib.domain.media.cleaning.jpegs import credit_segments, with_credits
from chalicelib.domain.media.cleaning.outcome import Credits
from chalicelib.domain.media.probing import MOST_PIXELS
from chalicelib.domain.media.recipes import PhotoRecipe, has_aspect
from chalicelib.kit.colours.meanings import Meaning, meaning_of
from chalicelib.kit.colours.photos import has_other_colours, in_usual_colours
from chalicelib.kit.media_headers.jpeg import is_for_screens
from chalicelib.kit.media_headers.ranged_file import RangedFile
from chalicelib.storage.media.seekable import SeekableObject
from chalicelib.workers.media.clean_source import CleanSource
from chalicelib.workers.media.shrinking import shrunk

_FORMATS = ("JPEG", "PNG", "WEBP")
_QUALITIES = (90, 80, 70, 60)
_SMALLER = 0.75
_ORIENTATION = 0x0112
_WHITE = (255, 255, 255)
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_UNREADABLE = (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError)
_LYING = frozenset({5, 6, 7, 8})
_MOST_PIXELS_AT_ONCE = 51_000_000
"""More of a JPEG is decoded at half its size: beside them stands what becomes of them."""
_MOST_TURNED_PIXELS = 37_000_000
"""More is turned at half its size: the child's memory holds it twice."""
_EVERY_PLATFORM_TAKES = 512 * 1024
_CREDITS_TAKE_AT_MOST = 8
_PLAIN_MODES = frozenset({"RGB", "L"})


class UnreadablePhotoError(Exception):
    """The photo cannot be decoded."""


def fit_photo(source: SeekableObject, size_bytes: int, recipe: PhotoRecipe) -> bytes | None:
    """Return the photo as the recipe demands, None if it needs no change.

    Raises UnreadablePhotoError.
    """
    with _open(source, size_bytes) as (clean, photo, turn):
        meaning = meaning_of(photo, clean.file)
        is_fit = _is_fit(photo, clean.size_bytes, recipe) and not has_other_colours(meaning)
        if turn == 1 and clean.cleaned is not None and is_fit and _is_read(clean.cleaned.data):
            return clean.cleaned.data if clean.is_changed else None
        return _encode(_fit(photo, turn, recipe, meaning), recipe.most_bytes, _credits(clean))


def turn_photo(source: SeekableObject, size_bytes: int) -> bytes:
    """Return the photo as a JPEG with upright pixels, in its own colours, packed as finely.

    It is no larger than it was, or than every platform takes. Raises UnreadablePhotoError.
    """
    with _open(source, size_bytes) as (clean, photo, turn):
        if photo.width * photo.height > _MOST_TURNED_PIXELS:
            photo.draft(None, (photo.width // 2, photo.height // 2))
        meaning = meaning_of(photo, clean.file)
        stays = _keeps_colours(photo, meaning)
        upright = _upright(photo if stays else in_usual_colours(photo, meaning), turn)
        fineness = _fineness(photo if stays else upright)
        if upright is photo:
            upright = photo.copy()  # to save an opened one, Pillow asks the system where it runs
        out = io.BytesIO()
        kept_profile = meaning.profile if stays else None
        upright.save(out, "JPEG", icc_profile=kept_profile, comment=b"", **fineness)
        kept = _credits(clean)
        most_bytes = max(size_bytes, _EVERY_PLATFORM_TAKES)
        if out.tell() + len(credit_segments(kept)) <= most_bytes:
            return with_credits(out.getvalue(), kept)
        plain = in_usual_colours(upright, meaning if stays else Meaning())
        return _encode(plain, most_bytes, kept)


@contextmanager
def _open(
    source: SeekableObject, size_bytes: int
) -> Iterator[tuple[CleanSource, Image.Image, int]]:
    """Open a photo; yield it with how it is to be turned. Raises UnreadablePhotoError."""
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        clean = CleanSource.of(source, size_bytes)
        with Image.open(clean.file, formats=_FORMATS) as photo:  # type: ignore[arg-type]  # it reads and seeks
            if clean.cleaned is not None:
                turn = clean.cleaned.turn
            else:
                turn = photo.getexif().get(_ORIENTATION, 1)
            yield clean, photo, turn
    except _UNREADABLE as error:
        raise UnreadablePhotoError from error


def _credits(clean: CleanSource) -> Credits:
    return Credits() if clean.cleaned is None else clean.cleaned.credits


def _keeps_colours(photo: Image.Image, meaning: Meaning) -> bool:
    """Tell whether a JPEG can say with a profile what the photo's numbers mean."""
    if photo.mode not in _PLAIN_MODES or photo.has_transparency_data:
        return False
    is_told_otherwise = meaning.profile not in {None, photo.info.get("icc_profile")}
    return not (meaning.light or meaning.is_narrow or (is_told_otherwise and photo.mode == "L"))


def _fineness(photo: Image.Image) -> Mapping[str, Any]:
    """Return how the photo's pixels are packed, as its encoder takes it."""
    tables = getattr(photo, "quantization", None)
    if not tables:
        return {"quality": _QUALITIES[0], "optimize": True}
    return {"qtables": tables, "subsampling": get_sampling(photo), "optimize": True}


def _is_fit(photo: Image.Image, size_bytes: int, recipe: PhotoRecipe) -> bool:
    """Tell whether no pixel has to change. Only a plain JPEG is never touched."""
    return (
        recipe.frame is None
        and photo.format == "JPEG"
        and photo.mode in _PLAIN_MODES
        and size_bytes <= recipe.most_bytes
        and photo.width <= recipe.most_width
        and photo.height <= recipe.most_height
        and has_aspect(recipe, photo.width, photo.height)
    )


def _is_read(jpeg: bytes) -> bool:
    """Tell whether platforms read how a JPEG is coded."""
    return is_for_screens(RangedFile(lambda at, length: jpeg[at : at + length], len(jpeg)))


def _fit(photo: Image.Image, turn: int, recipe: PhotoRecipe, meaning: Meaning) -> Image.Image:
    """Return the picture upright, opaque, in sRGB, within box and aspects.

    It is turned, and its colours are, last where they can be: of the fewest pixels.
    """
    box = (recipe.most_width, recipe.most_height)
    longest = _longest(recipe)
    is_too_much = photo.width * photo.height > _MOST_PIXELS_AT_ONCE
    is_halved_anyway = min(photo.size) >= 2 * longest
    half = (photo.width // 2, photo.height // 2)
    photo.draft(None, half if is_too_much and not is_halved_anyway else (longest, longest))
    can_shrink = _can_shrink(photo)
    shrink = max(photo.width, photo.height) // (2 * longest)
    picture: Image.Image = photo.reduce(shrink) if shrink > 1 and can_shrink else photo
    if not can_shrink:
        picture = in_usual_colours(picture, meaning)
    if recipe.frame is not None:
        upright, turn = _upright(picture, turn), 1
        picture = upright.crop(recipe.frame.box(*upright.size))
    if recipe.crops:
        picture, turn = _crop(_upright(picture, turn), recipe), 1
    picture = shrunk(picture, box[::-1] if turn in _LYING else box)
    picture = _upright(picture, turn)
    if can_shrink:
        picture = in_usual_colours(picture, meaning)
    return picture if recipe.aspects is None else _add_borders(picture, recipe)


def _longest(recipe: PhotoRecipe) -> int:
    """Return how long a side the whole photo needs so that what is taken of it fills the box."""
    longest = max(recipe.most_width, recipe.most_height)
    if recipe.frame is None:
        return longest
    return int(longest * 100 / min(recipe.frame.width, recipe.frame.height))


def _upright(picture: Image.Image, turn: int) -> Image.Image:
    how = _TURNS.get(turn)
    return picture if how is None else picture.transpose(how)


def _can_shrink(photo: Image.Image) -> bool:
    """Tell whether pixels can be averaged: numbers of a palette, or of a clear colour, cannot."""
    return photo.mode in {"RGB", "RGBA", "L", "LA", "CMYK"} and "transparency" not in photo.info


def _crop(picture: Image.Image, recipe: PhotoRecipe) -> Image.Image:
    """Return the middle of a picture that is too narrow or too wide."""
    narrowest, widest = recipe.aspects or (Fraction(0), Fraction(0))
    width, height = picture.size
    if Fraction(width, height) < narrowest:
        height = int(width / narrowest)
    else:
        width = min(width, int(height * widest))
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + max(1, width), top + max(1, height)))


def _add_borders(picture: Image.Image, recipe: PhotoRecipe) -> Image.Image:
    """Return the picture on white borders where it is too narrow or too wide."""
    narrowest, widest = recipe.aspects or (Fraction(0), Fraction(0))
    width, height = picture.size
    if Fraction(width, height) < narrowest:
        wanted = (-int(-height * narrowest // 1), height)
    elif Fraction(width, height) > widest:
        wanted = (width, -int(-width / widest // 1))
    else:
        return picture
    board = Image.new("RGB", wanted, _WHITE)
    board.paste(picture, ((wanted[0] - width) // 2, (wanted[1] - height) // 2))
    board.thumbnail((recipe.most_width, recipe.most_height), Image.Resampling.LANCZOS)
    return board


def _encode(picture: Image.Image, most_bytes: int, kept: Credits) -> bytes:
    """Return a JPEG of at most so many bytes: of the best quality that fits, else smaller.

    Credits come along where they take no more than a small part of it.
    """
    room = len(credit_segments(kept))
    if room > most_bytes // _CREDITS_TAKE_AT_MOST:
        kept, room = Credits(), 0
    while True:
        for quality in _QUALITIES:
            out = io.BytesIO()
            picture.save(out, "JPEG", quality=quality, optimize=True)
            if out.tell() + room <= most_bytes:
                return with_credits(out.getvalue(), kept)
        smaller = (int(picture.width * _SMALLER) or 1, int(picture.height * _SMALLER) or 1)
        picture = picture.resize(smaller, Image.Resampling.LANCZOS)
