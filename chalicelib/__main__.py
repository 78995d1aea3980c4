"""`python -m chalicelib …`: the operator's commands, on the local stack or with `--stage` in AWS.

The one place that knows both the command line and the local stack.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from botocore.exceptions import EndpointConnectionError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.command_line import goldenhour, main
from chalicelib.doctor.stages import stage_settings
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.json_log import keep_log
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.local.attachment import NoStack, attach, environment_of, runs
from chalicelib.local.data_directory import noted_address
from chalicelib.local.embedded_resources import EmbeddedIndexes
from chalicelib.local.options import Options, WrongOptions
from chalicelib.local.private_files import UMASK, keep_owner
from chalicelib.local.server.commands import backup, restore, serve

_STARTED_IN = dict(os.environ)
_LOG = "commands.log"
_NO_DISK = "{}. Make room on its disk, or correct its permissions, and do the same again."


@contextmanager
def open_services(place: str | Path | None) -> Iterator[Deployment]:
    """Yield a stage in AWS, opened with the operator's own credentials, or the local stack.

    A path is the data directory of another local stack. Whatever is open already, a stage is
    opened in the environment in which the command was started: there are the credentials.
    """
    if isinstance(place, str):
        with environment_of(_STARTED_IN):
            yield Deployment(stage_settings(place))
        return
    named = {} if place is None else _variables_of(place)
    environment = {**os.environ, **named}
    with _hand_files_back(environment), _local_stack(environment) as deployment:
        if place is None:
            yield deployment
            return
        with environment_of(_STARTED_IN):
            yield deployment


def _variables_of(data_dir: Path) -> dict[str, str]:
    """Return what names another server: its directory, and where it listened last."""
    host, port = noted_address(data_dir) or ("", "")
    outer = {"GOLDENHOUR_HOST": host, "GOLDENHOUR_PORT": str(port), "GOLDENHOUR_PUBLIC_URL": ""}
    return {"GOLDENHOUR_DATA_DIR": str(data_dir), **outer}


@contextmanager
def _hand_files_back(environment: Mapping[str, str]) -> Iterator[None]:
    try:
        data_dir = Options.from_environment(environment).data_dir
    except WrongOptions as problem:
        raise OperatorError(str(problem)) from problem
    with keep_owner(data_dir):
        yield


@contextmanager
def _local_stack(environment: Mapping[str, str]) -> Iterator[Deployment]:
    try:
        stack_runs = runs(environment)
        with attach(environment) as settings:
            deployment = Deployment(settings)
            deployment.stack_runs = stack_runs
            if is_embedded(settings.endpoint_url):
                deployment.indexes = EmbeddedIndexes(settings, stack_runs)
            with keep_log(Options.from_environment(environment).data_dir / _LOG):
                yield deployment
    except (NoStack, WrongOptions) as problem:
        raise OperatorError(str(problem)) from problem
    except EndpointConnectionError as problem:
        raise OperatorError(_NO_DISK.format(problem.kwargs["endpoint_url"])) from problem
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
