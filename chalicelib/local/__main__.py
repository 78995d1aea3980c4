"""`make run`: the whole stack on this machine, in the foreground, until Ctrl-C."""

import argparse
import os
import sys

from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from chalicelib.local.options import Options, WrongOptions
from chalicelib.local.private_files import UMASK
from chalicelib.local.processes.supervisor import Supervisor
from chalicelib.local.stack_modules import STACK_MODULES
from chalicelib.local.standard_streams import open_closed_streams


def main() -> int:
    """Run the stack and return its exit status."""
    open_closed_streams()
    parser = argparse.ArgumentParser(prog="make run", description=__doc__)
    parser.add_argument("--stack-modules", default=STACK_MODULES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    os.umask(UMASK)
    try:
        options = Options.from_environment()
        lock = data_directory.take(options.data_dir)
    except (WrongOptions, CannotStart) as failure:
        sys.stderr.write(f"{failure}\n")
        return 1
    with lock:
        return Supervisor(options, arguments.stack_modules).run()


if __name__ == "__main__":
    sys.exit(main())
