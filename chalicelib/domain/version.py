"""The version of the service, as its description and its command line tell it."""

from typing import Final

VERSION: Final = "0.1.0"
