"""`post`: upload a file, make a draft and send it, in one line."""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TextIO

import click
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.command.states import follow, show_post
from goldenhour.errors import GoldenhourError
from goldenhour.http.uploading import Progress as OnProgress
from goldenhour.models.answers import Account
from goldenhour.models.posts import Post
from goldenhour.spoken.choosing import describe, find_accounts
from goldenhour.spoken.targets import make_targets, parse_options
from goldenhour.spoken.times import parse_time, tell_distance, tell_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """When a post goes out: at a time, by one of the service's ways, or not yet."""

    at: datetime | None = None
    way: str = "draft"


@click.command()
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--caption", default="", help="The text.")
@click.option(
    "--caption-file",
    type=click.File(encoding="utf-8"),
    help="Read the text from a file; - is stdin.",
)
@click.option(
    "--caption-for", "captions", multiple=True, metavar="ACCOUNT=TEXT", help="Its own text."
)
@click.option("--to", required=True, multiple=True, help="Platforms, handles or platform:handle.")
@click.option(
    "--at", metavar="TIME", help='As "tomorrow 09:00", "friday 18:30", "2026-12-01 09:00".'
)
@click.option("--queue", "way", flag_value="queue", help="At the next free queue time.")
@click.option("--golden", "way", flag_value="golden", help="At each platform's next golden hour.")
@click.option("--now", "way", flag_value="now", help="At once.")
@click.option("--alt", help="What FILE shows, for those who cannot see it.")
@click.option("--option", "options", multiple=True, metavar="PLATFORM.NAME=VALUE")
@click.option(
    "--key",
    "idempotency_key",
    help="Repeating the command with the same key creates no second post.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--watch", "is_watched", is_flag=True, help="Wait until it is published.")
@zone_option
@json_option
@click.pass_obj
def post(  # noqa: PLR0913 - a command's options
    session: Session,
    *,
    file: Path | None,
    caption: str,
    caption_file: TextIO | None,
    captions: Sequence[str],
    to: Sequence[str],
    at: str | None,
    way: str | None,
    alt: str | None,
    options: Sequence[str],
    idempotency_key: str | None,
    yes: bool,
    is_watched: bool,
) -> None:
    """Post FILE, or only a text, to accounts; without a time it stays a draft."""
    sending = _sending(session, at, way)
    accounts = find_accounts(split_names(to), session.client.accounts.list().data)
    targets = make_targets(accounts, parse_options(options), own_captions(captions))
    text = caption_file.read().rstrip("\n") if caption_file is not None else caption
    _confirm(session, accounts, sending, is_asked=not yes)
    if alt is not None and file is None:
        raise click.UsageError("--alt describes a file: name one.")
    media_ids = [] if file is None else [upload(session, file, alt, key=idempotency_key)]
    draft = session.client.posts.create(
        targets=targets, caption=text, media_ids=media_ids, idempotency_key=idempotency_key
    )
    sent = _send(session, draft, sending)
    if is_watched:
        follow(session, sent)
    elif not session.result(sent):
        show_post(session, sent)


def upload(session: Session, file: Path, alt: str | None = None, *, key: str | None = None) -> str:
    """Upload a file with a progress bar on a terminal, describe it and return its id."""
    with progress_bar(session, f"Uploading {file.name}") as progress:
        media = session.client.media.upload(file, progress=progress, idempotency_key=key)
        media_id = media.id
    if alt is not None:
        session.client.media.describe(media_id, alt_text=alt)
    return media_id


@contextlib.contextmanager
def progress_bar(session: Session, title: str) -> Iterator[OnProgress]:
    """Show how far an upload is; on stderr, and only on a terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=session.notes, disable=not session.notes.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda sent, total: bar.update(task, completed=sent, total=total)


def own_captions(texts: Sequence[str]) -> dict[str, str]:
    """Return texts for single accounts from `x=A shorter text`."""
    captions = {}
    for text in texts:
        account, equals, caption = text.partition("=")
        if not equals or not account.strip():
            raise click.UsageError(
                f'{text!r} is not a text for an account. Write it like x="Bread".'
            )
        captions[account.strip()] = caption
    return captions


def split_names(to: Sequence[str]) -> list[str]:
    """Return account names that were given with commas between, or one by one."""
    return [name.strip() for each in to for name in each.split(",") if name.strip()]


def _sending(session: Session, at: str | None, way: str | None) -> Sending:
    if at is None:
        return Sending(way=way or "draft")
    if way is not None:
        raise click.UsageError(f"Give either --at or --{way}.")
    moment = parse_time(at, session.zone, session.now())
    if moment <= session.now():
        raise click.UsageError(f"{at!r} is {session.tell(moment)}, which has passed.")
    return Sending(at=moment, way="at")


def _confirm(
    session: Session, accounts: Sequence[Account], sending: Sending, *, is_asked: bool
) -> None:
    """Say where and when it goes out; ask, if a person is at the terminal."""
    names = ", ".join(describe(account) for account in accounts)
    session.note(f"To {names}")
    session.note(f"{_when(session, sending)}")
    if is_asked and sending.way != "draft" and sys.stdin.isatty() and os.isatty(2):
        click.confirm("Send it?", abort=True, err=True)


def _when(session: Session, sending: Sending) -> str:
    if sending.at is None:
        return {
            "draft": "A draft: nothing goes out until `goldenhour schedule` or `goldenhour queue`.",
            "queue": "At the next free queue time.",
            "golden": "At each platform's next golden hour.",
            "now": "Now.",
        }[sending.way]
    return f"At {tell_time(sending.at, session.zone)}, {tell_distance(sending.at, session.now())}."


def _send(session: Session, draft: Post, sending: Sending) -> Post:
    posts = session.client.posts
    try:
        match sending.way:
            case "at":
                return posts.schedule(draft.id, at=sending.at)
            case "queue":
                return posts.queue(draft.id)
            case "golden":
                return posts.schedule(draft.id)
            case "now":
                return posts.publish_now(draft.id)
            case _:
                return draft
    except GoldenhourError:
        session.note(
            f"It was not sent. The draft {draft.id} is kept; `goldenhour edit`, `check` and"
            " `schedule` continue with it."
        )
        raise
