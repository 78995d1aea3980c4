"""How the operator's commands reach the local stack, whether it runs or not.

The engine's file is opened beside a running stack, or without one.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.local import data_directory, resources
from chalicelib.local.data_directory import CannotStart, Taken
from chalicelib.local.embedded_resources import make_what_is_missing
from chalicelib.local.options import Options
from chalicelib.settings import Settings, starting_command


class NoStack(Exception):
    """There is no local stack to work on; the message says where it was looked for."""


@contextmanager
def attach(outer: Mapping[str, str]) -> Iterator[Settings]:
    """Yield the settings of the local stack, which can be called until the block ends.

    The process has the stack's credentials for that time. Raises NoStack, WrongOptions.
    """
    options = Options.from_environment(outer)
    if options.localstack_url is not None:
        with _environment_of(options.child_environment(outer)) as settings:
            yield settings
        return
    if not options.data_dir.is_dir():
        raise NoStack(
            f"There is no local stack in {options.data_dir}: `{starting_command(outer)}` makes one."
        )
    with _environment_of(_as_the_stack_runs(options).child_environment(outer)) as settings:
        yield settings


def _as_the_stack_runs(options: Options) -> Options:
    """Return the options with the running stack's own address and sync mode.

    A directory of an earlier version is taken over first. Raises NoStack.
    """
    try:
        data_directory.take(options.data_dir).close()
    except Taken:
        host, port = data_directory.noted_address(options.data_dir) or (options.host, options.port)
        synced = data_directory.is_synced(options.data_dir)
        return replace(options, host=host, port=port, synced=synced)
    except CannotStart as failure:
        raise NoStack(str(failure)) from failure
    return options


def runs(outer: Mapping[str, str]) -> bool:
    """Tell whether the local stack itself runs, and not only a command on its data."""
    options = Options.from_environment(outer)
    if options.localstack_url is not None:
        return True
    if not options.data_dir.is_dir():
        return False
    try:
        data_directory.take(options.data_dir).close()
    except Taken:
        return True
    except CannotStart:
        return False  # `attach` says why
    return False


@contextmanager
def _environment_of(environment: Mapping[str, str]) -> Iterator[Settings]:
    """Give this process the stack's environment, credentials above all, and restore it."""
    with environment_of(environment):
        settings = Settings.from_environment(environment)
        if is_embedded(settings.endpoint_url):
            make_what_is_missing(settings)
        else:
            resources.make(settings)
        yield settings


@contextmanager
def environment_of(environment: Mapping[str, str]) -> Iterator[None]:
    """Give this process another environment for a while, and restore its own."""
    before = dict(os.environ)
    _replace_environment(environment)
    try:
        yield
    finally:
        _replace_environment(before)


def _replace_environment(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
