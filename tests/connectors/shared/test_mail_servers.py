"""What mail servers make of a letter: said by Postfix 3.7.11, Exim 4.96 and OpenSMTPD 6.8."""

import smtplib
from urllib.parse import quote

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.domain.workspace.notices import Letter, NotMailed
from tests.support.mail_server import a_mail_server

LETTER = Letter(to="ada@bakery.example", subject="Not posted: Bäckerei", text="“Brot” für Größe\n")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "192.0.2.7", "[2001:db8::7]"])
def test_a_sender_of_its_own_has_no_address_of_numbers(host: str) -> None:
    """Postfix: 501 5.1.7 Bad sender address syntax, to `goldenhour@127.0.0.1`."""
    sender = SmtpMailer(f"smtp://{host}")._message(LETTER)["From"]

    name, _, domain = sender.partition("@")
    assert name == "goldenhour"
    assert any(sign.isalpha() for sign in domain)
    assert ":" not in domain


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "goldenhour@mail.bakery.example"),
        ("?from=posts@bakery.example", "posts@bakery.example"),
        ("?from=posts%40bakery.example", "posts@bakery.example"),
        ("?from=posts+rye@bakery.example", "posts+rye@bakery.example"),
    ],
)
def test_a_sender_is_the_one_of_the_setting(query: str, expected: str) -> None:
    sender = SmtpMailer(f"smtps://mail.bakery.example{query}")._message(LETTER)["From"]

    assert sender == expected


def test_a_letter_needs_no_server_that_takes_eight_bits() -> None:
    """RFC 6152, 3: only a server that offers 8BITMIME, and was told, is sent others than ASCII."""
    message = SmtpMailer("smtp://mail.bakery.example")._message(LETTER)

    assert message.as_bytes().isascii()
    assert message.get_content() == LETTER.text


@pytest.mark.parametrize(
    ("to", "asked"),
    [
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@GROẞE.Straße.example", "ada@xn--groe-xna.xn--strae-oqa.example"),
        ("o'neil{x}@bakery.example", "o'neil{x}@bakery.example"),
    ],
)
def test_a_domain_is_told_as_dns_has_it(to: str, asked: str) -> None:
    """Exim without SMTPUTF8 was told nothing: smtplib raised SMTPNotSupportedError.

    The labels are those of the package `idna` (UTS #46, nontransitional).
    """
    with a_mail_server() as server:
        sender = server.url.replace("bakery", "bäckerei")
        SmtpMailer(sender).send(Letter(to=to, subject="Rye", text="Rye\n"))

    assert f"RCPT TO:<{asked}>" in server.heard
    assert "MAIL FROM:<posts@xn--bckerei-5wa.example>" in server.heard
    assert [asked] == [letter["To"] for letter in server.letters]


def test_a_mailbox_of_other_letters_is_not_mailed_where_nobody_takes_it() -> None:
    with a_mail_server() as server, pytest.raises(NotMailed, match="SMTPNotSupportedError"):
        SmtpMailer(server.url).send(Letter(to="josé@bakery.example", subject="Rye", text="Rye\n"))


@pytest.mark.parametrize(
    ("password", "said"),
    [("s3cret/@:", "AHBvc3RzAHMzY3JldC9AOg=="), ("pä55 w", "AHBvc3RzAHDDpDU1IHc=")],
)
def test_a_password_is_said_in_any_script(password: str, said: str) -> None:
    """RFC 4616: UTF-8. smtplib's own sign-in raised UnicodeEncodeError."""
    with a_mail_server() as server:
        SmtpMailer(server.url.replace("//", f"//posts:{quote(password, safe='')}@")).send(LETTER)

    assert f"AUTH PLAIN {said}" in server.heard
    assert len(server.letters) == 1


def test_a_server_is_greeted_before_a_password_in_any_script_is_said() -> None:
    """RFC 4954, 4: after EHLO alone. `smtplib.SMTP_SSL` has not sent it, as its `login` does."""
    with a_mail_server() as server, smtplib.SMTP("127.0.0.1", server.port) as opened:
        SmtpMailer("smtps://posts:p%C3%A455@mail.bakery.example")._sign_in(opened)

    assert ["EHLO", "AUTH"] == [said.split()[0] for said in server.heard][:2]


def test_a_host_that_is_no_name_took_nothing() -> None:
    with pytest.raises(NotMailed, match="UnicodeError"):
        SmtpMailer(f"smtp://{'a' * 64}.example").send(LETTER)


def test_what_is_told_of_a_refusal_has_its_code() -> None:
    with a_mail_server() as server:
        server.answers["DATA"] = "554 5.7.1 Message rejected as spam"

        with pytest.raises(NotMailed, match=r"\(SMTPDataError 554\)"):
            SmtpMailer(server.url).send(LETTER)
