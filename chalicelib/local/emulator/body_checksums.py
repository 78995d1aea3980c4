# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Lets ministack's S3 check the sums of bodies that are on disk, chunk by chunk."""

import base64
import hashlib
import zlib
from collections.abc import Callable

from ministack.services import s3

from chalicelib.local.emulator.body_file import BodyFile
from chalicelib.local.emulator.ministack_shapes import Body, Headers

_DIGESTS = {"SHA256": hashlib.sha256, "SHA1": hashlib.sha1}

Refusal = object


def install() -> None:
    """Put the wrappers in the place of ministack's own functions."""
    s3.md5_hash = _md5(s3.md5_hash)
    s3._validate_content_md5 = _content_md5(s3._validate_content_md5)
    s3._compute_s3_checksum = _checksum(s3._compute_s3_checksum)


def _md5(md5: Callable[[bytes], str]) -> Callable[[Body], str]:
    return lambda data: data.md5 if isinstance(data, BodyFile) else md5(data)


def _content_md5(
    validate: Callable[[Headers, bytes], Refusal | None],
) -> Callable[[Headers, Body], Refusal | None]:
    def validated(headers: Headers, body: Body) -> Refusal | None:
        if not isinstance(body, BodyFile):
            return validate(headers, body)
        sent = headers.get("content-md5")
        if not sent or sent == base64.b64encode(bytes.fromhex(body.md5)).decode():
            return None
        refusal: Refusal = s3._error(
            "BadDigest", "The Content-MD5 you specified did not match what we received.", 400
        )
        return refusal

    return validated


def _checksum(
    compute: Callable[[str, bytes], str | None],
) -> Callable[[str, Body], str | None]:
    def computed(algorithm: str, body: Body) -> str | None:
        name = (algorithm or "").upper().replace("_", "")
        if not isinstance(body, BodyFile):
            return compute(algorithm, body)
        if name == "CRC32":
            return _base64(_crc32(body).to_bytes(4, "big"))
        if name in _DIGESTS:
            digest = _DIGESTS[name]()
            for chunk in body.chunks():
                digest.update(chunk)
            return _base64(digest.digest())
        return compute(algorithm, b"".join(body.chunks()))

    return computed


def _crc32(body: BodyFile) -> int:
    crc = 0
    for chunk in body.chunks():
        crc = zlib.crc32(chunk, crc)
    return crc


def _base64(digest: bytes) -> str:
    return base64.b64encode(digest).decode()
