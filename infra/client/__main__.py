"""Prints the client's `options`, `models` or `errors`; writes or compares its `spoken`."""

import sys

from chalicelib.api.openapi.document import describe
from chalicelib.api.paths import every_endpoint
from infra.client.errors import client_errors
from infra.client.models import client_models
from infra.client.options import client_options
from infra.client.spoken import client_copies

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["options"]:
            sys.stdout.write(client_options())
        case ["models"]:
            sys.stdout.write(client_models(describe(every_endpoint())))
        case ["errors"]:
            sys.stdout.write(client_errors())
        case ["spoken"]:
            for path, text in client_copies().items():
                path.write_text(text, encoding="utf-8")
        case ["spoken", "compared"]:
            if other := [str(p) for p, text in client_copies().items() if p.read_text() != text]:
                sys.exit(
                    f"Not as in chalicelib/domain/spoken: {', '.join(other)}. Run make openapi"
                )
        case _:
            sys.exit("Say which: options, models, errors or spoken.")
