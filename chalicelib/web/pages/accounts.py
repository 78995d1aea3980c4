"""Connected accounts: their health and audience, connecting test accounts, disconnecting."""

from collections import Counter
from operator import itemgetter

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.times.audience import Region
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.activity import Actor
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.routing import Visit, page

_MOST_WAITING = 200
_MOST_LOOKED_AT = 100
_OUT = frozenset({PostStatus.PUBLISHED, PostStatus.PARTIAL})
_WAITING = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})


@page("GET", "/app/accounts")
def list_accounts(visit: Visit) -> Response:
    """Show the connected accounts and the ways to connect another."""
    stores = visit.services.stores
    waiting = PostQuery(
        statuses=_WAITING, sort=Sort.SCHEDULED, since=visit.now, limit=_MOST_LOOKED_AT
    )
    out = PostQuery(statuses=_OUT, limit=_MOST_LOOKED_AT)
    profiles, coming, gone = in_parallel(
        lambda: stores.profiles.of_workspace(visit.caller.workspace_id),
        lambda: visit.find_posts(waiting).posts,
        lambda: visit.find_posts(out).posts,
    )
    following = [
        (target.scheduled_at, target.account_id, post)
        for post in coming
        for target in post.targets
        if target.status is TargetStatus.SCHEDULED and target.scheduled_at
    ]
    last = [
        (target.published_at, target.account_id)
        for post in gone
        for target in post.targets
        if target.published_at
    ]
    return visit.show(
        "accounts/list.html",
        following={
            account_id: (at, post)
            for at, account_id, post in sorted(following, key=itemgetter(0), reverse=True)
        },
        last={account_id: at for at, account_id in sorted(last)},
        followers={
            one.account_id: one.followers
            for one in profiles.values()
            if one.followers is not None and one.account_id in visit.caller.accounts
        },
        gained={one.account_id: one.gained for one in profiles.values()},
        planned=Counter(account_id for _, account_id, _ in following),
        platforms=list(Platform),
        regions=list(Region),
        with_languages=[one for one in Platform if FACTS[one].option("langs") is not None],
    )


@page("POST", "/app/accounts/test", scope=Scope.ACCOUNTS)
def connect_test(visit: Visit) -> Response:
    """Connect an account of the sandbox platform."""
    visit.services.people.connections.connect_test_account(
        visit.caller.workspace_id,
        platform=read_platform(visit.form["platform"]),
        handle=visit.form["handle"].strip(),
        by=Actor.of(visit.caller),
    )
    return visit.lead_to("/app/accounts", "The test account is connected.")


@page("POST", "/app/accounts/ask", scope=Scope.ACCOUNTS)
def ask_client(visit: Visit) -> Response:
    """Make a link with which somebody who is not a member can connect one account."""
    typed = visit.form["platform"]
    token = visit.services.sign_in.connecting.ask(
        visit.caller, read_platform(typed) if typed else None
    )
    said = "Send this link to your client. It connects one account and works for a week."
    link = f"{visit.base_url}/connect/{token}"
    return visit.lead_to("/app/accounts", said, secret=link)


@page("POST", "/app/accounts/{account_id}/regions", scope=Scope.WRITE)
def set_regions(visit: Visit) -> Response:
    """Save the regions of an account's audience."""
    known = {region.value for region in Region}
    chosen = [region for region in visit.form.all("region") if region in known]
    visit.services.workspace.accounts.set_regions(visit.caller, visit.path["account_id"], chosen)
    return visit.lead_to("/app/accounts", "The audience was saved.")


@page("POST", "/app/accounts/{account_id}/languages", scope=Scope.WRITE)
def set_languages(visit: Visit) -> Response:
    """Save the languages of an account's posts that name none themselves."""
    named = visit.form["languages"].replace(",", " ").split()
    account = visit.require_account(visit.path["account_id"])
    visit.services.people.connections.set_languages(account.id, named)
    return visit.lead_to("/app/accounts", "The languages were saved.")


@page("GET", "/app/accounts/{account_id}/disconnect", scope=Scope.ACCOUNTS)
def ask_to_disconnect(visit: Visit) -> Response:
    """Ask whether to disconnect an account, listing what is scheduled on it."""
    account = visit.require_account(visit.path["account_id"])
    found = visit.find_posts(PostQuery(statuses=_WAITING, limit=_MOST_WAITING))
    waiting = [
        post
        for post in found.posts
        if any(
            target.account_id == account.id and target.status is TargetStatus.SCHEDULED
            for target in post.targets
        )
    ]
    return visit.show(
        "accounts/disconnect.html",
        account=account,
        waiting=waiting,
        is_cut=found.cursor is not None,
    )


@page("POST", "/app/accounts/{account_id}/disconnect", scope=Scope.ACCOUNTS)
def disconnect(visit: Visit) -> Response:
    """Disconnect an account; what is scheduled on it will fail."""
    account = visit.require_account(visit.path["account_id"])
    visit.services.people.connections.disconnect(account.id, by=Actor.of(visit.caller))
    return visit.lead_to("/app/accounts", "The account was disconnected.")


def read_platform(typed: str) -> Platform:
    """Return the platform that a form names. Raises OperatorError."""
    try:
        return Platform(typed)
    except ValueError as error:
        raise OperatorError("Choose a platform.") from error
