"""Saved words: texts and hashtags to insert, and a signature for each account."""

from chalicelib.domain.posts.words import LONGEST_NAME, LONGEST_TEXT
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page

_PAGE = "/app/words"


@page("GET", _PAGE)
def show_words(visit: Visit) -> Response:
    """Show all saved words."""
    found = visit.services.posting.words.list(visit.caller)
    return visit.show(
        "posts/words.html",
        texts=[one for one in found if one.account_id is None],
        signatures={one.account_id: one.text for one in found if one.account_id is not None},
        longest_name=LONGEST_NAME,
        longest=LONGEST_TEXT,
    )


@page("POST", _PAGE, scope=Scope.WRITE, pays=True, again=show_words)
def add_text(visit: Visit) -> Response:
    """Save a text."""
    made = visit.services.posting.words.add(
        visit.caller, name=visit.form["name"], text=visit.form["text"]
    )
    return visit.lead_to(_PAGE, f"{made.name} was saved. Insert it while you write.")


@page("POST", f"{_PAGE}/{{text_id}}", scope=Scope.WRITE, pays=True, again=show_words)
def change_text(visit: Visit) -> Response:
    """Change a saved text; posts that contain it stay as they are."""
    changed = visit.services.posting.words.change(
        visit.caller, visit.path["text_id"], name=visit.form["name"], text=visit.form["text"]
    )
    return visit.lead_to(
        _PAGE, f"{changed.name} was changed. Posts that contain it stay as they are."
    )


@page("POST", f"{_PAGE}/{{text_id}}/delete", scope=Scope.WRITE, pays=True, again=show_words)
def delete_text(visit: Visit) -> Response:
    """Delete a saved text; posts that contain it stay as they are."""
    visit.services.posting.words.remove(visit.caller, visit.path["text_id"])
    return visit.lead_to(_PAGE, "The text was deleted. Posts that contain it stay as they are.")


@page("POST", f"{_PAGE}/signatures/{{account_id}}", scope=Scope.WRITE, pays=True, again=show_words)
def sign(visit: Visit) -> Response:
    """Save an account's signature; an empty text removes it."""
    account = visit.require_account(visit.path["account_id"])
    visit.services.posting.words.sign(
        visit.caller, account.id, handle=account.handle, text=visit.form["text"]
    )
    return visit.lead_to(_PAGE, "The signature was saved.")
