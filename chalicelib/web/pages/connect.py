"""Connecting accounts through a platform's own sign-in: from the app, and at `/connect/<token>`.

The platform sends the browser back to `/connect/callback`. A cookie for `/connect` binds that
answer to the browser that began. Where a link redirects afterwards is read from the link's row, not
from the request.
"""

from urllib.parse import urlencode, urlsplit

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.sessions import FLOW_LIFETIME, Link
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.app.connecting import Begun, Ended, Starter
from chalicelib.web.messages import redirect
from chalicelib.web.pages.accounts import read_platform
from chalicelib.web.routing import Visit, page

_COOKIE = "goldenhour_connect"
_PATH = "/connect"


@page("GET", "/app/connect", scope=Scope.ACCOUNTS)
def ways(visit: Visit) -> Response:
    """Show every platform's sign-in methods; the query can name an account to sign in to again."""
    account = visit.find_account(visit.query["account"])
    if account is not None and account.test:
        raise OperatorError("A test account has no sign-in.")
    only = None if account is None else account.platform
    here = visit.caller.workspace_id
    return _ways_page(visit, "/app/connect", only, workspace_id=here, account=account)


@page("POST", "/app/connect", scope=Scope.ACCOUNTS)
def begin(visit: Visit) -> Response:
    """Redirect a member to the platform's sign-in page."""
    starter = Starter(workspace_id=visit.caller.workspace_id, member_id=visit.caller.member_id)
    account_id = visit.form["account"] or None
    if account_id is not None:
        visit.require_account(account_id)
    return _begin_sign_in(visit, starter, None, account_id)


@page("GET", "/connect/{token}", open_to_all=True)
def open_link(visit: Visit) -> Response:
    """Show the platforms that a link can connect."""
    link = visit.services.sign_in.connecting.open_link(visit.path["token"])
    asking = visit.services.sign_in.connecting.asking(link)
    return _ways_page(
        visit,
        f"/connect/{visit.path['token']}",
        link.platform,
        workspace_id=link.workspace_id,
        asking=asking,
    )


@page("POST", "/connect/{token}", open_to_all=True)
def begin_by_link(visit: Visit) -> Response:
    """Redirect whoever has a link to the platform's sign-in page."""
    link = visit.services.sign_in.connecting.open_link(visit.path["token"])
    starter = Starter(workspace_id=link.workspace_id, link_hash=link.hash)
    return _begin_sign_in(visit, starter, link, None)


@page("GET", "/connect/callback", open_to_all=True)
def callback(visit: Visit) -> Response:
    """Finish the sign-in with the platform's answer, which is in the query."""
    state = visit.query["state"]
    query = urlencode(visit.request.query, doseq=True)
    if visit.other_name is not None and visit.cookie(_COOKIE) is None:
        return redirect(f"{visit.other_name}{visit.request.path}?{query}")
    ended = visit.services.sign_in.connecting.finish(
        state, visit.cookie(_COOKIE), query, client=visit.request.client
    )
    return _answer(visit, ended)


@page("POST", "/connect/choose", open_to_all=True)
def choose(visit: Visit) -> Response:
    """Connect the page, channel or location that was chosen."""
    mark = visit.cookie(_COOKIE)
    ended = visit.services.sign_in.connecting.choose(
        visit.form["state"], mark, visit.form["identity"], client=visit.request.client
    )
    return _answer(visit, ended)


def _begin_sign_in(
    visit: Visit, starter: Starter, link: Link | None, account_id: str | None
) -> Response:
    connecting, form = visit.services.sign_in.connecting, visit.form
    platform = read_platform(form["platform"])
    if link is not None and link.platform not in (None, platform):
        raise OperatorError("This link is for another platform.")
    handle = form["handle"].strip() or None
    if form["password"]:
        ended = connecting.by_password(
            starter, platform, handle or "", form["password"], client=visit.request.client
        )
        return _answer(visit, ended)
    begun = connecting.begin(starter, platform, form["method"] or None, handle, account_id)
    return _redirect_to_platform(visit, begun)


def _redirect_to_platform(visit: Visit, begun: Begun) -> Response:
    if urlsplit(begun.url).scheme not in {"https", "http"}:
        raise OperatorError("The platform gave no address to sign in at.")
    seconds = int(FLOW_LIFETIME.total_seconds())
    cookie = visit.cookie_header(_COOKIE, begun.browser_mark, path=_PATH, seconds=seconds)
    return redirect(begun.url, cookie)


def _answer(visit: Visit, ended: Ended) -> Response:
    if ended.account is None:
        return visit.show("accounts/choose.html", ended=ended)
    if ended.starter.member_id is not None:
        return redirect("/app/accounts")
    if ended.return_to is None:
        return visit.show("accounts/connected.html", account=ended.account)
    mark = "&" if urlsplit(ended.return_to).query else "?"
    return redirect(f"{ended.return_to}{mark}{urlencode({'account_id': ended.account.id})}")


def _ways_page(
    visit: Visit,
    action: str,
    only: Platform | None,
    *,
    workspace_id: str,
    account: object | None = None,
    asking: str | None = None,
) -> Response:
    ways = visit.services.sign_in.connecting.ways
    every = ways.all(workspace_id)
    passwords = ways.by_password() if account is None else []
    return visit.show(
        "accounts/connect.html",
        action=action,
        platforms=[p for p in Platform if only in (None, p)],
        ways=every,
        passwords=passwords,
        usable={way.platform for way in every if way.is_set_up} | set(passwords),
        account=account,
        asking=asking,
    )
