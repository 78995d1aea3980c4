"""What `doctor` says of the public address: asked for real, on loopback, with real certificates."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from chalicelib.doctor.examination import Finding, Verdict
from chalicelib.doctor.server_checks import AddressChecks
from tests.support.free_port import free_port

OURS = b'{"ok": true}'


def clock() -> datetime:
    return datetime.now(UTC)


@contextmanager
def answering(body: bytes, context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Answer every path on loopback, by TLS with a context; give the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def certified(folder: Path, *, days: int) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's context with a certificate for loopback, and one that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "post.example")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(clock() - timedelta(days=1))
        .not_valid_after(clock() + timedelta(days=days))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "both.pem").write_bytes(secret + pem)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "both.pem")
    return server, ssl.create_default_context(cadata=pem.decode())


def told(url: str, trusting: ssl.SSLContext | None = None) -> list[Finding]:
    return list(AddressChecks(url, clock, trusting).run())


def test_an_address_that_leads_here_is_fine(tmp_path: Path) -> None:
    server, trusting = certified(tmp_path, days=60)

    with answering(OURS, server) as port:
        found = told(f"https://127.0.0.1:{port}/", trusting)

    assert [each.verdict for each in found] == [Verdict.OK]


def test_a_certificate_that_ends_soon_is_told(tmp_path: Path) -> None:
    server, trusting = certified(tmp_path, days=10)

    with answering(OURS, server) as port:
        found = told(f"https://127.0.0.1:{port}", trusting)

    assert [each.verdict for each in found] == [Verdict.OK, Verdict.WARNING]
    assert "Its certificate ends on" in found[1].message


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_certificate_that_nobody_vouches_for_is_wrong(tmp_path: Path) -> None:
    server, _ = certified(tmp_path, days=60)

    with answering(OURS, server) as port:
        (found,) = told(f"https://127.0.0.1:{port}")

    assert found.verdict is Verdict.WRONG
    assert "Its certificate is refused" in found.message


def test_an_address_that_leads_to_something_else_is_wrong() -> None:
    with answering(b"<h1>Welcome to nginx!</h1>") as port:
        (found,) = told(f"http://127.0.0.1:{port}")

    assert found.verdict is Verdict.WRONG


def test_an_address_that_does_not_answer_is_a_warning() -> None:
    (found,) = told(f"http://127.0.0.1:{free_port()}")

    assert found.verdict is Verdict.WARNING
    assert "did not answer from this machine (ConnectionRefusedError)" in found.message


def test_what_is_no_address_is_wrong() -> None:
    (found,) = told("post.example")

    assert found.verdict is Verdict.WRONG
