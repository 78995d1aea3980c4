"""E-mail by SMTP (RFC 5321), as `GOLDENHOUR_SMTP_URL` says: `smtps://name:password@host`.

`smtp://` upgrades to TLS where the server offers it (STARTTLS), and gives no password without it
to another machine. `?from=posts@example.com` is the sender.

A letter has its date (RFC 5322, 3.6) and its Message-ID, without which Gmail refuses it: Postfix
adds none to what it passes on.
"""

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import parse_qs, unquote, urlsplit

from chalicelib.domain.workspace.notices import Letter, NotMailed, is_address

_PATIENCE_S = 15
_SUBMISSION_PORT = 587
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class WrongMailAddress(Exception):
    """GOLDENHOUR_SMTP_URL is no address of a mail server; the message says what is wrong."""


class SmtpMailer:
    """A mail server that takes letters."""

    def __init__(self, url: str) -> None:
        """Read the server's address. Raises WrongMailAddress."""
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise WrongMailAddress("GOLDENHOUR_SMTP_URL must look like smtps://name:password@host.")
        self._is_tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or (smtplib.SMTP_SSL_PORT if self._is_tls else _SUBMISSION_PORT)
        self._name, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        named = parse_qs(parts.query).get("from", [self._name])[0]
        self._sender = named if is_address(named) else f"goldenhour@{self._host}"

    def send(self, letter: Letter) -> None:
        """Hand a letter over. Raises NotMailed."""
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = letter.to
        message["Subject"] = " ".join(letter.subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        try:
            with self._open() as server:
                if self._name:
                    server.login(self._name, self._password)
                server.send_message(message)
        except (OSError, smtplib.SMTPException) as failure:
            name = type(failure).__name__
            raise NotMailed(f"{self._host} did not take it ({name}).") from failure

    def _open(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._is_tls:
            return smtplib.SMTP_SSL(self._host, self._port, timeout=_PATIENCE_S, context=context)
        server = smtplib.SMTP(self._host, self._port, timeout=_PATIENCE_S)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        elif self._name and self._host not in _LOOPBACK:
            server.close()
            raise smtplib.SMTPNotSupportedError("no TLS, so no password")
        return server
