"""Answers as others collected them, byte by byte: read as HTTP says, or a doubt; never a crash.

From where each comes stands beside it: llhttp's test/response, h11's tests, curl's tests/data (by
number) and the RFCs. None of them is followed by another request, and no log line has an address.
"""

import gzip
import logging
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest

from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.shared.calls.echo import SECRET, a_call, an_http
from tests.connectors.support.raw_host import End, RawHost, a_raw_host

BODY = b'{"id": "7"}'
OK = b"HTTP/1.1 200 OK\r\n"
SIZED = b"Content-Length: 11\r\n\r\n" + BODY
WHOLE = OK + SIZED
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
_RAW = zlib.compressobj(wbits=-15)
DEFLATED = _RAW.compress(BODY) + _RAW.flush()


def _coded(name: bytes, body: bytes) -> bytes:
    return OK + b"Content-Encoding: " + name + b"\r\n\r\n" + body


READ = {
    "103 before it (llhttp, HTTP 103 first)": b"HTTP/1.1 103 Early Hints\r\n"
    b"Link: </a>; rel=preload\r\n\r\n" + WHOLE,
    "100 and two 102 before it (RFC 9110, 15.2)": b"HTTP/1.1 100 Continue\r\n\r\n"
    + b"HTTP/1.1 102 Processing\r\n\r\n" * 2
    + WHOLE,
    "no reason (llhttp)": b"HTTP/1.1 200\r\n" + SIZED,
    "not ASCII in the first line (llhttp)": b"HTTP/1.1 200 \xe4\xf6\r\n" + SIZED,
    "HTTP/1.0 (h11, reading HTTP/1.0)": b"HTTP/1.0 200 OK\r\nSome: header\r\n\r\n" + BODY,
    "a minor version of 100 digits (curl 1433)": b"HTTP/1." + b"1" * 100 + b" 200 OK\r\n" + SIZED,
    "line feeds alone (h11)": b"HTTP/1.1 200 OK\nA: b\n\n" + BODY,
    "a folded first header (curl 1473)": OK + b" Access: none\r\n" + SIZED,
    "a folded header (RFC 9112, 5.2)": OK + b"A: b\r\n\tc\r\n" + SIZED,
    "a header without a colon (curl 398)": OK + b"Server test-server\r\n" + SIZED,
    "an underscore in a name (llhttp)": OK + b"a_b: c\r\n" + SIZED,
    "tabs around a length (llhttp)": OK + b"Content-Length:\t11\t\r\n\r\n" + BODY,
    "the same length twice (RFC 9112, 6.3)": OK + b"Content-Length: 11\r\n" + SIZED,
    "no length (llhttp)": OK + b"\r\n" + BODY,
    "a length of 5,000 digits": OK + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n" + BODY,
    "more than its length": WHOLE + b"HTTP/1.1 500 No\r\n\r\n",
    "a space behind a chunk's size (llhttp)": CHUNKED + b"b  \r\n" + BODY + b"\r\n0  \r\n\r\n",
    "extensions and trailers (llhttp)": CHUNKED
    + b'b;a="b;c"\r\n'
    + BODY
    + b"\r\n0\r\nA: b\r\n\r\n",
    "both of length and chunks (RFC 9112, 6.3)": OK
    + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n"
    + BODY
    + b"\r\n0\r\n\r\n",
    "an Upgrade that nobody asked for (llhttp)": OK + b"Upgrade: h2c\r\n" + SIZED,
    "gzip that nobody asked for (curl 220)": _coded(b"gzip", gzip.compress(BODY)),
    "deflate without its head (curl 223)": _coded(b"deflate", DEFLATED),
    "UTF-16 with its mark": OK + b"\r\n" + BODY.decode().encode("utf-16"),
    "UTF-8 with a mark": OK + b"\r\n\xef\xbb\xbf" + BODY,
    "JSON that says to be a page": OK + b"Content-Type: text/html\r\n" + SIZED,
    "a key twice (JSONTestSuite, object_same_key)": OK + b'\r\n{"id": "6", "id": "7"}',
}

