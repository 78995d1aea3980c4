"""Signing in by a link and signing out; the page for people without a session; static files."""

from chalicelib.domain.workspace.sessions import LONGEST
from chalicelib.web.messages import Answer, read_cookie, redirect, set_cookie
from chalicelib.web.rendering import serve
from chalicelib.web.routing import Visit, page
from chalicelib.web.site import SESSION_COOKIE

_GONE = 410
_COOKIE_PATH = "/app"


@page("GET", "/", open_to_all=True)
def root(visit: Visit) -> Answer:
    """Lead to the app."""
    del visit
    return redirect("/app")


@page("GET", "/app/static/{name}", open_to_all=True)
def static(visit: Visit) -> Answer:
    """Answer with style or a script."""
    return serve(visit.path["name"])


@page("GET", "/app/sign-in", open_to_all=True)
def sign_in_help(visit: Visit) -> Answer:
    """Say how to sign in: there are no passwords."""
    return visit.show("sign_in.html", status=401, refused=False)


@page("GET", "/app/sign-in/{token}", open_to_all=True)
def sign_in(visit: Visit) -> Answer:
    """Use a link up and begin a session; a glance at the link (HEAD, a preview) leaves it alone."""
    if visit.request.method == "HEAD" or _is_glance(visit):
        return visit.show("sign_in.html", refused=False)
    cookie = visit.services.sessions.redeem(visit.path["token"])
    if cookie is None:
        return visit.show("sign_in.html", status=_GONE, refused=True)
    earlier = read_cookie(visit.request, SESSION_COOKIE)
    visit.services.sessions.end(earlier)
    seconds = int(LONGEST.total_seconds())
    header = set_cookie(
        SESSION_COOKIE, cookie, path=_COOKIE_PATH, seconds=seconds, secure=visit.is_secure
    )
    return redirect("/app", {"Set-Cookie": header})


@page("POST", "/app/sign-out", scope=None)
def sign_out(visit: Visit) -> Answer:
    """End this session."""
    visit.services.sessions.end(read_cookie(visit.request, SESSION_COOKIE))
    header = set_cookie(SESSION_COOKIE, "", path=_COOKIE_PATH, seconds=0, secure=visit.is_secure)
    return redirect("/app/sign-in", {"Set-Cookie": header})


def _is_glance(visit: Visit) -> bool:
    """Tell whether no person opened this: a prefetch, or an image's or a frame's address."""
    headers = visit.request.headers
    purpose = headers.get("sec-purpose", headers.get("purpose", ""))
    return "prefetch" in purpose or headers.get("sec-fetch-dest", "document") != "document"
