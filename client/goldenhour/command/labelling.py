"""`labels` and `label`: the workspace's labels, and which of them a post has."""

import click

from goldenhour.command.session import Session, json_option
from goldenhour.models.answers import Label, Labels

COLOURS = (
    "red", "orange", "amber", "yellow", "lime", "green", "teal", "blue", "indigo", "purple",
    "pink", "grey",
)  # fmt: skip


@click.command()
@click.option("--add", metavar="NAME", help="A new one.")
@click.option("--colour", type=click.Choice(COLOURS), help="Of the new or the renamed one.")
@click.option("--rename", nargs=2, metavar="OLD NEW", help="Rename one, on all posts.")
@click.option("--remove", metavar="NAME", help="Delete one; the posts that have it stay.")
@json_option
@click.pass_obj
def labels(
    session: Session,
    *,
    add: str | None,
    colour: str | None,
    rename: tuple[str, str] | None,
    remove: str | None,
) -> None:
    """Show the workspace's labels, or change them."""
    session.acts = any(asked is not None for asked in (add, rename, remove))
    book = session.client.labels
    if add is not None:
        book.add(add, colour=colour or COLOURS[0])
    if rename is not None:
        old, new = rename
        book.change(named(book.list(), old).id, name=new, colour=colour)
    if remove is not None:
        book.remove(named(book.list(), remove).id)
    _show(session, book.list())


@click.command()
@click.argument("post_id")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@json_option
@click.pass_obj
def label(session: Session, post_id: str, names: tuple[str, ...]) -> None:
    """Give a post these labels and no others; without a name, none."""
    book = session.client.labels
    known = book.list() if names else Labels(data=())
    _show(session, book.give(post_id, [named(known, name).id for name in names]))


def named(labels: Labels, name: str) -> Label:
    """Return the label of a name, whatever its capitals. Raises UsageError."""
    for one in labels:
        if one.name.casefold() == name.strip().casefold():
            return one
    raise click.UsageError(f"There is no label {name!r}. `goldenhour labels` shows them.")


def _show(session: Session, found: Labels) -> None:
    if not session.result(found):
        session.table(("id", "name", "colour"), [(one.id, one.name, one.colour) for one in found])
