"""E-mail by SMTP (RFC 5321), as `GOLDENHOUR_SMTP_URL` says: `smtps://name:password@host`.

`smtp://` upgrades to TLS where the server offers it (STARTTLS), and sends no password without it to
another machine. `?from=posts@example.com` is the sender.

An e-mail has its date (RFC 5322, 3.6) and its Message-ID, without which Gmail refuses it: Postfix
adds none to e-mail that it relays.
"""

import smtplib
import socket
import ssl
from base64 import b64encode
from datetime import timedelta
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import parse_qs, unquote, urlsplit

from chalicelib.connectors.shared.mail_subjects import SpacedSubjects
from chalicelib.domain.workspace.notices import (
    AN_HOUR,
    Letter,
    NotMailed,
    is_address,
    with_ascii_domain,
)

_PATIENCE_S = 15.0
_TAKES_S = 600.0
"""RFC 5321, 4.5.3.2.6: a server that looks through a letter may take ten minutes to say that it has
it. Whoever gives up before sends it twice (RFC 1047)."""
_SUBMISSION_PORT = 587
_FINAL = 500
_SIGNED_IN = 235
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class WrongMailAddress(Exception):
    """GOLDENHOUR_SMTP_URL is no address of a mail server; the message says what is wrong."""


class SmtpMailer:
    """Sends e-mail by a mail server."""

    def __init__(self, url: str, *, patience_s: float = _PATIENCE_S) -> None:
        """Read the server's address; it is waited for so long to begin with.

        Raises WrongMailAddress.
        """
        self._patience_s = patience_s
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise WrongMailAddress("GOLDENHOUR_SMTP_URL must look like smtps://name:password@host.")
        self._is_tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or (smtplib.SMTP_SSL_PORT if self._is_tls else _SUBMISSION_PORT)
        self._name, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        named = parse_qs(parts.query.replace("+", "%2B")).get("from", [self._name])[0]
        own = named if is_address(named) else f"goldenhour@{_domain_of(self._host)}"
        self._sender = with_ascii_domain(own)

    def send(self, letter: Letter) -> None:
        """Send an e-mail. Raises NotMailed, never for one that was accepted."""
        is_taken = False
        try:
            with self._open() as server:
                if self._name:
                    self._sign_in(server)
                _wait_at_most(server, _TAKES_S)
                server.send_message(self._message(letter))
                is_taken = True
                _wait_at_most(server, self._patience_s)
        except (OSError, ValueError, smtplib.SMTPException) as failure:
            if is_taken:
                return  # QUIT may be answered 421 (RFC 5321, 3.8)
            raise self._not_mailed(failure) from failure

    def _not_mailed(self, failure: Exception) -> NotMailed:
        """Say what a server answered, and how long it is let alone: 5xx is final, 4xx is not.

        RFC 5321, 4.2.1. Greylisting answers 4xx and wants to be asked again soon.
        """
        code = _code_of(failure)
        told = " ".join(filter(None, [type(failure).__name__, str(code or "")]))
        is_final = code >= _FINAL or isinstance(failure, smtplib.SMTPNotSupportedError)
        return NotMailed(
            f"{self._host} did not take it ({told}).",
            AN_HOUR if is_final else timedelta(),
            is_for_all=isinstance(failure, smtplib.SMTPAuthenticationError),
        )

    def _message(self, letter: Letter) -> EmailMessage:
        message = EmailMessage(SpacedSubjects(cte_type="7bit"))
        message["From"] = self._sender
        message["To"] = with_ascii_domain(letter.to)
        message["Subject"] = " ".join(letter.subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        return message

    def _sign_in(self, server: smtplib.SMTP) -> None:
        if (self._name + self._password).isascii():
            server.login(self._name, self._password)
            return
        server.ehlo_or_helo_if_needed()
        said = b64encode(f"\0{self._name}\0{self._password}".encode()).decode()  # RFC 4616
        code, answer = server.docmd("AUTH PLAIN", said)
        if code != _SIGNED_IN:
            raise smtplib.SMTPAuthenticationError(code, answer)

    def _open(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._is_tls:
            return smtplib.SMTP_SSL(
                self._host, self._port, timeout=self._patience_s, context=context
            )
        server = smtplib.SMTP(self._host, self._port, timeout=self._patience_s)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        elif self._name and self._host not in _LOOPBACK:
            server.close()
            raise smtplib.SMTPNotSupportedError("no TLS, so no password")
        return server


def _code_of(failure: Exception) -> int:
    """Return the code of an answer; 0 where there was none."""
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        return max(code for code, _ in failure.recipients.values())
    return failure.smtp_code if isinstance(failure, smtplib.SMTPResponseException) else 0


def _domain_of(host: str) -> str:
    """Return the domain of a server's own sender: this machine's where its address is none.

    Postfix answers 501 to a sender at an address of numbers.
    """
    is_name = host not in _LOOPBACK and not host.replace(".", "").isdecimal() and ":" not in host
    return host if is_name else socket.getfqdn()


def _wait_at_most(server: smtplib.SMTP, seconds: float) -> None:
    if server.sock is not None:
        server.sock.settimeout(seconds)
