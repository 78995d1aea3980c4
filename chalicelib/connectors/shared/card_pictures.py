"""Makes a stranger's picture a JPEG for a link card, in a process of its own.

    python -m chalicelib.connectors.shared.card_pictures 950000 1200 < picture > jpeg

That process has no environment, and so no keys, little memory and a few seconds. On a stage the
function that prepares posts includes Pillow; without it no picture is converted, and only a small
JPEG or PNG is shown on the card.
"""

import io
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

_SECONDS: Final = 10.0
_CPU_SECONDS: Final = 8
_MEMORY_BYTES: Final = 1_073_741_824
_MOST_PIXELS: Final = 50_000_000
_LONGEST_SIDE: Final = 1_200
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")
_QUALITIES: Final = (85, 75, 60, 40)


def as_jpeg(
    pieces: Iterable[bytes], most_bytes: int, longest_side: int = _LONGEST_SIDE
) -> bytes | None:
    """Return the picture as a JPEG within these bytes and pixels a side.

    None if that cannot be made of it. Its pieces are in memory one after another.
    """
    try:
        with TemporaryFile() as picture:
            picture.writelines(pieces)
            picture.seek(0)
            made = subprocess.run(  # noqa: S603 - our own module, and none of the picture's words
                [sys.executable, "-m", __name__, str(most_bytes), str(longest_side)],
                stdin=picture,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                cwd=Path(__file__).parents[3],
                env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **_loader()},
            )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return made.stdout if made.returncode == 0 and made.stdout else None


def _loader() -> dict[str, str]:
    """Return where Lambda's Python finds its own library; this contains no key."""
    name = "LD_LIBRARY_PATH"
    return {name: os.environ[name]} if name in os.environ else {}


def _convert(picture: bytes, most_bytes: int, longest_side: int) -> bytes:
    from PIL import Image, ImageOps  # noqa: PLC0415 - this process alone reads pictures

    from chalicelib.kit.colours.meanings import meaning_of  # noqa: PLC0415
    from chalicelib.kit.colours.photos import in_usual_colours  # noqa: PLC0415

    Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
    file = io.BytesIO(picture)
    with Image.open(file, formats=_FORMATS) as opened:
        meaning = meaning_of(opened, file)
        opened.draft(None, (longest_side, longest_side))
        shown = ImageOps.exif_transpose(opened)
        shown.thumbnail((longest_side, longest_side))
        page = in_usual_colours(shown, meaning)
    for quality in _QUALITIES:
        jpeg = io.BytesIO()
        page.save(jpeg, "JPEG", quality=quality, optimize=True)
        if jpeg.tell() <= most_bytes:
            return jpeg.getvalue()
    return b""


def _confine() -> None:
    import resource  # noqa: PLC0415 - not on every system, and of this process alone

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    _confine()
    sys.stdout.buffer.write(_convert(sys.stdin.buffer.read(), *map(int, sys.argv[1:])))
