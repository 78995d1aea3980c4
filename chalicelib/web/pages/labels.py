"""A workspace's labels: making, changing and deleting them, and choosing those of a post."""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.labels import LONGEST_NAME, MOST_LABELS, Colour
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.forms.chosen_labels import read_chosen
from chalicelib.web.routing import Visit, page

_PAGE = "/app/labels"


@page("GET", _PAGE)
def show_labels(visit: Visit) -> Response:
    """Show the workspace's labels."""
    return visit.show(
        "posts/labels.html",
        labels=visit.services.posting.labels.list(visit.caller),
        colours=list(Colour),
        typed=visit.form["name"],
        longest=LONGEST_NAME,
        most=MOST_LABELS,
    )


@page("POST", _PAGE, scope=Scope.WRITE, pays=True, again=show_labels)
def add_label(visit: Visit) -> Response:
    """Make a label."""
    made = visit.services.posting.labels.add(visit.caller, name=_name(visit), colour=_colour(visit))
    return visit.lead_to(_PAGE, f"The label {made.name} was made. Choose it on a post.")


@page("POST", f"{_PAGE}/{{label_id}}", scope=Scope.WRITE, pays=True, again=show_labels)
def change_label(visit: Visit) -> Response:
    """Change a label's name and colour, on every post that has it."""
    changed = visit.services.posting.labels.change(
        visit.caller, visit.path["label_id"], name=_name(visit), colour=_colour(visit)
    )
    return visit.lead_to(_PAGE, f"The label {changed.name} was changed.")


@page("POST", f"{_PAGE}/{{label_id}}/delete", scope=Scope.WRITE, pays=True)
def delete_label(visit: Visit) -> Response:
    """Delete a label; the posts that had it stay."""
    visit.services.posting.labels.remove(visit.caller, visit.path["label_id"])
    return visit.lead_to(_PAGE, "The label was deleted. The posts that had it stay.")


@page("POST", "/app/posts/{post_id}/labels", scope=Scope.WRITE, pays=True)
def label_post(visit: Visit) -> Response:
    """Give a post exactly these labels; what is sent to platforms does not change."""
    post_id, chosen = visit.path["post_id"], read_chosen(visit) or frozenset()
    visit.services.posting.labels.give(visit.caller, post_id, chosen)
    return visit.lead_to(f"/app/posts/{post_id}", "The labels were changed.")


def _name(visit: Visit) -> str:
    name = visit.form["name"].strip()
    if not name:
        raise InvalidInput("Type a name for the label.", loc=("body", "name"))
    return name


def _colour(visit: Visit) -> Colour:
    try:
        return Colour(visit.form["colour"])
    except ValueError as error:
        raise InvalidInput("Choose one of the colours.", loc=("body", "colour")) from error
