"""The operator's command line: one group of commands per noun (docs/operations.md).

`python -m chalicelib` calls `main` with the way to open a deployment's services, so that no
command knows whether it works on a laptop or in AWS.
"""

from collections.abc import Sequence

import click

from chalicelib.cli.account import account
from chalicelib.cli.app_credentials import app_credentials
from chalicelib.cli.connector import connector
from chalicelib.cli.console import OpenServices
from chalicelib.cli.doctor import doctor
from chalicelib.cli.engine import engine, queue
from chalicelib.cli.key import key
from chalicelib.cli.member import member
from chalicelib.cli.post import post
from chalicelib.cli.workspace import workspace
from chalicelib.command_output import prepare_output
from chalicelib.domain.version import VERSION
from chalicelib.settings import own_command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, "--version", prog_name="goldenhour", message="%(prog)s %(version)s")
def goldenhour() -> None:
    """Operate goldenhour: workspaces, members, keys, accounts, posts and the engine."""


for _command in (
    *(workspace, member, key, account, app_credentials, connector),
    *(post, engine, queue, doctor),
):
    goldenhour.add_command(_command)


def main(open_services: OpenServices, arguments: Sequence[str] | None = None) -> None:
    """Carry out one command and exit with its status."""
    prepare_output()
    called = own_command().removeprefix(".venv/bin/")
    goldenhour.main(args=arguments, prog_name=called, obj=open_services)
