"""Every kind of file that the service takes or refuses, told by its bytes and never by its name."""

import io

import av
import pytest
from PIL import Image, ImageOps

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Probed
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import SNIFF_BYTES, MediaType, sniff
from tests.support.sample_media import Sample, box, samples

TAKEN = [name for name, sample in samples().items() if sample.found is not None]
REFUSED = [name for name, sample in samples().items() if sample.found is None]


def is_a_photo(name: str) -> bool:
    found = samples()[name].found
    return found is not None and found[1] is None


def probed(data: bytes) -> Probed:
    return probe(lambda offset, length: data[offset : offset + length], len(data))


@pytest.mark.parametrize("name", TAKEN)
def test_a_file_is_what_its_bytes_say(name: str) -> None:
    sample: Sample = samples()[name]

    found = probed(sample.data)

    assert sample.found == (found.mime, found.duration_s, found.width, found.height)


@pytest.mark.parametrize("name", [name for name in TAKEN if is_a_photo(name)])
def test_pillow_finds_the_same_size(name: str) -> None:
    data = samples()[name].data
    found = probed(data)

    with Image.open(io.BytesIO(data)) as picture:
        upright = ImageOps.exif_transpose(picture)

    assert upright.size == (found.width, found.height)


@pytest.mark.parametrize("name", [name for name in TAKEN if not is_a_photo(name)])
def test_ffmpeg_finds_the_same_length(name: str) -> None:
    data = samples()[name].data
    found = probed(data)

    with av.open(io.BytesIO(data), "r", format="mov") as container:
        seconds = (container.duration or 0) / av.time_base

    assert found.duration_s == pytest.approx(seconds, abs=0.08)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_whole_video_or_photo_is_refused(name: str) -> None:
    data = samples()[name].data

    with pytest.raises(UnsupportedMedia):
        probed(data)


@pytest.mark.parametrize("name", TAKEN)
def test_the_first_bytes_are_enough_to_tell_the_type(name: str) -> None:
    sample = samples()[name]

    mime = sniff(sample.data[:SNIFF_BYTES])

    assert sample.found is not None
    assert sample.found[0] == mime


@pytest.mark.parametrize(
    ("name", "video_codec", "audio_codec"),
    [
        ("index_last.mp4", "h264", "aac"),
        ("silent.mp4", "h264", None),
        ("hevc.mp4", "hevc", "aac"),
    ],
)
def test_a_video_tells_its_codecs(name: str, video_codec: str, audio_codec: str | None) -> None:
    found = probed(samples()[name].data)

    assert (video_codec, audio_codec, 30.0) == (found.video_codec, found.audio_codec, found.fps)


@pytest.mark.parametrize(
    ("name", "index_first"),
    [("index_last.mp4", False), ("index_first.mp4", True), ("fragmented.mp4", True)],
)
def test_a_video_tells_whether_its_index_comes_first(name: str, index_first: bool) -> None:  # noqa: FBT001
    found = probed(samples()[name].data)

    assert index_first == found.index_first


def test_a_video_that_a_phone_trimmed_by_an_edit_list_is_as_long_as_it_plays() -> None:
    video = samples()["index_last.mp4"].data
    at = video.index(b"elst") + 12
    trimmed = video[:at] + (2_500).to_bytes(4) + video[at + 4 :]

    found = probed(trimmed)

    assert found.duration_s == 2.5
    assert found.has_edits


@pytest.mark.parametrize(
    ("major", "compatible", "expected"),
    [
        (b"isom", b"isomiso2avc1mp41", MediaType.MP4),
        (b"mp42", b"mp42isom", MediaType.MP4),
        (b"XAVC", b"XAVCmp42", MediaType.MP4),
        (b"zzzz", b"zzzzisom", MediaType.MP4),
        (b"qt  ", b"qt  ", MediaType.MOV),
        (b"zzzz", b"zzzzyyyy", None),
        (b"heic", b"heicisom", None),
        (b"M4A ", b"M4A mp42isom", None),
        (b"crx ", b"crx isom", None),
    ],
)
def test_the_major_brand_decides_what_may_claim_to_be_a_video(
    major: bytes, compatible: bytes, expected: MediaType | None
) -> None:
    head = box(b"ftyp", major, bytes(4), compatible)

    assert expected == sniff(head)


def test_markup_dressed_as_a_video_is_refused() -> None:
    """A browser would run it; the first box would have to be a gigabyte long."""
    page = b"<htmftypisom<script>alert(1)</script>"

    assert sniff(page) is None
