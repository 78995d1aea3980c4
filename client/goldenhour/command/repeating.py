"""`repeat` and `series`: posts that come again."""

from datetime import datetime

import click

from goldenhour.command.results import WEEKDAYS
from goldenhour.command.session import Session, json_option
from goldenhour.models.answers import Series

_WEEKDAY = click.Choice(WEEKDAYS, case_sensitive=False)


@click.command()
@click.argument("post_id")
@click.option("--every", type=click.Choice(("day", "week", "month")), required=True)
@click.option("--interval", type=click.IntRange(1, 12), help="Every so many of them.")
@click.option("--on", "weekdays", type=_WEEKDAY, multiple=True, help="A weekday; may be repeated.")
@click.option("--until", type=click.DateTime(("%Y-%m-%d",)), help="The last date that may be.")
@click.option("--times", type=click.IntRange(1, 200), help="How many posts follow this one.")
@json_option
@click.pass_obj
def repeat(  # noqa: PLR0913 - a command's options
    session: Session,
    post_id: str,
    *,
    every: str,
    interval: int | None,
    weekdays: tuple[str, ...],
    until: datetime | None,
    times: int | None,
) -> None:
    """Repeat a post on later days, by the same clock."""
    begun = session.client.series.begin(
        post_id,
        every=every,
        interval=interval,
        weekdays=[WEEKDAYS.index(day) for day in weekdays] or None,
        until=None if until is None else until.date(),
        times=times,
    )
    _show(session, [begun], begun)


@click.command()
@click.option("--end", metavar="ID", help="End one: coming posts that nobody edited go.")
@json_option
@click.pass_obj
def series(session: Session, *, end: str | None) -> None:
    """Show the workspace's series, or end one."""
    session.acts = end is not None
    if end is not None:
        session.client.series.end(end)
    found = session.client.series.list()
    _show(session, list(found.data), found)


def _show(session: Session, found: list[Series], answer: object) -> None:
    if not session.result(answer):
        rows = [
            (
                one.id,
                one.post_id,
                one.every if one.interval == 1 else f"{one.interval} {one.every}s",
                one.state if one.reason is None else f"{one.state}: {one.reason}",
                f"{one.next[0]:%Y-%m-%d %H:%M}" if one.next else "",
            )
            for one in found
        ]
        session.table(("id", "post", "every", "state", "next"), rows)
