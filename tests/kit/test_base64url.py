"""Texts of RFC 4648, chapter 10, without their padding, and what is no such text."""

import pytest

from chalicelib.kit import base64url

OF_THE_RFC = {
    b"": "",
    b"f": "Zg",
    b"fo": "Zm8",
    b"foo": "Zm9v",
    b"foob": "Zm9vYg",
    b"fooba": "Zm9vYmE",
    b"foobar": "Zm9vYmFy",
}


@pytest.mark.parametrize(("raw", "text"), [*OF_THE_RFC.items(), (b"\xfb\xff\xfe", "-__-")])
def test_bytes_become_text_and_come_back(raw: bytes, text: str) -> None:
    assert text == base64url.encode(raw)
    assert raw == base64url.decode(text)


@pytest.mark.parametrize("text", ["Z", "Zg Zg", "Zm9v\n", "Zm9é", "Zm9v!"])
def test_what_is_no_such_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a"):
        base64url.decode(text)
