"""A file that is not taken is named, and how to convert it is said."""

import pytest

from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.types import refusal_sentence

HEADS = {
    "HEIC": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
    "AVIF": b"\0\0\0\x18ftypavif\0\0\0\0mif1avif",
    "GIF": b"GIF89a\x01\0\x01\0",
    "WebM": b"\x1a\x45\xdf\xa3\x9fB\x86\x81",
    "AVI": b"RIFF\0\0\0\0AVI LIST",
    "TIFF": b"II*\0\x08\0\0\0",
    "PDF": b"%PDF-1.7",
}


@pytest.mark.parametrize(("name", "head"), HEADS.items(), ids=HEADS.keys())
def test_a_file_that_is_not_taken_is_named(name: str, head: bytes) -> None:
    data = head.ljust(64, b"\0")

    with pytest.raises(UnsupportedMedia) as refusal:
        probe(lambda offset, length: data[offset : offset + length], len(data))

    assert f"This is a{'n' if name[0] == 'A' else ''} {name}" in refusal.value.message


def test_what_nobody_knows_is_not_named() -> None:
    assert refusal_sentence(b"nothing known") is None
