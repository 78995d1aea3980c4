"""Prints the description, the table of `paths`, or the client's `options`, `models` or `errors`."""

import sys

from chalicelib.api.openapi.client_errors import client_errors
from chalicelib.api.openapi.client_models import client_models
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
        case ["models"]:
            sys.stdout.write(client_models(describe(ROUTES)))
        case ["errors"]:
            sys.stdout.write(client_errors())
        case _:
            sys.stdout.write(as_text(describe(ROUTES)))
