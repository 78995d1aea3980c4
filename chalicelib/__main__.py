"""`python -m chalicelib …`: the operator's commands, on the local stack or with `--stage` in AWS.

The one place that knows both the command line and the local stack.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.command_line import goldenhour, main
from chalicelib.doctor.stages import stage_settings
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.local.attachment import NoStack, attach, runs
from chalicelib.local.embedded_resources import EmbeddedIndexes
from chalicelib.local.options import WrongOptions
from chalicelib.local.private_files import UMASK
from chalicelib.local.server.commands import backup, restore, serve


@contextmanager
def open_services(stage: str | None) -> Iterator[Deployment]:
    """Yield a stage in AWS, opened with the operator's own credentials, or the local stack."""
    if stage is not None:
        yield Deployment(stage_settings(stage))
        return
    try:
        stack_runs = runs(dict(os.environ))
        with attach(dict(os.environ)) as settings:
            deployment = Deployment(settings)
            deployment.stack_runs = stack_runs
            if is_embedded(settings.endpoint_url):
                deployment.indexes = EmbeddedIndexes(settings, stack_runs)
            yield deployment
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
    os.umask(UMASK)
    main(open_services)
