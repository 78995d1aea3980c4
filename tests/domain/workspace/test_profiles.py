"""Pictures of accounts: small ones of known kinds."""

import pytest

from chalicelib.domain.workspace.profiles import LARGEST_PICTURE, kind_of_picture

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    "body", [b"<svg onload=alert(1)>", b"<html>", b"", PNG + bytes(LARGEST_PICTURE)]
)
def test_what_is_no_small_picture_is_never_shown(body: bytes) -> None:
    assert kind_of_picture(body) is None
