"""An operator's commands from standard input, one by one in one process.

A line is a list of words in JSON; the command's document is printed in one line. The client's
tests ask by the dozen, from a Python that need not have the service's packages, and each process
of its own takes a second of processor to begin.
"""

import json
import os
import sys

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.local.attachment import attach
from tests.cli.operator import Operator

if __name__ == "__main__":
    with attach(os.environ) as settings:
        operator = Operator(Deployment(settings))
        for line in sys.stdin:
            print(json.dumps(operator.ask(*json.loads(line))), flush=True)  # noqa: T201
