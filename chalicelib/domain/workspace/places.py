"""Places from which people sign in: a network and a kind of browser, as a hash.

The address of a home or office changes within its network, so another address there is not a new
place. Networks are a /24 of IPv4 and a /48 of IPv6, which is what a customer gets (RFC 6177).
"""

import hashlib
from ipaddress import ip_address, ip_network

_PREFIXES = {4: 24, 6: 48}


def place_of(client: str, device: str) -> str:
    """Return the hash of a place; "" if the client's address is unknown."""
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return ""
    network = ip_network((address, _PREFIXES[address.version]), strict=False)
    return hashlib.sha256(f"{network} {device}".encode()).hexdigest()[:16]
