"""The operator's command line: one group of commands per noun (docs/operations.md).

`python -m chalicelib` calls `main` with a function that opens a deployment, so that no command
knows whether it works on a laptop or in AWS.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, cast

import click

from chalicelib.cli.console import OpenServices
from chalicelib.command_output import prepare_output
from chalicelib.domain.version import VERSION
from chalicelib.settings import own_command

_MODULES: Final[Mapping[str, str]] = {
    "workspace": "workspace",
    "member": "member",
    "key": "key",
    "account": "account",
    "app-credentials": "app_credentials",
    "connector": "connector",
    "post": "post",
    "engine": "engine",
    "queue": "engine",
    "doctor": "doctor",
}
"""The module of each command, in this folder."""


class _Commands(click.Group):
    """Imports only the command that was typed: importing all takes as long as running one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*_MODULES, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, None if there is none."""
        if cmd_name in _MODULES and cmd_name not in self.commands:
            module = import_module(f"chalicelib.cli.{_MODULES[cmd_name]}")
            self.add_command(cast("click.Command", getattr(module, cmd_name.replace("-", "_"))))
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, "--version", prog_name="goldenhour", message="%(prog)s %(version)s")
def goldenhour() -> None:
    """Operate goldenhour: workspaces, members, keys, accounts, posts and the engine."""


def main(open_services: OpenServices, arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its status."""
    prepare_output()
    called = own_command().removeprefix(".venv/bin/")
    goldenhour.main(args=arguments, prog_name=called, obj=open_services)
