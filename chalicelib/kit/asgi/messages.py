"""A request and an answer as plain values, whether they came through a server or Lambda.

Header names of a request are lower-case, its path is still percent-encoded.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from chalicelib.kit.dataclass import dataclass

_HOST: Final = re.compile(
    r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.ASCII
)
_LAST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client sent; `base_path` comes before `path` at API Gateway's own address.

    `client` is the client's IP address; behind trusted proxies, the one that they name.
    """

    method: str
    path: str
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    base_path: str = ""
    client: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a client gets; the body is empty for 204 and for HEAD."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def without_body(response: Response) -> Response:
    """Return the answer to HEAD: as to GET, but without the body, whose length it tells."""
    headers = {**response.headers, "Content-Length": str(len(response.body))}
    return replace(response, headers=headers, body=b"")


def lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with lower-case names."""
    return {name.lower(): value for name, value in headers.items()}


def is_host(value: str) -> bool:
    """Tell whether a Host header's value is plainly a name or an address, and a port that there is.

    RFC 9110, 7.2.
    """
    found = _HOST.fullmatch(value)
    return found is not None and int(found[1] or 0) <= _LAST_PORT
