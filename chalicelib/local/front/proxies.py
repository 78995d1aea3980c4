"""Which addresses may say how a browser reached this service: only the proxy in front.

`X-Forwarded-*`, `Forwarded` and `X-Real-IP` from other addresses are removed before a request is
passed on, so that all code behind may trust them.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from chalicelib.kit.asgi.forwarded import from_proxies

if TYPE_CHECKING:  # the supervisor reads the networks, and imports no asyncio
    from chalicelib.kit.asgi.exchange import AsgiApp, Receive, Scope, Send

LOOPBACK = "127.0.0.0/8,::1"

Network = IPv4Network | IPv6Network


class WrongNetwork(ValueError):
    """A trusted proxy is neither an address nor a network; the message is one sentence."""


def networks(text: str) -> tuple[Network, ...]:
    """Read addresses and networks, separated by commas. Raises WrongNetwork."""
    try:
        return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError as failure:
        raise WrongNetwork(
            f"GOLDENHOUR_TRUSTED_PROXIES is {text!r}: give addresses or networks such as "
            "127.0.0.1 or 172.30.19.0/24, with commas between them"
        ) from failure


class TrustedProxies:
    """An ASGI app that passes requests on, without forwarding headers from untrusted addresses.

    A trusted proxy's request counts as coming from the address that it names.
    """

    def __init__(self, inner: "AsgiApp", trusted: tuple[Network, ...]) -> None:
        self._inner = inner
        self._trusted = trusted

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass one request on."""
        headers = scope.get("headers")
        if isinstance(headers, list):
            if trusts(self._trusted, _host(scope.get("client"))):
                scope = from_proxies(scope, 1)
            else:
                kept = [pair for pair in headers if not _is_of_proxies(pair[0])]
                scope = {**scope, "headers": kept}
        await self._inner(scope, receive, send)


def trusts(trusted: tuple[Network, ...], host: str) -> bool:
    """Tell whether a connection's peer is a trusted address."""
    address = plain_address(host)
    return address is not None and any(address in network for network in trusted)


def plain_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return an address without its zone, one that is mapped from IPv4 as IPv4; None for a name."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _host(client: object) -> str:
    return str(client[0]) if isinstance(client, tuple | list) and client else ""


def _is_of_proxies(name: bytes) -> bool:
    lowered = name.lower()
    return lowered.startswith(b"x-forwarded-") or lowered in (b"forwarded", b"x-real-ip")
