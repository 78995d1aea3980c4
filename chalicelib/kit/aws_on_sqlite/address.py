"""An engine's address, used where a deployment on AWS names an endpoint.

With `embedded:/folder` acknowledged writes survive a killed process, with
`embedded:/folder?sync=full` a power cut, too.
"""

from pathlib import Path
from urllib.parse import quote, unquote

_SCHEME = "embedded:"
_SYNCED = "?sync=full"


def is_embedded(endpoint: str | None) -> bool:
    """Tell whether an endpoint is an engine of this machine."""
    return endpoint is not None and endpoint.startswith(_SCHEME)


def address_of(folder: Path, *, synced: bool) -> str:
    """Return the address of the engine in a folder."""
    return f"{_SCHEME}{quote(str(folder))}{_SYNCED if synced else ''}"


def read_address(address: str) -> tuple[Path, bool]:
    """Return an engine's folder, and whether it is synced."""
    rest = address.removeprefix(_SCHEME)
    return Path(unquote(rest.removesuffix(_SYNCED))), rest.endswith(_SYNCED)
