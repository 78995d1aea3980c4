"""Prints the description, or the table of `paths`."""

import sys

from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import path_table
from chalicelib.api.routes import ROUTES

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paths"]:
            sys.stdout.write(path_table())
        case _:
            sys.stdout.write(as_text(describe(ROUTES)))
