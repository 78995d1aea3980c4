"""`results` and `slots`: how posts do, and the times of the queue."""

from datetime import datetime

import click

from goldenhour.command.lists import COUNTED
from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.models.answers import Counts, PlatformCounts

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY = click.DateTime(["%Y-%m-%d"])


@click.command()
@click.argument("post_id", required=False)
@click.option(
    "--days",
    type=click.IntRange(7, 90),
    default=28,
    show_default=True,
    help="Without a post: so many days back.",
)
@click.option("--from", "since", type=DAY, help="Or posts that went live from this day on.")
@click.option("--to", "until", type=DAY, help="Until this day, which is not included.")
@zone_option
@json_option
@click.pass_obj
def results(
    session: Session,
    *,
    post_id: str | None,
    days: int,
    since: datetime | None,
    until: datetime | None,
) -> None:
    """Show how often a post was seen, or without one how the workspace's posts did."""
    if post_id is not None:
        metrics = session.client.posts.metrics(post_id, by=["account", "day"])
        if not session.result(metrics):
            rows = [
                (f"{each.platform}:{each.handle}", *_cells(each.counts))
                for each in metrics.accounts
            ]
            session.table(("account", *COUNTED), [*rows, ("total", *_cells(metrics.total))])
        return
    summary = session.client.times.summary(
        days, since=since and since.date(), until=until and until.date()
    )
    if session.result(summary):
        return
    session.say(f"Posts that went out in {summary.days} days: {summary.posts_published}.")
    session.table(("", *COUNTED), [("total", *_cells(summary.totals))])
    best = [(str(each.views), each.id, each.caption[:60]) for each in summary.top_posts]
    session.table(("views", "post", "caption"), best)


def _cells(counts: Counts | PlatformCounts) -> list[str]:
    return ["" if (n := getattr(counts, name)) is None else str(n) for name in COUNTED]


@click.command()
@click.option("--add", metavar="TIME", help='A new one, as "mon,thu 09:00" or "daily 19:00".')
@click.option("--remove", metavar="ID", help="Take one away; posts at it keep their times.")
@click.option("--label", default="", help="What it is for.")
@zone_option
@json_option
@click.pass_obj
def slots(session: Session, add: str | None, remove: str | None, label: str) -> None:
    """Show the workspace's queue times, or change them."""
    session.acts = add is not None or remove is not None
    times = session.client.times
    if add is not None:
        weekdays, clock = _slot(add)
        times.add_queue_slot(weekdays=weekdays, time=clock, label=label)
    if remove is not None:
        times.remove_queue_slot(remove)
    found = times.queue_slots()
    if session.result(found):
        return
    rows = [
        (each.id, ", ".join(WEEKDAYS[day] for day in each.weekdays), each.time, each.label)
        for each in found
    ]
    session.table(("id", "days", "time", "label"), rows)
    session.say(f"Next free: {session.tell(found.next_free) or 'none in 60 days'}")


def _slot(text: str) -> tuple[list[int], str]:
    days, _, clock = text.strip().lower().partition(" ")
    if days == "daily":
        return [*range(7)], clock.strip()
    wanted = [day.strip()[:3] for day in days.split(",")]
    if not clock or any(day not in WEEKDAYS for day in wanted):
        raise click.UsageError(f'{text!r} is not a queue time. Write it like "mon,thu 09:00".')
    return [WEEKDAYS.index(day) for day in wanted], clock.strip()
