"""FFmpeg and Pillow are loaded by whichever copy comes first, though several come at once."""

import subprocess
import sys

import pytest

ALL_AT_ONCE = """
import sys
import threading
import time
from types import SimpleNamespace
from chalicelib.domain.media.recipes import PhotoRecipe, VideoRecipe
from chalicelib.workers.media import copy_making

class Loaded(Exception):
    pass

class Places:
    def __getattr__(self, name):
        raise Loaded

media = SimpleNamespace(video_codec="h264", size_bytes=1)
photo = PhotoRecipe(most_bytes=1, most_width=1, most_height=1)
video = VideoRecipe(encode=True)
makers = [
    lambda: copy_making._video(media, video, Places(), None),
    lambda: copy_making._poster(Places(), None),
    lambda: copy_making._photo(media, photo, Places()),
]
sys.setswitchinterval(1e-6)
apart, found = float(sys.argv[1]), []

def run(make, place):
    time.sleep(apart * place)
    try:
        make()
    except Exception as error:
        found.append(type(error).__name__)

threads = [threading.Thread(target=run, args=(make, place)) for place, make in enumerate(makers)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*found)
"""


@pytest.mark.parametrize("apart_ms", range(0, 60, 5))
def test_copies_that_come_first_together_all_find_their_libraries(apart_ms: int) -> None:
    """Which moment hurts depends on the machine, so that several are tried."""
    done = subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE, str(apart_ms / 1000)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["Loaded"] * 3
