"""Prints the description."""

import sys

from chalicelib.api.openapi.document import as_text, describe
from chalicelib.api.paths import every_endpoint

if __name__ == "__main__":
    sys.stdout.write(as_text(describe(every_endpoint())))
