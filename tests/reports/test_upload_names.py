"""curl on Windows sent a name with an accent: the form was called broken (422)."""

import pytest

from chalicelib.http.upload_form import UploadForm


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (b"caf\xe9.png", "café.png"),
        ("café.png".encode(), "café.png"),
        (b"\x80uro.png", "€uro.png"),
        ("日本.png".encode("shift-jis"), None),
        ("パン.png".encode(), "パン.png"),
    ],
)
def test_a_file_is_taken_whatever_charset_its_name_is_in(sent: bytes, read: str | None) -> None:
    """RFC 7578, 5.1: a sender may use another charset; the file is as good as ever."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + sent + b'"\r\n\r\n'

    form = UploadForm("multipart/form-data; boundary=b")
    data = form.read(body + b"bytes\r\n--b--\r\n")

    name = form.filename
    assert data == b"bytes"
    assert name is not None
    assert name == read or (read is None and name.endswith(".png"))
