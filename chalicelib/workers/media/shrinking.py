"""Making a large picture smaller in little memory: in bands, and the larger one is closed."""

from itertools import pairwise
from typing import Final

from PIL import Image

_BAND: Final = 256


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
        part = (0, top * scale, picture.width, min(end * scale, picture.height))
        band = picture.resize((width, end - top), Image.Resampling.LANCZOS, box=part)
        smaller.paste(band, (0, top))
    picture.close()
    return smaller


def _within(size: tuple[int, int], box: tuple[int, int]) -> tuple[int, int]:
    scale = min(1.0, box[0] / size[0], box[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
