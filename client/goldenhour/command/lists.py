"""`list` and `export`: many posts at once."""

import csv
import io
import itertools
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime

import click

from goldenhour.command.labelling import named
from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.http.writing import to_json
from goldenhour.models.posts import Post
from goldenhour.spoken.bounds import parse_bound
from goldenhour.spoken.cells import guard
from goldenhour.spoken.choosing import find_account

COLUMNS = (
    "post_id", "post_status", "approval", "created_at", "caption", "target_id", "platform",
    "handle", "status", "scheduled_at", "published_at", "url", "error_code", "error_message",
)  # fmt: skip
COUNTED = ("views", "likes", "comments", "shares", "followers")
CAPTION_SHOWN = 60


@click.command(name="list")
@click.option("--status", help="Comma-separated, as scheduled,failed.")
@click.option("--platform", help="Only posts to these, comma-separated, as x,linkedin.")
@click.option("--account", metavar="NAME", help="Only posts to this account, as x:bakery.")
@click.option("--search", metavar="TEXT", help="Text that the caption contains.")
@click.option("--label", metavar="NAME", help="Only posts with this label.")
@click.option("--from", "since", metavar="TIME", help="Due at this time, or on this day, or later.")
@click.option("--to", "until", metavar="TIME", help="Due before this time or day.")
@click.option("--by-time", is_flag=True, help="Earliest time first; without a time last.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most this many."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, one line for each target.")
@zone_option
@json_option
@click.pass_obj
def list_posts(  # noqa: PLR0913 - a command's options
    session: Session,
    *,
    status: str | None,
    platform: str | None,
    account: str | None,
    search: str | None,
    label: str | None,
    since: str | None,
    until: str | None,
    by_time: bool,
    limit: int,
    as_csv: bool,
) -> None:
    """List posts, newest first or by time."""
    found = session.client.posts.list(
        status=_separated(status),
        platform=_separated(platform),
        account_id=() if account is None else [_account_id(session, account)],
        sort="scheduled" if by_time else None,
        q=search,
        label=None if label is None else named(session.client.labels.list(), label).id,
        since=_time(session, since),
        until=_time(session, until),
        page_size=min(limit, 200),
    )
    posts = list(itertools.islice(found, limit))
    if as_csv:
        write_csv(posts)
    elif not session.result(posts):
        _print(session, posts)
    if next(found, None) is not None:
        session.note(f"There are more than {limit} posts; --limit shows more, export shows all.")


@click.command()
@click.option("--format", "as_format", type=click.Choice(["jsonl", "csv"]), default="jsonl")
@click.option("--history", "with_history", is_flag=True, help="Add each post's history (jsonl).")
@click.option("--metrics", "with_metrics", is_flag=True, help="Add the counts of each account.")
@click.pass_obj
def export(session: Session, as_format: str, *, with_history: bool, with_metrics: bool) -> None:
    """Write every post of the workspace to stdout, page by page."""
    if as_format == "csv" and with_history:
        raise click.UsageError(
            "A history does not fit a table: leave out --format csv or --history."
        )
    posts = session.client.posts.list(page_size=200, with_metrics=with_metrics)
    if as_format == "csv":
        write_csv(posts, with_metrics=with_metrics)
        return
    for post in posts:
        entry: dict[str, object] = {"post": post}
        if with_history:
            entry["history"] = session.client.posts.history(post.id)
        if with_metrics:
            entry["metrics"] = post.metrics
        session.document(entry)


def write_csv(posts: Iterable[Post], *, with_metrics: bool = False) -> None:
    """Write posts to stdout as CSV, one line for each target, as they come."""
    sys.stdout.reconfigure(newline="") if isinstance(sys.stdout, io.TextIOWrapper) else None
    writer = csv.writer(sys.stdout)
    counted = COUNTED if with_metrics else ()
    writer.writerow((*COLUMNS, *counted))
    for post in posts:
        accounts = post.metrics.accounts if post.metrics else ()
        counts = {each.target_id: each.counts for each in accounts}
        for target_id, line in _lines(post):
            told = [getattr(counts.get(target_id), name, None) for name in counted]
            writer.writerow([guard(cell) for cell in (*line, *told)])


def _lines(post: Post) -> Iterator[tuple[str, list[object]]]:
    for target in post.targets:
        cells = {
            **{f"post_{name}": getattr(post, name) for name in ("id", "status")},
            **{name: getattr(post, name) for name in ("approval", "created_at", "caption")},
            "target_id": target.id,
            **{name: getattr(target, name) for name in COLUMNS[6:]},
        }
        text = target.caption_override if target.caption_override is not None else post.caption
        yield target.id, [to_json(each) for each in {**cells, "caption": text}.values()]


def _print(session: Session, posts: Iterable[Post]) -> None:
    rows = [
        (
            post.id,
            post.status,
            session.tell_short(post.next_time),
            ", ".join(f"{each.platform}:{each.handle}" for each in post.targets),
            _short(post.caption),
        )
        for post in posts
    ]
    session.table(("id", "status", f"next ({session.zone.key})", "accounts", "caption"), rows)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= CAPTION_SHOWN else f"{line[: CAPTION_SHOWN - 1]}…"


def _separated(text: str | None) -> list[str]:
    return [each.strip() for each in text.split(",")] if text else []


def _account_id(session: Session, name: str) -> str:
    return find_account(name, session.client.accounts.list().data).id


def _time(session: Session, text: str | None) -> datetime | None:
    return None if text is None else parse_bound(text, session.zone, session.now())
