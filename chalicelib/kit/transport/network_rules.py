"""Which addresses a stranger may make this service call: https at public hosts only.

DID documents, authorization servers, links in texts and files to fetch all name hosts that somebody
outside chose. `guarded` applies these rules to every such call, twice: to the URL before anything
is looked up, and to every IP address of its host before connecting to it.
"""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from chalicelib.kit.transport.failures import NotSentError

_LONGEST = 2_048
_HTTPS: Final = 443
_FIRST_UNRESERVED_PORT: Final = 1_024
_PRINTED = re.compile(r"[!-\[\]-~]+")
"""Visible ASCII without the backslash, which URL parsers read differently."""

_NAME = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]+")
"""A host name with a dot whose last part is not a number: so neither `localhost` nor any form of an
IP address, decimal, octal or hexadecimal."""

_NOT_END_TO_END_V4 = (
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.0.0.0/24"),  # protocol assignments
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NOT_END_TO_END = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments, Teredo among them: it carries IPv4 addresses
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: carries IPv4 addresses
        "3fff::/20",  # documentation
    )
)


class ForbiddenAddressError(NotSentError):
    """A stranger may not make this service call that address; nothing was sent."""


def require_allowed(url: str) -> str:
    """Return a URL that the rules allow; no host is looked up. Raises ForbiddenAddressError."""
    if len(url) > _LONGEST or _PRINTED.fullmatch(url) is None:
        raise ForbiddenAddressError("The address is too long or contains invalid characters.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _HTTPS
    except ValueError:
        raise ForbiddenAddressError("The address cannot be read.") from None
    if parts.scheme != "https":
        raise ForbiddenAddressError("The address does not use https.")
    if "@" in parts.netloc:
        raise ForbiddenAddressError("The address contains a user name.")
    if _NAME.fullmatch(host) is None:
        raise ForbiddenAddressError("The address names no public host.")
    if port != _HTTPS and port < _FIRST_UNRESERVED_PORT:
        raise ForbiddenAddressError("The address uses a port that is not a web port.")
    return url


def require_origin(url: str, trusted: frozenset[str] = frozenset()) -> str:
    """Return a URL, without its last slash, if it is an allowed or trusted origin and no more.

    Whatever is appended to it can then only be a path. Raises ForbiddenAddressError.
    """
    origin = url.removesuffix("/")
    if origin in trusted:
        return origin
    parts = urlsplit(require_allowed(origin))
    if origin != f"https://{parts.netloc}":
        raise ForbiddenAddressError("The address is more than a host.")
    return origin


def require_endpoint(url: str, trusted: frozenset[str] = frozenset()) -> str:
    """Return a URL that the rules or trusted origins allow. Raises ForbiddenAddressError."""
    if any(url.startswith(f"{origin}/") for origin in trusted):
        return url
    return require_allowed(url)


def origins(urls: list[str]) -> frozenset[str]:
    """Return the origins (scheme, host and port) of the URLs that an operator's settings name."""
    parts = [urlsplit(url.strip().lower()) for url in urls if url.strip()]
    return frozenset(f"{part.scheme}://{part.netloc}" for part in parts)


def is_public(text: str) -> bool:
    """Tell whether a text is an IP address of the public internet."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_v4(address)
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    return _is_public_v6(address)


def _is_public_v4(address: IPv4Address) -> bool:
    special = any(address in block for block in _NOT_END_TO_END_V4)
    return address.is_global and not address.is_multicast and not special


def _is_public_v6(address: IPv6Address) -> bool:
    special = any(address in block for block in _NOT_END_TO_END)
    return address in _GLOBAL_UNICAST and address.is_global and not special
