"""The list of posts, newest first: filters, search, and changes of several posts at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

from chalicelib.domain.analytics.metrics import Counts
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.chosen_accounts import groups_of
from chalicelib.web.messages import Form
from chalicelib.web.routing import Visit, page
from chalicelib.web.sentences import sentence

_A_PAGE = 30
_MOST_CHOSEN = 50
_SPANS = {"": "Any time", "7": "Last 7 days", "28": "Last 28 days", "90": "Last 90 days"}
TABS = (
    ("Scheduled", ("scheduled", "publishing")),
    ("Drafts", ("draft",)),
    ("Published", ("published",)),
    ("Failed", ("failed", "partial")),
    ("Cancelled", ("cancelled",)),
    ("All", ()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The filters of the list: which posts are shown."""

    states: frozenset[str]
    text: str
    accounts: tuple[str, ...]
    days: str
    label: str

    def of_group(self, account_ids: Sequence[str]) -> str:
        """Return the address of the same list for these accounts only."""
        return replace(self, accounts=tuple(account_ids)).at()

    def at(self, states: Sequence[str] | None = None, cursor: str = "") -> str:
        """Return the address of these posts, or of those in other states."""
        chosen = self.states if states is None else states
        fields = [("q", self.text), ("days", self.days)]
        fields += [("label", self.label), ("cursor", cursor)]
        fields += [("account", one) for one in self.accounts]
        fields += [("status", one) for one in sorted(chosen)]
        asked = urlencode([pair for pair in fields if pair[1]])
        return f"/app/posts?{asked}" if asked else "/app/posts"


def _read_wanted(visit: Visit, sent: Form) -> Wanted:
    return Wanted(
        states=frozenset({status.value for status in PostStatus} & set(sent.all("status"))),
        text=sent["q"],
        accounts=tuple(one for one in sent.all("account") if one in visit.caller.accounts),
        days=sent["days"] if sent["days"] in _SPANS else "",
        label=sent["label"] if is_id(sent["label"]) else "",
    )


@page("GET", "/app/posts")
def list_posts(visit: Visit) -> Response:
    """Show the newest posts that match the filters."""
    wanted, cursor = _read_wanted(visit, visit.sent), visit.sent["cursor"]
    since = visit.now - timedelta(days=int(wanted.days)) if wanted.days else None
    query = PostQuery(
        statuses=frozenset(PostStatus(one) for one in wanted.states),
        text=wanted.text,
        account_ids=frozenset(wanted.accounts),
        label=wanted.label or None,
        since=since,
        until=None if since is None else visit.now,
        limit=_A_PAGE,
        cursor=cursor if is_id(cursor) else None,
    )
    labels = visit.services.posting.labels
    found, known_labels, groups = in_parallel(
        lambda: visit.find_posts(query),
        lambda: labels.list(visit.caller),
        lambda: groups_of(visit),
    )
    counts, labelled = in_parallel(
        lambda: _counts(visit, found.posts),
        lambda: labels.of_known(known_labels, [post.id for post in found.posts]),
    )
    place = "Older" if query.cursor else "" if found.cursor is None else "Newest"
    return visit.show(
        "posts/list.html",
        wanted=wanted,
        posts=found.posts,
        tabs=[(name, wanted.at(states), states) for name, states in TABS],
        spans=_SPANS,
        labels=known_labels,
        groups=groups,
        labelled=labelled,
        counts=counts,
        most=max((one.views for one in counts.values()), default=0) or 1,
        shown=f"{place} {len(found.posts)}".strip(),
        following=None if found.cursor is None else wanted.at(cursor=found.cursor),
    )


def _counts(visit: Visit, posts: Sequence[Post]) -> Mapping[str, Counts]:
    """Return the metrics of each post that is live somewhere and has some, by its id."""
    live = [post for post in posts if post.is_live_anywhere]
    if not live:
        return {}
    known = visit.services.people.analytics.of_posts(visit.caller, live)
    return {
        post_id: metrics.total
        for post_id, metrics in known.items()
        if any(one.counts for one in metrics.targets)
    }


@page("POST", "/app/posts/chosen", scope=Scope.WRITE, pays=True, again=list_posts)
def change_chosen(visit: Visit) -> Response:
    """Copy, label or delete several posts, each on its own. Raises InvalidInput for too many."""
    chosen = list(dict.fromkeys(one for one in visit.form.all("post") if is_id(one)))
    if not 0 < len(chosen) <= _MOST_CHOSEN:
        message = f"Choose 1 to {_MOST_CHOSEN} posts; you chose {len(chosen)}."
        raise InvalidInput(message, loc=("body", "post"))
    did, act = _act(visit)
    failed: list[ServiceError] = []
    for post_id in chosen:
        try:
            act(post_id)
        except ServiceError as error:
            failed.append(error)
    why = dict.fromkeys(sentence(error, visit.now, visit.zone) for error in failed)
    said = " ".join([f"{len(chosen) - len(failed)} of {len(chosen)} {did}.", *why])
    wanted = _read_wanted(visit, visit.form)
    copied = did == "copied" and len(failed) < len(chosen)
    shown = replace(wanted, states=frozenset({"draft"})) if copied else wanted
    return visit.lead_to(shown.at(), said)


def _act(visit: Visit) -> tuple[str, Callable[[str], object]]:
    """Return the word for what was done with each post, and the function that does it."""
    caller, drafts, label = visit.caller, visit.services.posting.drafts, visit.form["give"]
    if label:
        labels = visit.services.posting.labels
        return "labelled", lambda post_id: labels.give_one_more(caller, post_id, label)
    if visit.form["do"] == "delete":
        return "deleted", lambda post_id: drafts.delete(caller, post_id)
    return "copied", lambda post_id: drafts.duplicate(caller, post_id)
