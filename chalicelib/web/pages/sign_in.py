"""Signing in with a link, switching workspaces, signing out; static files.

Opening a link only shows a page that asks. Its button's POST, from our own origin, uses the link
up: chat previews, mail scanners and other sites open links too, and must not use one up or sign
anybody in.
"""

from collections.abc import Sequence
from http import HTTPStatus

from chalicelib.domain.workspace.passkeys import Passkey
from chalicelib.domain.workspace.session_cookies import is_same_session, read_names
from chalicelib.domain.workspace.sessions import LONGEST
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.sign_in_links import Invited
from chalicelib.services.app.signed_in import Present
from chalicelib.web.messages import SESSION_COOKIE, redirect
from chalicelib.web.rendering import serve
from chalicelib.web.routing import Visit, page

_USED_UP = "This link no longer works. It was used, expired or revoked. Ask for a new one."
_COOKIE_PATH = "/app"


@page("GET", "/", open_to_all=True)
def root(visit: Visit) -> Response:
    """Redirect to the app."""
    del visit
    return redirect("/app")


@page("GET", "/app/static/{name}", open_to_all=True)
def static(visit: Visit) -> Response:
    """Answer with a static file."""
    return serve(visit.path["name"])


@page("GET", "/app/sign-in", open_to_all=True)
def sign_in_help(visit: Visit) -> Response:
    """Show how to sign in, and to whoever was removed from the shown workspace their others."""
    cookie = visit.session_cookie
    is_in = cookie is None or visit.read_session() is not None
    present = None if is_in else visit.services.people.sessions.present(cookie)
    return show_sign_in(visit, status=HTTPStatus.UNAUTHORIZED, present=present)


@page("GET", "/app/sign-in/{token}", open_to_all=True)
def ask(visit: Visit) -> Response:
    """Ask whether to sign in, as whom and where; this does not use the link up."""
    cookie = visit.session_cookie
    invited = visit.services.people.sign_in_links.find_invited(visit.path["token"], cookie)
    if invited is None:
        return show_sign_in(visit, status=HTTPStatus.GONE, problem=_USED_UP)
    person = invited.joins_as
    passkeys = [] if person is None else visit.services.people.passkeys.list(person.id)
    return show_sign_in(visit, invited=invited, passkeys=passkeys)


@page("POST", "/app/sign-in/{token}", open_to_all=True)
def sign_in(visit: Visit) -> Response:
    """Use a link up and begin a session; end one that this browser had."""
    links, token = visit.services.people.sign_in_links, visit.path["token"]
    before = visit.session_cookie
    if visit.form["join"]:
        cookie = links.join(token, cookie=before, client=visit.request.client)
    else:
        cookie = links.redeem(
            token, cookie=before, device=visit.device, client=visit.request.client
        )
    if cookie is None:
        return show_sign_in(visit, status=HTTPStatus.GONE, problem=_USED_UP)
    return begin_session(visit, cookie)


def show_sign_in(
    visit: Visit,
    *,
    status: int = HTTPStatus.OK,
    invited: Invited | None = None,
    present: Present | None = None,
    passkeys: Sequence[Passkey] = (),
    problem: str = "",
) -> Response:
    """Show the sign-in page; with `invited`, it asks whether to sign in by that link."""
    return visit.show(
        "sign_in.html",
        status=status,
        invited=invited,
        present=present,
        passkeys=passkeys,
        problem=problem,
    )


def begin_session(visit: Visit, cookie: str) -> Response:
    """Redirect to the app with a session's cookie, and end another session of this browser."""
    before = visit.session_cookie
    if not is_same_session(before, cookie):
        visit.services.people.sessions.end(before)
    return _redirect_with_session(visit, cookie)


@page("POST", "/app/switch", open_to_all=True)
def switch(visit: Visit) -> Response:
    """Show another workspace of this person in this browser.

    Nothing else changes, so a form opened in any of the person's workspaces may ask for it.
    """
    before = visit.session_cookie
    cookie = visit.services.people.sessions.switch(
        before, visit.form["workspace"], client=visit.request.client
    )
    return _redirect_with_session(visit, cookie)


def _redirect_with_session(visit: Visit, cookie: str) -> Response:
    visit.begun_in = read_names(cookie)
    return redirect("/app", session_cookie_header(visit, cookie))


def session_cookie_header(visit: Visit, cookie: str) -> dict[str, str]:
    """Return the header that makes a browser keep a session's cookie."""
    seconds = int(LONGEST.total_seconds())
    return visit.cookie_header(SESSION_COOKIE, cookie, path=_COOKIE_PATH, seconds=seconds)


@page("POST", "/app/sign-out", scope=None, of_person=True, before_passkey=True)
def sign_out(visit: Visit) -> Response:
    """End this session."""
    visit.services.people.sessions.leave(visit.who)
    ended = visit.cookie_header(SESSION_COOKIE, "", path=_COOKIE_PATH, seconds=0)
    return redirect("/app/sign-in", ended)
