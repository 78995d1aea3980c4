"""`serve` behind the two proxies whose configurations it comes with, as Debian has them.

Both are started as an operator's files say, but for ports, certificates and folders of their own.
"""

import hashlib
import http.client
import json
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.local.running_stack import eventually
from tests.support.emulator import PROJECT
from tests.support.free_port import free_port
from tests.support.sample_media import samples

pytestmark = pytest.mark.oracle

FOLDER = PROJECT / "infra" / "server"
HOST = "post.localhost"
HSTS = "max-age=31536000; includeSubDomains"
LARGE = 48 * 1024 * 1024
LIE = "203.0.113.9"
_TOLD_LAST = "203.0.113.10"
PATIENT_S = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where a proxy listens, and where the service behind it does."""

    plain: int
    tls: int
    behind: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a proxy answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> dict[str, object]:
        read: dict[str, object] = json.loads(self.body)
        return read


@dataclass(frozen=True, slots=True)
class Site:
    """A service behind a proxy, as a browser on this machine sees it."""

    ports: Ports
    key: str
    log: Path
    stop_service: Callable[[], None]

    @property
    def address(self) -> str:
        return f"https://{HOST}:{self.ports.tls}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        line = http.client.HTTPSConnection(HOST, self.ports.tls, timeout=PATIENT_S)
        line.sock = _secured(self.ports.tls, ["http/1.1"])
        try:
            line.request(
                method, path, body, {"Authorization": f"Bearer {self.key}", **(headers or {})}
            )
            got = line.getresponse()
            return Answer(got.status, got.headers, got.read())
        finally:
            line.close()

    def post(self, path: str, body: object) -> Answer:
        return self.ask("POST", path, json.dumps(body).encode())


def _secured(port: int, protocols: list[str]) -> ssl.SSLSocket:
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    trust.set_alpn_protocols(protocols)
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENT_S)
    return trust.wrap_socket(plain, server_hostname=HOST)


def _caddy(folder: Path, ports: Ports) -> tuple[list[str], dict[str, str]]:
    own = f"\thttp_port {ports.plain}\n\thttps_port {ports.tls}\n\tadmin off\n"
    own += f"\tskip_install_trust\n\tlocal_certs\n\tstorage file_system {folder}\n"
    written = (FOLDER / "Caddyfile").read_text("utf-8")
    config = folder / "Caddyfile"
    config.write_text(written.replace("{\n", "{\n" + own, 1), "utf-8")
    named = {"DOMAIN": HOST, "UPSTREAM": f"127.0.0.1:{ports.behind}", "HOME": str(folder)}
    return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"], named


def _nginx(folder: Path, ports: Ports) -> tuple[list[str], dict[str, str]]:
    _certify(folder)
    site = (FOLDER / "nginx.conf").read_text("utf-8")
    for theirs, own in (
        ("https://post.example", f"https://post.example:{ports.tls}"),
        ("/etc/letsencrypt/live/post.example", str(folder)),
        ("post.example", HOST),
        ("127.0.0.1:8000", f"127.0.0.1:{ports.behind}"),
        ("listen 80;", f"listen 127.0.0.1:{ports.plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{ports.tls} "),
    ):
        assert theirs in site
        site = site.replace(theirs, own)
    kept = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\n"
        f"worker_processes 1;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{site}\n}}\n",
        "utf-8",
    )
    return ["nginx", "-c", str(config), "-p", str(folder), "-e", f"{folder}/errors"], {}


def _certify(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(pem))
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "privkey.pem").write_bytes(private)


PROXIES = {"caddy": _caddy, "nginx": _nginx}


@contextmanager
def _running(
    words: list[str], variables: Mapping[str, str], log: Path
) -> Iterator["subprocess.Popen[bytes]"]:
    inherited = {name: text for name, text in os.environ.items() if "GOLDENHOUR" not in name}
    with log.open("wb") as out:
        process = subprocess.Popen(
            words, cwd=PROJECT, env={**inherited, **variables}, stdout=out, stderr=out
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=PATIENT_S)


@pytest.fixture(scope="module", params=PROXIES)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Return a service behind each proxy; skipped, and saying so, where the proxy is not here."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not here (apt-get install {request.param})")
    folder = tmp_path_factory.mktemp(request.param)
    ports = Ports(plain=free_port(), tls=free_port(), behind=free_port())
    words, variables = PROXIES[request.param](folder, ports)
    settings = {
        "GOLDENHOUR_DATA_DIR": str(folder / "data"),
        "GOLDENHOUR_PORT": str(ports.behind),
        "GOLDENHOUR_PUBLIC_URL": f"https://{HOST}:{ports.tls}",
    }
    serve = [sys.executable, "-m", "chalicelib", "serve", "--demo"]
    log = folder / "service.log"
    with (
        _running(serve, settings, log) as service,
        _running(words, variables, folder / "proxy.log") as proxy,
    ):

        def stop() -> None:
            service.terminate()
            service.wait(timeout=PATIENT_S)

        def starts() -> bool:
            assert proxy.poll() is None, (folder / "proxy.log").read_text()
            assert service.poll() is None, log.read_text()
            health = f"http://127.0.0.1:{ports.behind}/v1/health"
            if requests.get(health, timeout=PATIENT_S).status_code != 200:
                return False
            _secured(ports.tls, ["http/1.1"]).close()
            return True

        eventually(starts, within_s=PATIENT_S)
        note = eventually(
            lambda: json.loads((folder / "data" / "demo.json").read_text()), within_s=PATIENT_S
        )
        yield Site(ports, note["api_key"], log, stop)


def _large_video() -> bytes:
    """Return a video of many megabytes: what a small one shows, and a box of nothing."""
    small = samples()["index_last.mp4"].data
    return small + struct.pack(">I4s", LARGE, b"free") + bytes(LARGE - 8)


def _is_ready(site: Site, media_id: object) -> bool:
    """Tell whether a file that was sent is the workspace's: the storage's event makes it so."""
    return site.ask("GET", f"/v1/media/uploads/{media_id}").json()["state"] == "ready"


def test_a_large_file_comes_through_both_ways_whole(site: Site) -> None:
    video = _large_video()
    begun = site.post(
        "/v1/media/uploads", {"filename": "bread.mp4", "size_bytes": len(video)}
    ).json()
    upload = urlsplit(str(begun["url"]))

    sent = site.ask(
        str(begun.get("method", "PUT")),
        f"{upload.path}?{upload.query}",
        video,
        {str(k): str(v) for k, v in dict(begun.get("headers") or {}).items()},  # type: ignore[call-overload]
    )
    assert sent.status in {200, 204}
    eventually(lambda: _is_ready(site, begun["media_id"]), within_s=PATIENT_S)
    found = site.ask("GET", f"/v1/media/{begun['media_id']}/file")
    place = urlsplit(found.headers["Location"])
    back = site.ask("GET", f"{place.path}?{place.query}")

    assert f"{upload.scheme}://{upload.netloc}" == site.address
    assert f"{place.scheme}://{place.netloc}" == site.address
    assert hashlib.sha256(video).digest() == hashlib.sha256(back.body).digest()


def test_a_file_beyond_what_is_taken_is_refused_by_its_head_in_the_services_words(
    site: Site,
) -> None:
    """The proxy compares the size with its own before the service sees the request."""
    line = http.client.HTTPSConnection(HOST, site.ports.tls, timeout=PATIENT_S)
    line.sock = _secured(site.ports.tls, ["http/1.1"])
    line.putrequest("POST", "/v1/media")
    line.putheader("Authorization", f"Bearer {site.key}")
    line.putheader("Content-Type", "multipart/form-data; boundary=loaf")
    line.putheader("Content-Length", str(2 * 1024**3))
    line.endheaders()
    refused = line.getresponse()
    body = json.loads(refused.read())
    line.close()

    assert (413, [HSTS]) == (refused.status, refused.headers.get_all("Strict-Transport-Security"))
    assert "application/json" == refused.headers.get_content_type()
    assert {"error": {"code": "file_too_large", "message": "The file is larger than 1 GB."}} == body


def test_links_lead_to_the_public_address_whatever_a_client_says(site: Site) -> None:
    lies = {"X-Forwarded-For": LIE, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}

    refused = site.ask("GET", "/v1/posts/0", headers=lies)

    assert 404 == refused.status
    assert f"<{site.address}/v1/docs/errors#" in refused.headers["Link"]


def test_the_service_knows_who_asks_and_not_what_they_claim(site: Site) -> None:
    lies = {"X-Forwarded-For": LIE, "X-Request-Id": "who-asks-here.1"}

    site.ask("GET", "/v1/me", headers=lies)

    (line,) = eventually(
        lambda: [each for each in site.log.read_text().splitlines() if "who-asks-here.1" in each]
    )
    assert "127.0.0.1" == json.loads(line)["client"]


HIDDEN = f"GET /v1/me HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: {LIE}\r\n\r\n"
_CHUNKED = "Transfer-Encoding: chunked"
_LENGTH = f"Content-Length: {5 + len(HIDDEN)}"
SPELLED = [
    *(f"{_LENGTH}\r\n{line}" for line in (_CHUNKED, "Content-Length: 5", "Content-Length : 5")),
    *(f"{line}\r\n{_LENGTH}" for line in (_CHUNKED, "Content-Length: 5", "Content_Length: 5")),
    *(f"{_LENGTH}{end}" for end in (", 5", ";", "_0", "\x0b", "\x00", "\r", "\r\n 5")),
    *(f"Content-Length: {sign}5" for sign in ("+", "-", "0x", "0_", "5,", "\r\n ")),
    *(f"Transfer-Encoding{sign}chunked" for sign in (" : ", ": \x0b", ":\r\n ", ": x", ": ,")),
    *(f"{_CHUNKED}{end}" for end in ("\x00", "\r", ";a=b", ", identity", f"\r\n{_CHUNKED}")),
]
"""A body's lengths: by one reading it ends before the hidden request, by another after it."""
CHUNKS = [
    *(f"{size}\r\n\r\n" for size in ("0x0", "+0", "-0", "0_0", "", " 0", "0\x00", "f" * 16 + "0")),
    *("0\n\r\n", "0\r\n\n", "0\r\n\r", "0;\n\r\n\r\n", "0\r\nA\r\n\r\n", "0\r\nA: b\n\n"),
    *("1\nx\n0\n\n", "1\r\nx0\r\n\r\n", "1\r\nxYY0\r\n\r\n", f"0;{'a' * 20_000}\r\n\r\n"),
]


