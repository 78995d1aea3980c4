"""Addresses of assistants: above all where they get an answer, after RFC 8252 (native apps).

Redirect addresses are https addresses; http addresses of the person's own machine, whose port a
program only knows when it listens (7.3; RFC 9700, 4.1.3); or a scheme of the program's own, which
is a domain name in reverse and so contains a period (7.1, 8.4). Except for that port, they must
match exactly.
"""

import re
from urllib.parse import SplitResult, unquote, urlsplit

LONGEST_ADDRESS = 250
_LONGEST_PLACE = 50
_HERE = frozenset({"127.0.0.1", "::1", "localhost"})
_USUAL_PORTS = {"https": 443, "http": 80}
_PLACE = re.compile(r"([a-z0-9.-]+|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
_PRIVATE = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+", re.ASCII)
_FORBIDDEN = frozenset("'#\\\"<>")


def plain_form(address: str) -> str:
    """Return an address as clients write it, who compare it as a text (RFC 3986, 6.2.2.1, 6.2.3).

    Scheme and host are in lower case; a port that goes without saying and a last slash are left
    out.
    """
    try:
        parts = urlsplit(address)
        has_usual_port = parts.port == _USUAL_PORTS.get(parts.scheme)
    except ValueError:
        return address
    place = parts.netloc.lower()
    place = place.rpartition(":")[0] if has_usual_port else place
    return parts._replace(netloc=place).geturl().rstrip("/")


def is_redirect_uri(text: str) -> bool:
    """Tell whether an address may be a redirect address."""
    parts = _parts(text)
    if parts is None:
        return False
    if _PRIVATE.fullmatch(parts.scheme):
        return parts.path.startswith("/") or bool(_PLACE.fullmatch(parts.netloc))
    if _PLACE.fullmatch(parts.netloc) is None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts))


def is_client_address(text: str) -> bool:
    """Tell whether a client id is the address of a document that describes the client.

    draft-ietf-oauth-client-id-metadata-document-01, 3.
    """
    parts = _parts(text)
    if parts is None or not text.startswith("https://") or not _PLACE.fullmatch(parts.netloc):
        return False
    return bool(parts.path) and not {".", ".."} & {*unquote(parts.path).split("/")}


def fits_registered(asked: str, registered: str) -> bool:
    """Tell whether an address matches a registered one; ports of this machine may differ."""
    if asked == registered:
        return True
    one, other = _parts(asked), _parts(registered)
    if one is None or other is None or not is_redirect_uri(asked):
        return False
    return one.scheme == "http" and _is_here(one) and _without_port(one) == _without_port(other)


def place_of(redirect_uri: str) -> str:
    """Return the host of a redirect address, or the program's own scheme, to show to a person."""
    parts = urlsplit(redirect_uri)
    return parts.netloc if parts.scheme in {"http", "https"} else f"{parts.scheme}:"


def name_of(redirect_uri: str) -> str:
    """Return the name of a grant: the host of its redirect address, or the scheme.

    Of a long one, only the end is kept, which says whose it is: anybody can choose how theirs
    begins.
    """
    name = urlsplit(redirect_uri).hostname or place_of(redirect_uri)
    return name if len(name) <= _LONGEST_PLACE else f"…{name[-_LONGEST_PLACE:]}"


def is_on_this_device(redirect_uri: str) -> bool:
    """Tell whether a redirect address leads to a program on the person's own device."""
    return urlsplit(redirect_uri).scheme != "https"


def source_of(redirect_uri: str) -> str:
    """Return a redirect address as a source in a content security policy."""
    parts = urlsplit(redirect_uri)
    here = f"{parts.scheme}://{parts.netloc}"
    return here if parts.scheme in {"http", "https"} else f"{parts.scheme}:"


def _parts(text: str) -> SplitResult | None:
    if len(text) > LONGEST_ADDRESS or not re.fullmatch(r"[!-~]+", text) or set(text) & _FORBIDDEN:
        return None
    try:
        return urlsplit(text)
    except ValueError:
        return None


def _is_here(parts: SplitResult) -> bool:
    return parts.hostname in _HERE


def _without_port(parts: SplitResult) -> tuple[str, str | None, str, str]:
    return parts.scheme, parts.hostname, parts.path, parts.query
