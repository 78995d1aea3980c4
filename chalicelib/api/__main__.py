"""Prints what is written from the endpoints: the description, or with `paths` the table of them."""

import sys

from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import path_table
from chalicelib.api.routes import ROUTES

if __name__ == "__main__":
    sys.stdout.write(path_table() if "paths" in sys.argv[1:] else as_text(describe(ROUTES)))