def _send_raw(line: socket.socket, message: str) -> None:
    """Send bytes, and read answers until there is none for a moment."""
    line.settimeout(0.3)
    with suppress(OSError):
        line.sendall(message.encode("latin-1"))
        while line.recv(65_536):
            pass
    line.close()


def test_no_request_goes_in_hidden_in_another(site: Site) -> None:
    """What a proxy takes for a body and the service for a request says by itself who asks.

    These are ways of the HTTP Garden's (github.com/narfindustries/http-garden, TROPHIES.md).
    """

    def who_asked() -> set[str]:
        return {str(json.loads(line).get("client")) for line in site.log.read_text().splitlines()}

    head = f"POST /v1/labels HTTP/1.1\r\nHost: {HOST}\r\n"
    messages = [f"{head}{spelled}\r\n\r\n0\r\n\r\n{HIDDEN}" for spelled in SPELLED]
    messages += [f"{head}{_CHUNKED}\r\n\r\n{chunk}{HIDDEN}" for chunk in CHUNKS]
    for message in messages:
        _send_raw(_secured(site.ports.tls, ["http/1.1"]), message)
    past_the_proxy = HIDDEN.replace(LIE, _TOLD_LAST)
    _send_raw(socket.create_connection(("127.0.0.1", site.ports.behind)), past_the_proxy)

    assert eventually(lambda: _TOLD_LAST in who_asked())
    assert LIE not in who_asked()


@pytest.mark.parametrize("path", ["/v1/health", "/v1/posts/0", "/app", "/nowhere"])
def test_every_answer_has_the_header_for_https_once(site: Site, path: str) -> None:
    assert [HSTS] == site.ask("GET", path).headers.get_all("Strict-Transport-Security")


def test_plain_http_leads_to_the_same_page_by_https(site: Site) -> None:
    line = http.client.HTTPConnection("127.0.0.1", site.ports.plain, timeout=PATIENT_S)
    line.request("GET", "/v1/posts?limit=1", headers={"Host": HOST})
    led = line.getresponse()
    line.close()

    assert 308 == led.status
    place = urlsplit(led.headers["Location"])
    assert ("https", HOST, "/v1/posts", "limit=1") == (
        place.scheme,
        place.hostname,
        place.path,
        place.query,
    )


def test_browsers_are_offered_http_2(site: Site) -> None:
    line = _secured(site.ports.tls, ["h2", "http/1.1"])

    assert "h2" == line.selected_alpn_protocol()
    line.close()


def test_a_service_that_is_down_is_told_at_once(site: Site) -> None:
    """The last of these: it stops the service."""
    site.stop_service()

    answer = site.ask("GET", "/v1/health")

    assert 502 == answer.status
