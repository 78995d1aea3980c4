"""Subjects in any language arrive as they were written, whatever reads them."""

import random
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import compat32, default

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.domain.workspace.notices import Letter
from tests.support.mail_server import a_mail_server

WORDS = (
    "Not",
    "posted:",
    "Bäckerei",
    "café",
    "a",
    "ü",
    "морской",
    "焼きたて",
    "🥐",
    "(3)",
    "=?",
    "…",
)
MANY = 300


@pytest.fixture(scope="module")
def mailer() -> SmtpMailer:
    return SmtpMailer("smtp://127.0.0.1:1?from=posts@bakery.example")


def _wire(mailer: SmtpMailer, subject: str) -> bytes:
    """Return a letter as it is sent."""
    message = mailer._message(Letter(to="ada@bakery.example", subject=subject, text="Rye"))
    return message.as_bytes(policy=message.policy.clone(linesep="\r\n"))


def test_a_subject_keeps_its_words_and_spaces(mailer: SmtpMailer) -> None:
    chance = random.Random(92_081)

    for _ in range(MANY):
        subject = " ".join(chance.choices(WORDS, k=chance.randint(1, 30)))
        wire = _wire(mailer, subject)

        now = message_from_bytes(wire, policy=default)["Subject"]
        before = make_header(decode_header(message_from_bytes(wire, policy=compat32)["Subject"]))
        assert (subject, subject) == (str(now), str(before))
        assert max(map(len, wire.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "subject", ["Not posted: Lighthouse Bakery", "=?utf-8?q?Rye?=", "A " * 80 + "loaf", "Ä" * 300]
)
def test_it_arrives_at_a_mail_server_as_it_was_written(subject: str) -> None:
    with a_mail_server() as server:
        SmtpMailer(server.url).send(Letter(to="ada@bakery.example", subject=subject, text="Rye"))

    assert [subject] == [str(letter["Subject"]) for letter in server.letters]
