"""What the child takes for the largest files that are converted at all, one conversion at a time.

The limits say what is refused; these show that what passes them leaves room. `make prove` makes and
converts all of them, the ordinary suite the one that is made in a moment.
"""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import av
import pytest
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from tests.workers.media.isolated import bombs

pytestmark = pytest.mark.costly

MOST_MEMORY = 400_000_000
_ROOT = Path(__file__).parents[4]
_MEASURE = """
import os, resource, sys
from chalicelib.domain.media.recipes import Keep, PhotoRecipe, PosterRecipe, VideoRecipe
from chalicelib.workers.media.isolated.converter import Ended, convert
from tests.workers.media.isolated.memory_places import SMALL, MemoryPlaces, probed

class OnDisk:
    # A child's peak counts what its parent held when it was started: so it holds nothing.
    def __init__(self, path):
        self.file = open(path, "rb")
    def __len__(self):
        return os.fstat(self.file.fileno()).st_size
    def __getitem__(self, part):
        return os.pread(self.file.fileno(), part.stop - part.start, part.start)

data = OnDisk(sys.argv[1])
recipe = {
    "fitted": SMALL,
    "packed anew": VideoRecipe(),
    "cut": VideoRecipe(keep=Keep.END, longest_ms=1_000),
    "made anew": VideoRecipe(encode=True),
    "poster": PosterRecipe(),
}[sys.argv[2]]
ended = convert(probed(data), recipe, MemoryPlaces(data).as_copy_places(), lambda: None)
print(ended.value if isinstance(ended, Ended) else "done")
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""


def a_film(
    codec: str, pictures: int, size: tuple[int, int] = (4096, 2304), **options: str
) -> bytes:
    """Return pictures full of detail, of the largest size that is decoded."""
    width, height = size
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        track = cast("VideoStream", container.add_stream(codec, rate=24, options=options))
        track.width, track.height, track.pix_fmt = width, height, "yuv420p"
        for place in range(pictures):
            frame = VideoFrame(width, height, "yuv420p")
            for plane in frame.planes:
                room = plane.buffer_size
                detail = bytes((number * (place + 3)) % 251 for number in range(4_096))
                plane.update((detail * (room // len(detail) + 1))[:room])
            frame.pts = place
            container.mux(track.encode(frame))
        container.mux(track.encode(None))
    return out.getvalue()


_X265: dict[str, Any] = {"preset": "ultrafast", "x265-params": "ref=4:bframes=3:log-level=none"}
FILES: dict[str, Callable[[], bytes]] = {
    "JPEG, 108 megapixels": lambda: bombs.a_jpeg(12_000, 9_000),
    "progressive JPEG, 50 megapixels": lambda: bombs.a_jpeg(8_165, 6_124, progressive=True),
    "PNG, 50 megapixels": lambda: bombs.a_png(8_165, 6_124, 8, 2),
    "PNG of 16 bits, 48 megapixels": lambda: bombs.a_png(8_000, 6_000, 16, 2),
    "PNG with a palette, 24 megapixels": lambda: bombs.a_png(5_657, 4_243, 8, 3),
    "H.264, 1920 x 1080": lambda: a_film("libx264", 8, (1920, 1080), preset="ultrafast", refs="4"),
    "HEVC, 1920 x 1080": lambda: a_film("libx265", 8, (1920, 1080), **_X265),
    "HEVC, 3840 x 2160": lambda: a_film("libx265", 24, (3840, 2160), **_X265),
    "H.264, 4096 x 2304": lambda: a_film("libx264", 24, preset="ultrafast", refs="4"),
    "HEVC, 4096 x 2304": lambda: a_film("libx265", 12, **_X265),
}
_OF_VIDEOS = ("packed anew", "cut", "made anew", "poster")


def _recipes(name: str) -> tuple[str, ...]:
    return ("fitted",) if "pixels" in name else _OF_VIDEOS


def _cases() -> list[object]:
    quick = [("H.264, 4096 x 2304, two pictures", "poster"), ("HEVC, 1920 x 1080", "made anew")]
    long = [
        (name, recipe) for name in FILES for recipe in _recipes(name) if (name, recipe) not in quick
    ]
    return [*quick, *(pytest.param(*case, marks=pytest.mark.prove) for case in long)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what makes a file once."""
    folder, paths = tmp_path_factory.mktemp("largest"), dict[str, Path]()

    def path(name: str) -> Path:
        if name not in paths:
            paths[name] = folder / str(len(paths))
            make = FILES.get(name, lambda: bombs.a_video(4096, 2304))
            paths[name].write_bytes(make())
        return paths[name]

    return path


@pytest.mark.parametrize(("name", "recipe"), _cases())
def test_the_largest_files_are_converted_within_the_childs_memory(
    name: str, recipe: str, made: Callable[[str], Path]
) -> None:
    file = made(name)

    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(file), recipe],
        capture_output=True,
        text=True,
        check=True,
        cwd=_ROOT,
    )

    how, peak = done.stdout.splitlines()
    size = file.stat().st_size / 1e6
    print(f"{name} ({size:.1f} MB), {recipe}: {how}, {int(peak) / 1e6:.0f} MB")  # noqa: T201
    assert how == "done"
    assert int(peak) < MOST_MEMORY
