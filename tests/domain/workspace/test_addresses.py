"""Which texts are e-mail addresses: those that every mailer reads as one and the same mailbox."""

from email.message import EmailMessage
from email.utils import getaddresses

import pytest

from chalicelib.domain.workspace.notices import is_address


@pytest.mark.parametrize(
    "text",
    [
        "ada@bakery.example",
        "ada.b+notices@mail.bakery-1.co.uk",
        "o'neil{x}@bakery.example",
        "ada..b.@bakery.example",
        "müller@bäckerei.example",
        "हिन्दी@हिन्दी.भारत",
    ],
)
def test_an_address_is_one_that_a_letter_goes_to_as_it_stands(text: str) -> None:
    """RFC 5321, 4.1.2 (Dot-string) and RFC 6531, 3.3."""
    message = EmailMessage()
    message["To"] = text

    assert is_address(text)
    assert [address for _, address in getaddresses([message["To"]])] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "bakery",
        "ada@bakery",
        "ada@",
        "@bakery.example",
        "ada @bakery.example",
        "ada@bakery.example\r\nBcc: x@y.example",
        "ada@bakery.example,grace@mill.example",
        "ada@grace@mill.example",
        "ada@bakery..example",
        "ada@-bakery.example",
        '"ada"@bakery.example',
        f"{'a' * 250}@bakery.example",
        "ada\x00@bakery.example",
        "ada\u202e@bakery.example",
        pytest.param("ada@[.b", id="Python's mailer raises AttributeError"),
        pytest.param("ada\ud800@bakery.example", id="Python's mailer raises UnicodeEncodeError"),
        pytest.param("root(x)@bakery.example", id="a comment: Python's mailer writes to root"),
        pytest.param("=?utf-8?q?grace?=@bakery.example", id="Python's mailer writes to grace"),
    ],
)
def test_what_is_no_address_or_another_one_to_a_mailer_is_refused(text: str) -> None:
    """github.com/python/cpython/issues/134155 is what ended every round of letters."""
    assert not is_address(text)