DOUBTED = {
    "HTTP/0.9 (curl 1164)": BODY,
    "zeroes (curl 1164)": b"\0" * 4_096,
    "RTSP (llhttp)": b"RTSP/1.1 200 OK\r\n" + SIZED,
    "HTTP/2's first bytes": b"\0\0\x12\4\0\0\0\0\0\0\3\0\0\0\x64",
    "a status of one digit (curl 1431)": b"HTTP/1.1 2 OK\r\n" + SIZED,
    "a negative status (curl 1430)": b"HTTP/1.1 -234 OK\r\n" + SIZED,
    "a status of 100 digits (curl 1432)": b"HTTP/1.1 " + b"2" * 100 + b" OK\r\n" + SIZED,
    "nothing (RFC 9112, 9.3.1)": b"",
    "half a head": OK + b"Content-Le",
    "103 and no more": b"HTTP/1.1 103 Early Hints\r\n\r\n",
    "another protocol (llhttp, HTTP 101)": b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n" + SIZED,
    "a head of 100 KB": OK + b"A: " + b"b" * 100_000 + b"\r\n" + SIZED,
    "2,000 headers": OK + b"A: b\r\n" * 2_000 + SIZED,
    "two lengths (RFC 9112, 6.3)": OK + b"Content-Length: 3\r\n" + SIZED,
    "less than its length": OK + b"Content-Length: 12\r\n\r\n" + BODY,
    "a chunk's size that is none": CHUNKED + b"bread\r\n" + BODY,
    "a chunk's negative size": CHUNKED + b"-b\r\n" + BODY + b"\r\n0\r\n\r\n",
    "chunks without an end": CHUNKED + b"b\r\n" + BODY + b"\r\n",
    "204 with a body (RFC 9110, 15.3.5)": b"HTTP/1.1 204 No Content\r\n" + SIZED,
    "200 without a body": OK + b"Content-Length: 0\r\n\r\n",
    "gzip with a broken head (curl 221)": _coded(b"gzip", b"\x1f\x8b\x08\xff" + BODY),
    "gzip that is none": _coded(b"gzip", BODY),
    "half of gzip": _coded(b"gzip", gzip.compress(BODY)[:20]),
    "a thousand codings": _coded(b"gzip, " * 999 + b"gzip", BODY),
    "a coding that nobody has": _coded(b"zstd", b"\x28\xb5\x2f\xfd\x04\x00" + BODY),
    "gzip of 50 MB": _coded(b"gzip", gzip.compress(bytes(50_000_000), 1)),
    "latin-1 (JSONTestSuite, i_string_iso_latin_1)": OK + b'\r\n{"id": "7", "a": "\xe9"}',
    "half a pair (JSONTestSuite, UTF8_surrogate_U+D800)": OK + b'\r\n{"id": "\xed\xa0\x80"}',
    "an id in half a pair (lone_second_surrogate)": OK + b'\r\n{"id": "\\uDFAA"}',
    "an id with a zero (y_string_null_escape)": OK + b'\r\n{"id": "7\\u0000"}',
    "an id of 3,000 digits": OK + b'\r\n{"id": ' + b"7" * 3_000 + b"}",
    "an id of 5,000 digits (i_number)": OK + b'\r\n{"id": ' + b"7" * 5_000 + b"}",
    "an endless id (i_number_double_huge_neg_exp)": OK + b'\r\n{"id": 1e999}',
    "100,000 lists (n_structure_100000_opening_arrays)": OK + b"\r\n" + b"[" * 100_000,
    "a page": OK + b"Content-Type: text/html\r\n\r\n<!DOCTYPE html><p>Welcome",
    "an error with 200": OK + b'\r\n{"error": {"code": 999, "message": "No."}}',
    "302 to nowhere (RFC 3986)": b"HTTP/1.1 302 F\r\nLocation: http://[bread\r\n" + SIZED,
    "307 to a port that is none (curl 1028)": b"HTTP/1.1 307 F\r\nLocation: //a:b/\r\n" + SIZED,
    "308 in latin-1": b"HTTP/1.1 308 F\r\nLocation: /\xe4\xff\r\n" + SIZED,
    "301 to loopback": b"HTTP/1.1 301 F\r\nLocation: http://127.0.0.1:9/\r\n" + SIZED,
    "303 to itself": b"HTTP/1.1 303 F\r\nLocation: /\r\n" + SIZED,
}


@pytest.fixture(scope="module")
def http() -> PlatformHttp:
    return an_http()


@pytest.fixture
def host() -> Iterator[RawHost]:
    with a_raw_host() as running:
        yield running


def _id(http: PlatformHttp, host: RawHost) -> str:
    call = a_call(f"{host.url}/posts", params={"access_token": SECRET}, body=JsonBody({"a": "b"}))
    return http.send(call).identifier("id")


@pytest.mark.parametrize("end", [End.CLOSE, End.HALF])
@pytest.mark.parametrize("name", READ)
def test_it_is_read(
    http: PlatformHttp,
    host: RawHost,
    name: str,
    end: End,
    caplog: pytest.LogCaptureFixture,
) -> None:
    host.says, host.end = [READ[name]], end

    with caplog.at_level(logging.DEBUG):
        assert _id(http, host) == "7"

    assert len(host.asked) == 1
    assert SECRET not in caplog.text


@pytest.mark.parametrize("end", [End.CLOSE, End.RESET])
@pytest.mark.parametrize("name", DOUBTED)
def test_it_leaves_a_doubt(
    http: PlatformHttp,
    host: RawHost,
    name: str,
    end: End,
    caplog: pytest.LogCaptureFixture,
) -> None:
    host.says, host.end = [DOUBTED[name]], end

    with caplog.at_level(logging.DEBUG), pytest.raises(UnansweredError):
        _id(http, host)

    assert len(host.asked) == 1
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\n\r\n",
        OK + b"\r\n",
        CHUNKED + b"-1\r\n",
        CHUNKED + b"1;",
        OK + b"A: ",
    ],
    ids=["a redirect", "a body", "a chunk without a size", "a chunk's extension", "a header"],
)
def test_it_takes_no_more_memory_than_an_answer_may(
    http: PlatformHttp, host: RawHost, said: bytes
) -> None:
    host.says = [said + bytes(60_000_000)]
    tracemalloc.start()

    with pytest.raises(UnansweredError):
        _id(http, host)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16_000_000
