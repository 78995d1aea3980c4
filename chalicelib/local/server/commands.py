"""`serve`, `backup` and `restore`: the embedded stack as one small server (docs/server.md).

`python -m chalicelib` adds them to the operator's commands.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.command_output import write_answer
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.local import data_directory
from chalicelib.local.data_directory import CannotStart
from chalicelib.local.options import Options, WrongOptions
from chalicelib.local.private_files import keep_owner
from chalicelib.local.processes.supervisor import Supervisor
from chalicelib.local.server.backup import Backup, UnusableBackup, write_backup
from chalicelib.local.server.pruning import prune_backups
from chalicelib.local.server.restoring import read_backup
from chalicelib.local.standard_streams import open_closed_streams
from chalicelib.settings import own_command

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)
_OLDEST, _UNTESTED = (3, 11), (3, 15)
_SERVER = {"GOLDENHOUR_SYNC": "full", "GOLDENHOUR_LOGS": "stdout", "GOLDENHOUR_SERVES": "yes"}

OpenServices = Callable[[Path], AbstractContextManager[Deployment]]


@click.command("serve")
@click.option("--demo", "with_demo", is_flag=True, help="Make a workspace to try it with.")
def serve(*, with_demo: bool) -> None:
    """Run the whole service for real: synced to the disk, JSON logs on standard output."""
    open_closed_streams()
    told = sys.version.split()[0]
    if sys.version_info < _OLDEST:
        raise click.ClickException(f"goldenhour runs on Python 3.11 to 3.14; this is {told}.")
    if sys.version_info >= _UNTESTED:
        click.echo(f"Nobody has tested goldenhour on Python {told}; it is tried.", err=True)
    os.environ.update(server_environment(os.environ, with_demo=with_demo))
    try:
        options = Options.from_environment()
        lock = data_directory.take(options.data_dir)
    except (WrongOptions, CannotStart) as failure:
        raise click.ClickException(str(failure)) from failure
    with lock:
        sys.exit(Supervisor(options).run())


def server_environment(given: Mapping[str, str], *, with_demo: bool) -> dict[str, str]:
    """Return the environment of a server; an empty variable counts as unset, as everywhere."""
    chosen = {name: given.get(name) or text for name, text in _SERVER.items()}
    return {**given, **chosen, "GOLDENHOUR_DEMO": "on" if with_demo else "off"}


@click.command("backup")
@click.argument("file", type=_FILE)
@click.option("--media", type=_FOLDER, help="Keep media in this folder; copy only what is new.")
@click.option(
    "--keep",
    "keep_days",
    type=click.IntRange(min=1),
    metavar="DAYS",
    help="Then delete older backups beside FILE, and media that no other one names.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def backup(file: Path, media: Path | None, keep_days: int | None, *, as_json: bool) -> None:
    """Back up everything the service stores into FILE, while it runs."""
    try:
        data_dir = Options.from_environment().data_dir
        with keep_owner(data_dir):
            made = write_backup(data_dir, file, media=media)
    except (UnusableBackup, WrongOptions) as failure:
        raise click.ClickException(str(failure)) from failure
    lines = [f"Wrote {file}: {made.files} files."]
    if keep_days is not None:
        keep = timedelta(days=keep_days)
        pruned = prune_backups(file.parent, media, keep=keep, now=datetime.now(UTC))
        lines.append(f"Deleted {pruned.backups} older backups and {pruned.files} media files.")
    _tell(made, as_json=as_json, lines=(*lines, _KEEP))


@click.command("restore")
@click.argument("file", type=_FILE)
@click.option("--media", type=_FOLDER, help="The folder that `backup --media` kept media in.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def restore(open_services: OpenServices, file: Path, media: Path | None, *, as_json: bool) -> None:
    """Make the empty data directory what FILE holds; the engine starts paused."""

    def pause(folder: Path) -> None:
        with open_services(folder) as services:
            services.people.engine_control.switch.pause()
            _let_go(services)

    try:
        data_dir = Options.from_environment().data_dir
        with keep_owner(data_dir):
            found = read_backup(file, data_dir, media=media, at_last=pause)
    except (UnusableBackup, WrongOptions, OperatorError) as failure:
        raise click.ClickException(str(failure)) from failure
    since = found.taken_at.isoformat(timespec="seconds")
    confirm = f"engine resume --confirm-since {since}"
    _tell(
        found,
        as_json=as_json,
        lines=(
            f"Restored {found.files} files of {since}. The engine is paused: nothing is sent.",
            f"Start the service, look at it, then: {own_command()} {confirm}",
            "It looks for every target on its platform before it sends it.",
        ),
    )


def _let_go(services: Deployment) -> None:
    """Close the engine's file, which is moved afterwards."""
    if is_embedded(services.settings.endpoint_url):
        open_engine(services.settings.endpoint_url or "").close()


_KEEP = "It holds the key that opens the sealed sign-ins: keep it as you keep a password."


def _tell(made: Backup, *, as_json: bool, lines: tuple[str, ...]) -> None:
    document = {
        "taken_at": made.taken_at.isoformat(),
        "files": made.files,
        "size_bytes": made.size_bytes,
    }
    text = json.dumps(document) if as_json else "\n".join(lines)
    click.get_current_context().exit(write_answer(text, 0, is_the_point=False))
