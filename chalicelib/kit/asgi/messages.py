"""A request and an answer as plain values, whether they came through a server or Lambda.

Header names of a request are lower-case, its path is still percent-encoded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from chalicelib.kit.dataclass import dataclass


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


def lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with lower-case names."""
    return {name.lower(): value for name, value in headers.items()}
