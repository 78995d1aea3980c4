"""`python -m chalicelib …`: the operator's commands, on the local stack or with `--stage` in AWS.

The one place that knows both the command line and the local stack.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.operator import OperatorServices, operator_services, stage_settings
from chalicelib.cli.command_line import goldenhour, main
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.local.attachment import NoStack, attached, runs
from chalicelib.local.options import WrongOptions
from chalicelib.local.server.commands import backup, restore, serve


@contextmanager
def open_services(stage: str | None) -> Iterator[OperatorServices]:
    """Yield the services of a stage in AWS, with the operator's own credentials, or the stack's."""
    if stage is not None:
        yield operator_services(Deployment(stage_settings(stage)))
        return
    try:
        stack_runs = runs(dict(os.environ))
        with attached(dict(os.environ)) as settings:
            services = operator_services(Deployment(settings))
            yield replace(services, stack_runs=stack_runs)
    except (NoStack, WrongOptions) as problem:
        raise OperatorError(str(problem)) from problem
    except OSError as problem:
        if problem.filename is None:
            raise
        message = f"{problem.filename}: {problem.strerror}. Check the directory's permissions."
        raise OperatorError(message) from problem


for _command in (serve, backup, restore):
    goldenhour.add_command(_command)

if __name__ == "__main__":
    main(open_services)
