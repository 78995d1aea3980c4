"""Prints what declarations say: the description, the table of `paths`, the client's `options`."""

import sys

from chalicelib.api.openapi.client_options import client_options
from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import path_table
from chalicelib.api.routes import ROUTES

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paths"]:
            sys.stdout.write(path_table())
        case ["options"]:
            sys.stdout.write(client_options())
        case _:
            sys.stdout.write(as_text(describe(ROUTES)))
