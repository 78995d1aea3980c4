"""`show`, `watch`, `check`, `cancel`: one post and how it does."""

from collections.abc import Iterator
from datetime import datetime

import click
from rich.live import Live
from rich.table import Table

from goldenhour.command.session import Session, json_option, shown, zone_option
from goldenhour.models.answers import Target
from goldenhour.models.posts import Post

WATCHED_FOR_S = 30 * 24 * 3600.0


@click.command()
@click.argument("post_id")
@click.option(
    "--history", "with_history", is_flag=True, help="Also what was done, and each attempt."
)
@zone_option
@json_option
@click.pass_obj
def show(session: Session, post_id: str, *, with_history: bool) -> None:
    """Show a post, where and when it goes out and what became of it."""
    found = session.client.posts.get(post_id)
    history = session.client.posts.history(post_id) if with_history else None
    if session.result(found if history is None else {"post": found, "history": history}):
        return
    show_post(session, found)
    if history is not None:
        events = [(session.tell(each.at), each.action, each.by) for each in history.events]
        session.table(("when", "what", "who"), events)
        attempts = [
            (session.tell(each.at), each.target_id, each.status, each.error_message or "")
            for each in history.attempts
        ]
        session.table(("attempt at", "target", "status", "why"), attempts)


@click.command()
@click.argument("post_id")
@click.option(
    "--timeout", "timeout_s", default=WATCHED_FOR_S, help="How many seconds to wait at most."
)
@zone_option
@json_option
@click.pass_obj
def watch(session: Session, post_id: str, timeout_s: float) -> None:
    """Follow a post until nothing of it is on its way; exit 1 if a target failed."""
    follow(session, session.client.posts.get(post_id), timeout_s=timeout_s)


@click.command()
@click.argument("post_id")
@json_option
@click.pass_obj
def check(session: Session, post_id: str) -> None:
    """Say everything that would keep a post from going out; exit 1 if something would."""
    found = session.client.posts.check(post_id)
    if not session.result(found):
        targets = {each.id: each for each in session.client.posts.get(post_id).targets}
        rows = [
            (each.level, _place(targets[each.target_id]), each.message, each.field or "", each.code)
            for each in found.data
        ]
        if rows:
            session.table(("", "account", "what", "field", "code"), rows)
        session.say("It is ready." if found.ready else "It is not ready.")
    if not found.ready:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("post_id")
@zone_option
@json_option
@click.pass_obj
def cancel(session: Session, post_id: str) -> None:
    """Take back what is scheduled of a post. It can be scheduled again."""
    stopped = session.client.posts.cancel(post_id)
    if not session.result(stopped):
        show_post(session, stopped)


def follow(session: Session, post: Post, *, timeout_s: float = WATCHED_FOR_S) -> None:
    """Show a post's states as they change; JSON prints the last one."""
    if session.as_json:
        last = post.wait(timeout_s=timeout_s)
        session.result(last)
    elif session.console.is_terminal:
        with Live(_table(session, post), console=session.console, auto_refresh=False) as live:
            last = post.wait(
                timeout_s=timeout_s,
                on_change=lambda seen: live.update(_table(session, seen), refresh=True),
            )
    else:
        last = post.wait(timeout_s=timeout_s, on_change=_Lines(session))
    if any(target.status == "failed" for target in last.targets):
        raise click.exceptions.Exit(1)


class _Lines:
    """Prints a line for each target whose status changed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen: dict[str, str] = {}

    def __call__(self, post: Post) -> None:
        for target in post.targets:
            if self._seen.get(target.id) != target.status:
                self._seen[target.id] = target.status
                click.echo(shown("\t".join(_row(self._session, target))).plain)


def show_post(session: Session, post: Post) -> None:
    """Print a post."""
    session.say(f"Post {post.id}: {post.status}" + (f", {post.approval}" if post.approval else ""))
    if post.caption:
        session.say(post.caption)
    for target in post.targets:
        if target.caption_override:
            session.say(f"{_place(target)}: {target.caption_override}")
    session.console.print(_table(session, post))


def _table(session: Session, post: Post) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("account", "status", "when", "what became of it"):
        table.add_column(column, overflow="fold")
    for target in post.targets:
        table.add_row(*(shown(cell) for cell in _row(session, target)))
    return table


def _row(session: Session, target: Target) -> tuple[str, str, str, str]:
    return (_place(target), target.status, session.tell(_when(target)), "; ".join(_outcome(target)))


def _when(target: Target) -> datetime | None:
    return target.published_at or target.scheduled_at


def _place(target: Target) -> str:
    return f"{target.platform}:{target.handle}"


def _outcome(target: Target) -> Iterator[str]:
    if target.url:
        yield target.url
    if target.error_code:
        yield f"{target.error_message or ''} ({target.error_code})"
