"""`goldenhour`: the list of commands, and how their errors are told.

Exit status: 0 done, 1 refused or failed, 2 wrong usage, 130 stopped.
"""

import json
import os
import sys
from collections.abc import Sequence

import click

from goldenhour.command.acting import (
    delete,
    duplicate,
    edit,
    publish,
    queue,
    retry,
    schedule,
    unpublish,
)
from goldenhour.command.importing import import_plan
from goldenhour.command.lists import export, list_posts
from goldenhour.command.login import accounts, choices, login, logout
from goldenhour.command.posting import post
from goldenhour.command.results import results, slots
from goldenhour.command.serving import mcp
from goldenhour.command.session import Session
from goldenhour.command.states import cancel, check, show, watch
from goldenhour.errors import ApiError, GoldenhourError
from goldenhour.http.transport import VERSION
from goldenhour.http.writing import to_json


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--profile", default="default", help="Which key to use, if you keep several.")
@click.option("--insecure-http", is_flag=True, help="Allow http to another machine.")
@click.version_option(VERSION)
@click.pass_context
def cli(context: click.Context, profile: str, *, insecure_http: bool) -> None:
    """Schedule and publish social posts."""
    session = context.ensure_object(Session)
    session.profile_name = profile
    session.insecure_http = insecure_http


for command in (
    login, logout, accounts, choices, post, list_posts, show, edit, check, schedule, queue, publish,
    watch, cancel, retry, unpublish, duplicate, delete, results, slots, import_plan, export, mcp,
):  # fmt: skip
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit status."""
    session = Session()
    try:
        status = cli.main(args=arguments, standalone_mode=False, obj=session)
    except click.exceptions.Abort:
        session.note("Stopped.")
        sys.exit(130)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except BrokenPipeError:  # whoever read the output has stopped, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (GoldenhourError, ValueError, OSError) as failure:
        _tell(session, failure)
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _tell(session: Session, failure: Exception) -> None:
    if not session.as_json:
        session.note(str(failure))
    elif isinstance(failure, ApiError):
        click.echo(json.dumps({"error": to_json(failure.refusal)}), err=True)
    else:
        click.echo(json.dumps({"error": {"message": str(failure)}}), err=True)
