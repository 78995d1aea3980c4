"""The client's address behind proxies, from `X-Forwarded-For`.

Each proxy appends the address from which it was reached; anything further left may be forged. So
with n trusted proxies, the client is the n-th address from the end.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a function of a stage has no use for asyncio, which costs much to import
    from chalicelib.kit.asgi.exchange import AsgiApp, Receive, Scope, Send

NAME = "x-forwarded-for"


def client_address(headers: Mapping[str, str], proxies: int) -> str:
    """Return the address from which the first of `proxies` trusted proxies was reached, or ""."""
    addresses = headers.get(NAME, "").split(",")
    named = addresses[-proxies].strip() if len(addresses) >= proxies else ""
    try:
        return str(ip_address(named))
    except ValueError:
        return ""


def behind_proxies(inner: "AsgiApp", proxies: int) -> "AsgiApp":
    """Return an app whose requests have the client address that the trusted proxies name."""

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http":
            scope = from_proxies(scope, proxies)
        await inner(scope, receive, send)

    return app


def from_proxies(scope: "Scope", proxies: int) -> "Scope":
    """Return a scope with the client address that the proxies name, if they name one."""
    wanted = NAME.encode()
    said = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == wanted]
    address = client_address({NAME: ",".join(said)}, proxies)
    return {**scope, "client": (address, 0)} if address else scope
