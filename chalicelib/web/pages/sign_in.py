"""Signing in by a link and signing out; the page for people without a session; static files.

A link only opens a page that asks. Its button's POST, from our own origin, uses the link up: chats,
mail scanners and pages of others open links too, and must neither use one up nor sign anybody in.
"""

import re
from collections.abc import Sequence

from chalicelib.domain.workspace.passkeys import Passkey
from chalicelib.domain.workspace.session_cookies import is_same_session, read_names
from chalicelib.domain.workspace.sessions import LONGEST
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.sign_in_links import Invited
from chalicelib.services.app.signed_in import Present
from chalicelib.web.messages import SESSION_COOKIE, redirect, set_cookie
from chalicelib.web.rendering import serve
from chalicelib.web.routing import Visit, page

_GONE = 410
_USED_UP = "This link no longer works. It was used, expired or revoked. Ask for a new one."
_COOKIE_PATH = "/app"
_BROWSERS = re.compile(r"(Edg|OPR|Firefox|Chrome|Safari)/")
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Mac OS X", "Linux")
_NAMED = {"Edg": "Edge", "OPR": "Opera", "Mac OS X": "macOS", "CrOS": "ChromeOS"}


@page("GET", "/", open_to_all=True)
def root(visit: Visit) -> Response:
    """Lead to the app."""
    del visit
    return redirect("/app")


@page("GET", "/app/static/{name}", open_to_all=True)
def static(visit: Visit) -> Response:
    """Answer with style or a script."""
    return serve(visit.path["name"])


@page("GET", "/app/sign-in", open_to_all=True)
def sign_in_help(visit: Visit) -> Response:
    """Say how to sign in: there are no passwords.

    Who was removed from the workspace that this browser shows is led to the others.
    """
    cookie = visit.session_cookie
    is_in = cookie is None or visit.read_session() is not None
    present = None if is_in else visit.services.people.sessions.present(cookie)
    return show_sign_in(visit, status=401, present=present)


@page("GET", "/app/sign-in/{token}", open_to_all=True)
def ask(visit: Visit) -> Response:
    """Ask whether to sign in, as whom and where; the link stays as it is."""
    cookie = visit.session_cookie
    invited = visit.services.people.sign_in_links.find_invited(visit.path["token"], cookie)
    if invited is None:
        return show_sign_in(visit, status=_GONE, problem=_USED_UP)
    person = invited.joins_as
    passkeys = [] if person is None else visit.services.people.passkeys.list(person.id)
    return show_sign_in(visit, invited=invited, passkeys=passkeys)


@page("POST", "/app/sign-in/{token}", open_to_all=True)
def sign_in(visit: Visit) -> Response:
    """Use a link up and begin a session; one that this browser had ends."""
    links, token = visit.services.people.sign_in_links, visit.path["token"]
    before = visit.session_cookie
    if visit.form["join"]:
        cookie = links.join(token, cookie=before, client=visit.request.client)
    else:
        device = device_of(visit.request.headers.get("user-agent", ""))
        cookie = links.redeem(token, cookie=before, device=device, client=visit.request.client)
    if cookie is None:
        return show_sign_in(visit, status=_GONE, problem=_USED_UP)
    return begin_session(visit, cookie)


def show_sign_in(
    visit: Visit,
    *,
    status: int = 200,
    invited: Invited | None = None,
    present: Present | None = None,
    passkeys: Sequence[Passkey] = (),
    problem: str = "",
) -> Response:
    """Show the page that asks whom a link invites, or says how to sign in."""
    return visit.show(
        "sign_in.html",
        status=status,
        invited=invited,
        present=present,
        passkeys=passkeys,
        problem=problem,
    )


def begin_session(visit: Visit, cookie: str) -> Response:
    """Hand a session's cookie out, and end another session that this browser had before."""
    before = visit.session_cookie
    if not is_same_session(before, cookie):
        visit.services.people.sessions.end(before)
    return _lead_into(visit, cookie)


@page("POST", "/app/switch", open_to_all=True)
def switch(visit: Visit) -> Response:
    """Lead this browser to another workspace of its person.

    It changes nothing but what the browser shows next, so a form of any of its workspaces may ask.
    """
    before = visit.session_cookie
    cookie = visit.services.people.sessions.switch(
        before, visit.form["workspace"], client=visit.request.client
    )
    return _lead_into(visit, cookie)


def _lead_into(visit: Visit, cookie: str) -> Response:
    visit.begun_in = read_names(cookie)
    return redirect("/app", handing_out(visit, cookie))


def handing_out(visit: Visit, cookie: str) -> dict[str, str]:
    """Return the header that makes a browser keep a session's cookie."""
    seconds = int(LONGEST.total_seconds())
    return {
        "Set-Cookie": set_cookie(
            SESSION_COOKIE, cookie, path=_COOKIE_PATH, seconds=seconds, secure=visit.is_secure
        )
    }


@page("POST", "/app/sign-out", scope=None, of_person=True, before_passkey=True)
def sign_out(visit: Visit) -> Response:
    """End this session."""
    visit.services.people.sessions.leave(visit.who)
    header = set_cookie(SESSION_COOKIE, "", path=_COOKIE_PATH, seconds=0, secure=visit.is_secure)
    return redirect("/app/sign-in", {"Set-Cookie": header})


def device_of(agent: str) -> str:
    """Return what a person calls a browser by its User-Agent, such as "Chrome on Android"."""
    browsers = _BROWSERS.findall(agent)
    system = next((name for name in _SYSTEMS if name in agent), None)
    order = ["Edg", "OPR", "Firefox", "Chrome", "Safari"]
    found = next((name for name in order if name in browsers), None)
    named = "A browser" if found is None else _NAMED.get(found, found)
    return named if system is None else f"{named} on {_NAMED.get(system, system)}"
