"""From where somebody signs in: a network and a kind of browser, as a hash.

A home's or an office's address changes within its network, so one address more is no new place. The
network of IPv4 is taken as a /24, that of IPv6 as a /48, which is what a customer gets (RFC 6177).
"""

import hashlib
from ipaddress import ip_address, ip_network

_PREFIXES = {4: 24, 6: 48}


def place_of(client: str, device: str) -> str:
    """Return what a place is known by; nothing where the address is not known."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return ""
    network = ip_network((address, _PREFIXES[address.version]), strict=False)
    return hashlib.sha256(f"{network} {device}".encode()).hexdigest()[:16]
