"""Prints the description of the API: `python -m chalicelib.api` writes docs/openapi.json."""

import sys

from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.routes import ROUTES

if __name__ == "__main__":
    sys.stdout.write(as_text(describe(ROUTES)))
