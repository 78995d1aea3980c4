"""`import`: makes the posts of a plan, one a line, and says what became of each line."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from goldenhour.command.session import Session, json_option, zone_option
from goldenhour.plan.carrying_out import Importer, Outcome
from goldenhour.plan.journal import Journal
from goldenhour.plan.rows import Mistake, Row, Setting, read_plan
from goldenhour.spoken.choosing import describe

PAST = "This time is past; give the line a later one."


@click.command(name="import")
@click.argument("plan", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--check", "is_go", flag_value=False, type=bool, default=None, help="Read it, make nothing."
)
@click.option("--go", "is_go", flag_value=True, type=bool, help="Make the posts.")
@click.option("--name", help="The plan's name (default: the file's); another name makes new posts.")
@zone_option
@json_option
@click.pass_obj
def import_plan(session: Session, plan: Path, *, is_go: bool | None, name: str | None) -> None:
    """Make one post for each line of PLAN, a CSV file with the columns to, caption, file and at.

    It may be stopped or killed and started again: a line makes one post, however often it is read.
    With a mistake anywhere, nothing is made.
    """
    if is_go is None:
        raise click.UsageError("Say --check to read the plan, or --go to make its posts.")
    rows, mistakes = _read(session, plan, name or plan.stem)
    journal = Journal.beside(plan)
    mistakes += _past(session, rows, journal)
    if mistakes:
        _tell_mistakes(session, mistakes)
        raise click.exceptions.Exit(1)
    if not is_go:
        _tell_rows(session, rows, journal)
    elif _carry_out(session, rows, journal):
        raise click.exceptions.Exit(1)


def _read(session: Session, plan: Path, name: str) -> tuple[list[Row], list[Mistake]]:
    setting = Setting(
        name=name,
        folder=plan.parent,
        accounts=session.client.accounts.list().data,
        zone=session.zone,
        now=session.now(),
    )
    return read_plan(plan.read_text("utf-8-sig"), setting)


def _past(session: Session, rows: Sequence[Row], journal: Journal) -> list[Mistake]:
    """Return the rows whose time is past and that were not made in time."""
    return [
        Mistake(line=row.line, column="at", message=PAST)
        for row in rows
        if row.at is not None and row.at <= session.now() and row.key not in journal.rows
    ]


def _carry_out(session: Session, rows: Sequence[Row], journal: Journal) -> bool:
    """Make the posts and tell of each; return whether a line failed."""
    columns = (TextColumn("Importing"), BarColumn(), MofNCompleteColumn())
    outcomes = []
    try:
        with (
            journal,
            Progress(*columns, console=session.notes, disable=not session.notes.is_terminal) as bar,
        ):
            importer = Importer(client=session.client, journal=journal)
            for outcome in bar.track(importer.carry_out(rows), total=len(rows)):
                outcomes.append(outcome)  # noqa: PERF402 - kept when a later row raises
    finally:
        _tell_outcomes(session, outcomes, len(rows))
    return any(outcome.state == "failed" for outcome in outcomes)


def _tell_mistakes(session: Session, mistakes: Sequence[Mistake]) -> None:
    ordered = sorted(mistakes, key=lambda each: each.line)
    if not session.result({"mistakes": ordered}):
        rows = [(str(each.line), each.column, each.message) for each in ordered]
        session.table(("line", "column", "what is wrong"), rows)
        session.say("Nothing was made.")


def _tell_rows(session: Session, rows: Sequence[Row], journal: Journal) -> None:
    told = [
        {
            "line": row.line,
            "to": [describe(account) for account in row.accounts],
            "way": row.way,
            "at": row.at,
            "file": None if row.file is None else row.file.name,
            "caption": row.caption,
            "done": row.key in journal.rows,
        }
        for row in rows
    ]
    if session.result({"rows": told}):
        return
    session.table(
        ("line", "to", "when", "file", "caption", ""),
        [
            (
                str(row.line),
                ", ".join(describe(account) for account in row.accounts),
                session.tell(row.at) or row.way,
                "" if row.file is None else row.file.name,
                " ".join(row.caption.split())[:50],
                "done before" if row.key in journal.rows else "",
            )
            for row in rows
        ],
    )
    session.say(f"{len(rows)} lines are right. Nothing was made; --go makes the posts.")


def _tell_outcomes(session: Session, outcomes: Sequence[Outcome], total: int) -> None:
    if session.result({"rows": outcomes, "total": total}):
        return
    rows = [
        (
            str(each.line),
            each.state,
            each.post_id or "",
            session.tell(each.post.next_time) if each.post else "",
            each.message or "",
        )
        for each in outcomes
    ]
    session.table(("line", "", "post", "goes out", "why"), rows)
    failed = sum(each.state == "failed" for each in outcomes)
    session.say(f"{len(outcomes) - failed} of {total} lines are posts, {failed} failed.")
    if len(outcomes) < total:
        session.say("It stopped early. Start it again to go on; no line makes a second post.")
