"""Prints the client's `options`, `models` or `errors`."""

import sys

from chalicelib.api.openapi.document import describe
from chalicelib.api.paths import every_endpoint
from infra.client.errors import client_errors
from infra.client.models import client_models
from infra.client.options import client_options

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["options"]:
            sys.stdout.write(client_options())
        case ["models"]:
            sys.stdout.write(client_models(describe(every_endpoint())))
        case ["errors"]:
            sys.stdout.write(client_errors())
        case _:
            sys.exit("Say which: options, models or errors.")
