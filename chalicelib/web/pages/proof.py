"""Asking a member again who they are, before something that opens the workspace to others.

They use a passkey, or a new sign-in link of the workspace in the same browser. A form that needs
this proof is kept on the page that asks, and sent after it. Each proof replaces the session.
"""

from http import HTTPStatus

from chalicelib.domain.workspace.passkeys import PasskeyRefused
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.messages import redirect
from chalicelib.web.pages.passkeys import answer_of, party_of
from chalicelib.web.pages.sign_in import session_cookie_header
from chalicelib.web.routing import Visit, page

_OURS = "/app/"
_OWN = frozenset({"answer", "then", "form_token"})


@page("GET", "/app/proof", scope=None)
def ask(visit: Visit) -> Response:
    """Show the page that asks for proof and then leads to the address in `then`."""
    return visit.show("proof.html", then=_place(visit.query["then"]), kept=[])


@page("POST", "/app/proof", scope=None, before_passkey=True)
def prove(visit: Visit) -> Response:
    """Accept a passkey as proof; then repeat the form that was kept, or redirect to `then`."""
    then = _place(visit.form["then"])
    kept = visit.form.pairs(without=_OWN)
    try:
        cookie = visit.services.people.ceremonies.prove(
            visit.who, party_of(visit), answer_of(visit)
        )
    except PasskeyRefused as error:
        return visit.show(
            "proof.html", status=HTTPStatus.FORBIDDEN, then=then, kept=kept, problem=error.message
        )
    made_anew = session_cookie_header(visit, cookie)
    is_form = bool(visit.form["is_form"])
    status = HTTPStatus.TEMPORARY_REDIRECT if is_form else HTTPStatus.SEE_OTHER
    return redirect(then, made_anew, status=status)  # 307 repeats a form, 303 gets a page


def _place(typed: str) -> str:
    """Return the address to continue at: what was sent if it is a page of the app, else "/app"."""
    return typed if typed.startswith(_OURS) and typed.isascii() and typed.isprintable() else "/app"
