"""Shrinks a large picture in little memory: band by band; the large one is closed at the end."""

from itertools import pairwise
from math import ceil
from typing import Final

from PIL import Image

_BAND: Final = 256
_TURNED_FIRST: Final = frozenset({"LA", "RGBA"})
_SEEN: Final = 3
"""How many pixels of the smaller picture the filter sees on either side."""


def shrunk(picture: Image.Image, box: tuple[int, int]) -> Image.Image:
    """Return the picture as large as a box holds it, or the picture itself where it fits.

    A larger one is closed. What lies between the two ways of scaling would be as large as it is;
    a filter sees beyond its band, and bands are alike, so there are no seams.
    """
    width, height = _within(picture.size, box)
    if (width, height) == picture.size:
        return picture
    smaller, scale = Image.new(picture.mode, (width, height)), picture.height / height
    bands = -(-height // _BAND)
    edges = [height * number // bands for number in range(bands + 1)]
    for top, end in pairwise(edges):
        part = (top * scale, min(end * scale, picture.height))
        smaller.paste(_band(picture, part, (width, end - top)), (0, top))
    picture.close()
    return smaller


def _band(picture: Image.Image, part: tuple[float, float], size: tuple[int, int]) -> Image.Image:
    """Return a part of the picture's height as a band of the smaller one.

    Pillow turns the whole of a picture with transparency before it looks at a part, so that is cut
    out first, with all that the filter sees.
    """
    top, end = part
    if picture.mode in _TURNED_FIRST:
        beyond = ceil(_SEEN * max(1.0, (end - top) / size[1])) + 1
        above = max(0, int(top) - beyond)
        picture = picture.crop((0, above, picture.width, min(picture.height, ceil(end) + beyond)))
        top, end = top - above, end - above
    return picture.resize(size, Image.Resampling.LANCZOS, box=(0, top, picture.width, end))


def _within(size: tuple[int, int], box: tuple[int, int]) -> tuple[int, int]:
    scale = min(1.0, box[0] / size[0], box[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
