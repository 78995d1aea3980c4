"""What it costs to make files ready for platforms, and to send one: CPU seconds and memory.

A video of 11 minutes in 1080p lies in the emulator's bucket; each step runs in a fresh process, so
that its peak of memory is its own. The emulator's work is not counted.
"""

import io
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import av

from benchmarks.figures import Figure
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import Keep, PhotoRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.settings import Settings
from chalicelib.storage.media.store import S3MediaStore, file_key
from chalicelib.storage.media.stored_file import StoredFile
from chalicelib.workers.media.converting import CopyMaker
from tests.support.emulator import make_resources, start_embedded
from tests.support.media_rooms import media_rooms
from tests.support.prepared_files import Numbered, numbered_video

_SECONDS = 660
_SEED_S = 12
_MB = 1_000_000
_WORKSPACE = "1" * 32
_RAW_BYTES = 500 * _MB


@dataclass(frozen=True, slots=True)
class Cost:
    """What one step took."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    note: str


def run() -> list[Figure]:
    """Measure and print."""
    figures = []
    emulator = start_embedded()
    try:
        settings = make_resources(emulator.endpoint)
        store = media_rooms(settings).store
        film = _stored(store, "a", _film())
        photo = _stored(store, "b", _photo())
        for name, media, recipe in (
            ("11 minutes of 1080p, start to 3:00", film, _cut(Keep.START)),
            ("11 minutes of 1080p, end to 3:00", film, _cut(Keep.END)),
            ("11 minutes of 1080p, packed anew", film, VideoRecipe()),
            ("0:20 of 1080p made anew", film, _cut(Keep.START, 20, encode=True)),
            ("48 megapixels to JPEG", photo, _SMALL),
        ):
            cost = _in_fresh_process(_make, settings, media, recipe)
            _print(name, cost)
            figures.append(Figure(f"{name}, CPU-seconds", cost.cpu_s))
        raw = _raw(store)
        _print("500 MB to a platform", _in_fresh_process(_send, settings, raw))
    finally:
        emulator.stop()
    return figures


_SMALL = PhotoRecipe(most_bytes=8 * _MB, most_width=1440, most_height=1440)


def _cut(keep: Keep, seconds: int = 180, *, encode: bool = False) -> VideoRecipe:
    return VideoRecipe(keep=keep, longest_ms=seconds * 1000, encode=encode)


def _print(name: str, cost: Cost) -> None:
    print(
        f"{name:36} {cost.cpu_s:6.2f} CPU-s {cost.wall_s:6.1f} s"
        f" {cost.peak_mb:5.0f} MB resident  {cost.note}"
    )


def _in_fresh_process(step: Callable[..., str], *given: object) -> Cost:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (step, given))


def _measured(step: Callable[..., str], given: tuple[object, ...]) -> Cost:
    began, cpu = time.perf_counter(), time.process_time()
    note = step(*given)
    return Cost(
        cpu_s=time.process_time() - cpu,
        wall_s=time.perf_counter() - began,
        peak_mb=_peak_mb(),
        note=note,
    )


def _peak_mb() -> float:
    """Return this process's own peak: `getrusage` would count its parent's too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / _MB


def _make(settings: Settings, media: Media, recipe: Recipe) -> str:
    store = media_rooms(settings).store
    copy = CopyMaker(store).make(media, recipe, lambda: None, datetime.now(UTC))
    if copy.refused:
        return copy.refused
    length = "" if copy.duration_s is None else f"{copy.duration_s:.3f} s, "
    return f"-> {length}{copy.size_bytes / _MB:.2f} MB"


def _send(settings: Settings, size: int) -> str:
    file = StoredFile(
        store=media_rooms(settings).store,
        key=file_key(_WORKSPACE, "c" * 32),
        mime=MediaType.MP4,
        filename="raw.mp4",
        size_bytes=size,
    )
    sent = sum(len(piece) for piece in file.stream())
    return "whole" if sent == size else "cut short"


def _stored(store: S3MediaStore, letter: str, path: Path) -> Media:
    """Put a file into the bucket and describe it as an upload would."""
    media_id = letter * 32
    with path.open("rb") as file:
        writer = store.writer(file_key(_WORKSPACE, media_id), MediaType.MP4)
        while piece := file.read(8 * _MB):
            writer.write(piece)
        writer.finish()

        def read(offset: int, length: int) -> bytes:
            file.seek(offset)
            return file.read(length)

        size = path.stat().st_size
        found = probe(read, size)
    path.unlink()
    return Media(
        id=media_id,
        workspace_id=_WORKSPACE,
        mime=found.mime,
        filename=path.name,
        size_bytes=size,
        width=found.width,
        height=found.height,
        created_at=datetime.now(UTC),
        duration_s=found.duration_s,
        video_codec=found.video_codec,
        audio_codec=found.audio_codec,
    )


def _film() -> Path:
    """Make 11 minutes of noisy 1080p by repeating the packets of a short video."""
    seed = numbered_video(
        Numbered(seconds=_SEED_S, size=(1920, 1080), noise=0.018, sound="aac", gop=60)
    )
    path = Path(tempfile.mkdtemp()) / "film.mp4"
    with av.open(str(path), "w", format="mp4") as out:
        with av.open(io.BytesIO(seed), "r", format="mov") as first:
            tracks = [out.add_stream_from_template(track) for track in first.streams]
        last: dict[int, int] = {}
        for lap in range(_SECONDS // _SEED_S):
            with av.open(io.BytesIO(seed), "r", format="mov") as again:
                for packet in again.demux():
                    if packet.dts is None or packet.pts is None:
                        continue
                    shift = int(lap * _SEED_S / packet.time_base)
                    packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                    if packet.dts <= last.get(packet.stream_index, -(10**9)):
                        continue
                    last[packet.stream_index] = packet.dts
                    packet.stream = tracks[packet.stream_index]
                    out.mux(packet)
    return path


def _photo() -> Path:
    from PIL import Image  # noqa: PLC0415 - only here

    path = Path(tempfile.mkdtemp()) / "photo.png"
    Image.linear_gradient("L").resize((8000, 6000)).convert("RGB").save(path, compress_level=1)
    return path


def _raw(store: S3MediaStore) -> int:
    """Put 500 MB into the bucket."""
    writer = store.writer(file_key(_WORKSPACE, "c" * 32), MediaType.MP4)
    piece = bytes(5 * _MB)
    for _ in range(_RAW_BYTES // len(piece)):
        writer.write(piece)
    writer.finish()
    return _RAW_BYTES
