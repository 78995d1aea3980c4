"""A host with a certificate on loopback, for names that tests make up."""

import http.server
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.connectors.support.fake_platform import Answer


@dataclass(frozen=True, slots=True)
class TlsHost:
    """A running host: its port, the certificate to trust, and the Host headers that arrived.

    `opened` and `closed` count its connections.
    """

    port: int
    certificate: Path
    hosts_asked: list[str]
    opened: threading.Semaphore
    closed: threading.Semaphore


class _QuietServer(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about callers that do not trust the certificate."""


def say_hello(path: str) -> Answer:
    """Answer every path alike."""
    del path
    return Answer(200, b"hello")


@contextmanager
def a_tls_host(
    name: str,
    folder: Path,
    closes_after_s: float | None = None,
    *,
    says: Callable[[str], Answer] = say_hello,
) -> Iterator[TlsHost]:
    """Serve paths over TLS as a name, on a free port; the first connection may be closed unused.

    Only the first: a call over the next one may take longer than that on a busy machine.
    """
    certificate, asked = _certificate(name, folder), list[str]()
    waits = iter([closes_after_s])
    opened, closed = threading.Semaphore(0), threading.Semaphore(0)

    class Handler(http.server.BaseHTTPRequestHandler):
        def setup(self) -> None:
            super().setup()
            self.connection.settimeout(next(waits, None))
            opened.release()

        def finish(self) -> None:
            super().finish()
            self.request.close()
            closed.release()

        def do_GET(self) -> None:
            asked.append(self.headers["Host"])
            answer = says(self.path)
            self.send_response(answer.status)
            for header, text in answer.headers.items():
                self.send_header(header, text)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's
            """Keep quiet."""

    server = _QuietServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield TlsHost(server.server_port, certificate, asked, opened, closed)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _certificate(name: str, folder: Path) -> Path:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file
