"""What is done to one post: edit, schedule, queue, publish, retry, unpublish, duplicate, delete."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from goldenhour.command.posting import own_captions, split_names, upload
from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.command.states import show_post
from goldenhour.models.posts import Post
from goldenhour.spoken.editing import Changes
from goldenhour.spoken.editing import edit as edit_post
from goldenhour.spoken.targets import parse_options
from goldenhour.spoken.times import parse_time

yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


def _tell(session: Session, post: Post) -> None:
    if not session.result(post):
        show_post(session, post)


def _confirm(session: Session, sentence: str, *, yes: bool) -> None:
    """Say what will happen; ask, if a person is at the terminal."""
    session.note(sentence)
    if not yes and sys.stdin.isatty() and os.isatty(2):
        click.confirm("Go on?", abort=True, err=True)


@click.command()
@click.argument("post_id")
@click.option(
    "--at", metavar="TIME", help="One time for all; else each account's own or its golden hour."
)
@zone_option
@json_option
@click.pass_obj
def schedule(session: Session, post_id: str, at: str | None) -> None:
    """Schedule what is not scheduled of a post: at a time, else at the golden hours."""
    moment = None if at is None else parse_time(at, session.zone, session.now())
    _tell(session, session.client.posts.schedule(post_id, at=moment))


@click.command()
@click.argument("post_id")
@zone_option
@json_option
@click.pass_obj
def queue(session: Session, post_id: str) -> None:
    """Schedule a draft at the next free queue time."""
    _tell(session, session.client.posts.queue(post_id))


@click.command()
@click.argument("post_id")
@yes_option
@zone_option
@json_option
@click.pass_obj
def publish(session: Session, post_id: str, *, yes: bool) -> None:
    """Send a post now, to every account where it is not live."""
    _confirm(session, f"Post {post_id} will go out now.", yes=yes)
    _tell(session, session.client.posts.publish_now(post_id))


@click.command()
@click.argument("post_id")
@zone_option
@json_option
@click.pass_obj
def retry(session: Session, post_id: str) -> None:
    """Send again, now, what failed of a post."""
    _tell(session, session.client.posts.retry(post_id))


@click.command()
@click.argument("post_id")
@zone_option
@json_option
@click.pass_obj
def duplicate(session: Session, post_id: str) -> None:
    """Make a new draft of a post, without its times."""
    _tell(session, session.client.posts.duplicate(post_id))


@click.command()
@click.argument("post_id")
@click.argument("account")
@yes_option
@zone_option
@json_option
@click.pass_obj
def unpublish(session: Session, post_id: str, account: str, *, yes: bool) -> None:
    """Delete what is live of a post on ACCOUNT's platform, for good."""
    post = session.client.posts.get(post_id)
    names = {f"{each.platform}:{each.handle}": each.id for each in post.targets}
    names |= {each.id: each.id for each in post.targets}
    names |= {each.platform: each.id for each in post.targets if _is_alone(post, each.platform)}
    if account not in names:
        places = ", ".join(name for name in names if ":" in name)
        raise click.UsageError(f"Post {post_id} is not on {account!r}. It is on: {places}.")
    _confirm(session, f"Post {post_id} will be deleted on {account}, for good.", yes=yes)
    _tell(session, session.client.posts.unpublish(post_id, names[account]))


def _is_alone(post: Post, platform: str) -> bool:
    return sum(each.platform == platform for each in post.targets) == 1


@click.command()
@click.argument("post_id")
@yes_option
@json_option
@click.pass_obj
def delete(session: Session, post_id: str, *, yes: bool) -> None:
    """Delete a post from the service; what is live stays live."""
    _confirm(session, f"Post {post_id} will be deleted; parts that are live stay live.", yes=yes)
    session.client.posts.delete(post_id)
    if not session.result({"deleted": post_id}):
        session.say(f"Post {post_id} is deleted.")


@click.command()
@click.argument("post_id")
@click.option("--caption", help="The new text.")
@click.option(
    "--caption-file",
    type=click.File(encoding="utf-8"),
    help="Read the text from a file; - is stdin.",
)
@click.option("--caption-for", "captions", multiple=True, metavar="ACCOUNT=TEXT")
@click.option(
    "--add",
    multiple=True,
    metavar="ACCOUNT",
    help="Also to this account; of a scheduled post at its golden hour, unless --at.",
)
@click.option("--remove", multiple=True, metavar="ACCOUNT", help="Not to this account.")
@click.option("--option", "options", multiple=True, metavar="PLATFORM.NAME=VALUE")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another file.",
)
@click.option("--at", metavar="TIME", help="Another time for what is scheduled.")
@zone_option
@json_option
@click.pass_obj
def edit(  # noqa: PLR0913 - a command's options
    session: Session,
    *,
    post_id: str,
    caption: str | None,
    caption_file: TextIO | None,
    captions: Sequence[str],
    add: Sequence[str],
    remove: Sequence[str],
    options: Sequence[str],
    file: Path | None,
    at: str | None,
) -> None:
    """Change a post that is not live; what is not named stays as it is."""
    given = (caption, caption_file, file, at, *captions, *add, *remove, *options)
    if all(each is None for each in given):
        raise click.UsageError(f"Nothing to change: say what of post {post_id}.")
    post = session.client.posts.get(post_id)
    changes = Changes(
        caption=caption if caption_file is None else caption_file.read().rstrip("\n"),
        media_id=None if file is None else upload(session, file),
        captions=own_captions(captions),
        options=parse_options(options),
        add=split_names(add),
        remove=split_names(remove),
        at=None if at is None else parse_time(at, session.zone, session.now()),
    )
    _tell(session, edit_post(session.client, post, changes))
