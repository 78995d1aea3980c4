"""The counts in every page's navigation, and a page with all components for developers."""

from collections import Counter

from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.messages import json_answer
from chalicelib.web.pages.posts import TABS
from chalicelib.web.pages.waiting import count_of, waiting_of
from chalicelib.web.routing import Visit, page

_MOST = 100
_MOST_IN_SHARD = 1_000
_SCHEDULED = frozenset({PostStatus.SCHEDULED})


@page("GET", "/app/counts")
def counts(visit: Visit) -> Response:
    """Answer a script with how many posts are scheduled, in all and per account, and what waits.

    With `faces` in the query, also which accounts have a picture; with `tabs`, how many posts each
    tab of the list has.
    """
    query = PostQuery(statuses=_SCHEDULED, limit=_MOST)
    found, waiting = in_parallel(
        lambda: visit.find_posts(query),
        lambda: waiting_of(visit),
    )
    by_account = Counter(
        target.account_id
        for post in found.posts
        for target in post.targets
        if target.status is TargetStatus.SCHEDULED
    )
    more = "+" if found.cursor is not None else ""
    said = {account: f"{number}{more}" for account, number in by_account.items()}
    said |= {
        "Posts": f"{len(found.posts)}{more}",
        "Review": f"{len(waiting.pending)}",
        "Waiting": f"{count_of(waiting.on_the_bell(visit.who.member))}",
    }
    shown: dict[str, object] = {name: text for name, text in said.items() if text != "0"}
    if "tabs" in visit.query:
        tabs = visit.services.stores.post_lists.counts(visit.caller.workspace_id, _MOST_IN_SHARD)
        for name, states in TABS:
            number = sum(tabs[PostStatus(one)] for one in states) if states else tabs.total()
            shown |= {f"tab {name}": f"{number:,}"} if number else {}
    if "faces" in visit.query:
        profiles = visit.services.stores.profiles.of_workspace(visit.caller.workspace_id)
        shown["faces"] = [one.account_id for one in profiles.values() if one.picture_kind]
    return json_answer(shown)


@page("GET", "/app/_components")
def components(visit: Visit) -> Response:
    """Show every component of pages in each of its states, for developers."""
    return visit.show("components.html")
