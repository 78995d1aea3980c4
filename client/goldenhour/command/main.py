"""`goldenhour`: the list of commands, and how their errors are told.

Exit status: 0 done, 1 refused or failed, 2 wrong usage, 130 stopped. What is done stays 0 although
its answer cannot be written.
"""

import io
import json
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
from goldenhour.command.labelling import label, labels
from goldenhour.command.lists import export, list_posts
from goldenhour.command.login import accounts, choices, login, logout, me
from goldenhour.command.output import open_output
from goldenhour.command.posting import post
from goldenhour.command.repeating import repeat, series
from goldenhour.command.results import results, slots
from goldenhour.command.serving import mcp
from goldenhour.command.session import Session
from goldenhour.command.states import cancel, check, show, watch
from goldenhour.errors import ApiError, GoldenhourError
from goldenhour.http.bearer import hide_keys
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
    session.acts = context.invoked_subcommand in ACTING


_ACTING = (
    login, logout, post, edit, schedule, queue, publish, cancel, retry, unpublish, duplicate,
    delete, slots, labels, label, repeat, series, import_plan,
)  # fmt: skip
ACTING = frozenset(str(command.name) for command in _ACTING)
"""They change something; `slots`, `labels`, `series`, `import` tell by options whether they do."""

for command in (
    *_ACTING, me, accounts, choices, list_posts, show, check, watch, results, export, mcp,
):  # fmt: skip
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit status."""
    session = Session()
    with open_output(lambda: session.acts) as why_lost:
        status = _run(session, arguments)
        if (lost := why_lost()) is not None:
            session.note(f"It is done, but its answer could not be written ({lost.strerror}).")
    sys.exit(status)


def _run(session: Session, arguments: Sequence[str] | None) -> int:
    """Run the command to its last byte of output and return its exit status."""
    try:
        status = cli.main(args=arguments, standalone_mode=False, obj=session)
        sys.stdout.flush()
    except click.exceptions.Abort:
        session.note("Stopped.")
        return 130
    except click.ClickException as wrong:
        told = io.StringIO()
        wrong.show(told)
        click.echo(hide_keys(told.getvalue()), nl=False, err=True)
        return wrong.exit_code
    except BrokenPipeError:  # whoever read the output has stopped, as `| head` does
        return 1
    except (GoldenhourError, ValueError, OSError) as failure:
        _tell(session, failure)
        return 1
    return status if isinstance(status, int) else 0


def _tell(session: Session, failure: Exception) -> None:
    sentence = hide_keys(str(failure))
    if not session.as_json:
        session.note(sentence)
    elif isinstance(failure, ApiError):
        click.echo(json.dumps({"error": to_json(failure.refusal)}), err=True)
    else:
        click.echo(json.dumps({"error": {"message": sentence}}), err=True)
