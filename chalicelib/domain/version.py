"""The version of the service, as its description and its command line tell it."""

from typing import Final

VERSION: Final = "0.1.0"

USER_AGENT: Final = f"goldenhour/{VERSION}"
"""How the service names itself to whomever it calls."""
