"""Whether the public address leads to this service, with a certificate that browsers accept.

Platforms send people back to it and fetch files from it. It is asked from this machine: a network
that does not lead its own public address back inside is told from one that does not answer at all
only by somebody outside, so what does not answer is a warning.
"""

import json
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from chalicelib.doctor.examination import Finding, fine, warning, wrong
from chalicelib.domain.clock import Clock

SUBJECT = "public address"
SOON = timedelta(days=14)
_PATIENCE_S = 5.0
_LARGEST_ANSWER = 10_000
_OK = 200


class AddressChecks:
    """The look at GOLDENHOUR_PUBLIC_URL from this machine."""

    def __init__(self, url: str, clock: Clock, context: ssl.SSLContext | None = None) -> None:
        """Trust what this machine trusts, unless a context says otherwise."""
        self._url = url.rstrip("/")
        self._clock = clock
        self._context = context or ssl.create_default_context()

    def run(self) -> Iterator[Finding]:
        """Ask for the service's health there, and look at the certificate."""
        address = urlsplit(self._url)
        if not address.hostname:
            advice = "Set GOLDENHOUR_PUBLIC_URL to an address such as https://post.example."
            yield wrong(SUBJECT, f"{self._url} is no address.", advice)
            return
        connection = self._connection(address.scheme, address.hostname, address.port)
        try:
            connection.request("GET", f"{address.path}/v1/health")
            ends_at = _certificate_ends(connection)
            yield self._answered(connection.getresponse())
        except ssl.SSLError as error:
            yield wrong(SUBJECT, f"Its certificate is refused: {error.reason}.", _TLS)
        except (OSError, HTTPException) as error:
            message = f"{self._url} did not answer from this machine ({type(error).__name__})."
            yield warning(SUBJECT, message, _UNREACHED)
        else:
            yield from self._certificate(ends_at)
        finally:
            connection.close()

    def _connection(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "https":
            return HTTPSConnection(host, port, timeout=_PATIENCE_S, context=self._context)
        return HTTPConnection(host, port, timeout=_PATIENCE_S)

    def _answered(self, answer: HTTPResponse) -> Finding:
        try:
            is_ours = json.loads(answer.read(_LARGEST_ANSWER)) == {"ok": True}
        except ValueError:
            is_ours = False
        if answer.status == _OK and is_ours:
            return fine(SUBJECT, f"{self._url} leads here")
        message = f"{self._url}/v1/health answers {answer.status}, but not as this service does."
        return wrong(SUBJECT, message, "Let the proxy there hand every path on to this service.")

    def _certificate(self, ends_at: datetime | None) -> Iterator[Finding]:
        if ends_at is not None and ends_at - self._clock() < SOON:
            message = f"Its certificate ends on {ends_at:%Y-%m-%d}."
            yield warning(SUBJECT, message, "See in the proxy's log why it is not renewed.")


_TLS = "Let Caddy get one: the name must lead to this machine, and ports 80 and 443 be open."
_UNREACHED = "Open it from another network; if that fails too, look at DNS, firewall and proxy."


def _certificate_ends(connection: HTTPConnection) -> datetime | None:
    if not isinstance(connection.sock, ssl.SSLSocket):
        return None
    ends_at = (connection.sock.getpeercert() or {}).get("notAfter")
    if not isinstance(ends_at, str):
        return None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(ends_at), UTC)
