"""Writes the client's copies of `chalicelib/domain/spoken`, the one reader of plans and times."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parents[2]
_SERVICE: Final = _HERE / "chalicelib/domain/spoken"
_CLIENT: Final = _HERE / "client/goldenhour/spoken"
_ITS_OWN: Final = frozenset({"__init__.py", "unclear.py"})


def client_copies() -> dict[Path, str]:
    """Return what stands in each of the client's files."""
    return {
        _CLIENT / source.name: source.read_text("utf-8").replace(
            "chalicelib.domain.", "goldenhour."
        )
        for source in sorted(_SERVICE.glob("*.py"))
        if source.name not in _ITS_OWN
    }
