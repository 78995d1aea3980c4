"""Files sent, and fetched, as slowly as is allowed. Who: two trial keys; or phones on bad lines.

Six uploads at 20 KB/s kept every other upload out for hours, 24 readers at 26 KB/s every platform.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest
import requests

from tests.attacks.service import PATIENCE_S, Neighbour, Service, Tenant
from tests.attacks.sockets import crowd, send_all
from tests.support.sample_media import samples

pytestmark = pytest.mark.costly

VIDEO = samples()["three_minutes.mp4"].data
_LARGE = VIDEO + (12_000_008).to_bytes(4) + b"free" + bytes(12_000_000)
_FORM = "multipart/form-data; boundary=x"
_PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="v.mp4"\r\n\r\n'


def _upload_head(tenant: Tenant) -> bytes:
    lines = (
        "POST /v1/media HTTP/1.1",
        "Host: a",
        f"Authorization: Bearer {tenant.key}",
        f"Content-Type: {_FORM}",
        "Content-Length: 900000000",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + _PART + VIDEO[:4_096]


@contextmanager
def _going_on(act: Callable[[], object], every_s: float) -> Iterator[None]:
    """Do something again and again, until the block ends."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(every_s):
            with suppress(OSError):
                act()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_uploads_that_crawl_make_room_for_others(service: Service, eve: Tenant) -> None:
    mallory, neighbour = service.tenant("trial"), service.tenant("studio", "linkedin", "instagram")
    large = Neighbour(neighbour, ("request", "upload", "post"))
    with large.beside() as seen, crowd(service.address, 6) as clients:
        for client, tenant in zip(clients, (eve, mallory) * 3, strict=True):
            client.sendall(_upload_head(tenant))
        with _going_on(lambda: send_all(clients, bytes(20_000)), 1):
            time.sleep(6)
            seen.beside = large.measured()
            began = time.monotonic()
            neighbour.uploaded("large.mp4", _LARGE)
            assert time.monotonic() - began < 5

    assert seen.is_well_served, seen


def test_a_crawling_upload_is_taken_while_nobody_waits(service: Service, eve: Tenant) -> None:
    """Forty kilobytes a second, from a train."""
    body = _PART + VIDEO + b"\r\n--x--\r\n"

    def crawling() -> Iterator[bytes]:
        for start in range(0, len(body), 20_000):
            yield body[start : start + 20_000]
            time.sleep(0.5)

    headers = {**eve.headers, "Content-Type": _FORM}
    url = f"{service.url}/v1/media"
    answer = requests.post(url, data=crawling(), headers=headers, timeout=PATIENCE_S)

    assert answer.status_code == 201


def _slow_reader(service: Service, path: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    client.connect(service.address)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return client


def _address_of(tenant: Tenant, media_id: str) -> str:
    answer = tenant.call("GET", f"/v1/media/{media_id}/file", allow_redirects=False)
    parts = urlsplit(answer.headers["Location"])
    return parts.path


def test_slow_readers_leave_room_for_others(service: Service, eve: Tenant) -> None:
    """Of one workspace's files, however many addresses there are."""
    neighbour = service.tenant("studio", "linkedin", "instagram")
    wanted = _address_of(neighbour, neighbour.uploaded())
    heavy = _address_of(eve, eve.uploaded("large.mp4", _LARGE + bytes(12_000_000)))
    readers = [_slow_reader(service, heavy) for _ in range(30)]
    try:
        time.sleep(1)
        began = time.monotonic()

        answer = requests.get(service.url + wanted, timeout=PATIENCE_S)

        assert answer.status_code == 200
        assert time.monotonic() - began < 1
    finally:
        for reader in readers:
            reader.close()
