"""How a post of ours is found at its location again.

Google takes no key of ours, so the location's posts are read, all pages of them: in which order
they come nobody documents. What is not there in time is sent once more, and no third time: if the
location has a newer post, which shows that its list has come that far. Without one nobody can tell.

What Google takes it may still refuse, at once or after some minutes:
developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts#LocalPostState
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Posted, Publication, ask_again
from chalicelib.connectors.google_business_profile.api import GoogleBusinessProfileApi
from chalicelib.connectors.google_business_profile.post import topic_of
from chalicelib.connectors.google_business_profile.refusals import GoogleRefusal
from chalicelib.connectors.shared.reconciliation import (
    SOON,
    WITNESS_WITHIN,
    all_posted,
    earliest,
    first_sent,
    has_witness,
    is_witness,
    keep_witness,
    page_of,
    shows_text,
    turn_page,
)
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Checkpoint,
    Done,
    Failed,
    Reconciliation,
    Sent,
    Wait,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find, identifier_in, moment

REJECTED = "REJECTED"
WATCHED_FOR = timedelta(minutes=15)
_SHOWN = frozenset({"LIVE", "RECURRING"})
_PACE = (10, 30, 60)


def taken_data(name: str, now: datetime) -> dict[str, Json]:
    """Return what a checkpoint keeps of a post that Google took just now."""
    return {"name": name, "taken_at": now.isoformat()}


def verdict(publication: Publication, post: Json, data: Mapping[str, Json]) -> Done | Wait | Failed:
    """Return what a post's state means; one that Google does not tell is like a post in review.

    What is still in review when nobody watches any longer counts as published: Google took it.
    """
    state = str(find(post, "state"))
    if state == REJECTED:
        return rejection(publication)
    taken_at = datetime.fromisoformat(str(data["taken_at"]))
    if state in _SHOWN or publication.now >= taken_at + WATCHED_FOR:
        return Done(remote_id=str(data["name"]), url=_link(publication, post))
    return ask_again("review", data, _PACE)


def rejection(publication: Publication) -> Failed:
    """Return the end of a post that Google will not show."""
    has_text = bool(publication.text.strip())
    return (GoogleRefusal.REJECTED if has_text else GoogleRefusal.REJECTED_PHOTO).end()


def posts_since(api: GoogleBusinessProfileApi, publication: Publication) -> list[Posted] | None:
    """Return all posts of the location that Google shows; their order is not documented."""

    def read(page: Json) -> tuple[Iterator[Posted], Json]:
        response = api.list_page(publication.account, page)
        shown = (
            Posted(
                live=Done(remote_id=identifier_in(post, "name"), url=_link(publication, post)),
                made=_made_at(post),
            )
            for post in response.items("localPosts")
            if find(post, "state") != REJECTED
        )
        return shown, response.find("nextPageToken") or None

    return all_posted(read, None)


def _link(publication: Publication, post: Json) -> str:
    """Return where the post is seen, or else the location's place on the map."""
    account = publication.account
    known = (find(post, "searchUrl"), account.settings.get("maps_uri"))
    _, _, location = (account.remote_id or "").partition("/locations/")
    fallback = f"https://business.google.com/locations/{location}"
    return next((link for link in known if isinstance(link, str) and link), fallback)


_CERTAIN = CALL_DEADLINE + FACTS[Platform.GOOGLE_BUSINESS_PROFILE].read_lag
_POLLS = (
    timedelta(seconds=10),
    timedelta(seconds=60),
    _CERTAIN,
    timedelta(minutes=10),
    WITNESS_WITHIN,
)
_CLOCKS_DIFFER = timedelta(seconds=60)
REFUSED = Checkpoint("publish", {"rejected": True})
"""Google took the post and will not show it: the step made again says so and sends nothing."""


def reconcile(
    api: GoogleBusinessProfileApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Read one page of the location's posts and look for ours."""
    data, first = checkpoint.data, first_sent(checkpoint.data, sent.at)
    leaf = page_of(data, sent)
    response = api.list_page(publication.account, leaf)
    ours = [
        post
        for post in response.items("localPosts")
        if _is_ours(post, topic_of(publication), sent, first)
    ]
    post = earliest((post for post in ours if find(post, "state") != REJECTED), _made_at)
    if post is not None:
        data = taken_data(identifier_in(post, "name"), publication.now)
        return leave_refusal_to_step(verdict(publication, post, data))
    marks: dict[str, Json] = {"since": first.isoformat()}
    if ours or (leaf is not None and data.get("refused") is True):
        marks["refused"] = True
    posts = response.items("localPosts")
    made = (_made_at(post) for post in posts if post not in ours)
    if has_witness(data, sent) or any(is_witness(at, sent) for at in made):
        keep_witness(marks, sent)
    page = response.find("nextPageToken")
    if isinstance(page, str) and page:
        return Wait(Checkpoint("publish", turn_page(marks, page, sent)))
    is_first_poll = "since" not in data
    return _not_shown(publication, marks, sent, is_first_poll=is_first_poll)


def leave_refusal_to_step(outcome: Done | Wait | Failed) -> Done | Wait:
    """Return what a look makes of a state: that Google refused is said by the step, not by us."""
    return Wait(REFUSED) if isinstance(outcome, Failed) else outcome


def _not_shown(
    publication: Publication, marks: Mapping[str, Json], sent: Sent, *, is_first_poll: bool
) -> Reconciliation:
    """Return what it means that no page has the post in a state to be seen.

    The first look leaves its mark at least, so that a second loss is known as one. A refused post
    with our text may be an older one's: it counts only when ours could not be missed any more.
    """
    passed = publication.now - sent.at
    if marks.get("refused") is True and passed >= _CERTAIN and not is_first_poll:
        return Wait(REFUSED)
    following = next((at for at in _POLLS if at > passed), passed)
    kept = {name: value for name, value in marks.items() if name != "refused"}
    evidence = Evidence(
        next_look=Wait(Checkpoint("publish", kept), max(following - passed, SOON)),
        certain_from=sent.at + _CERTAIN,
        gives_up_at=sent.at + WITNESS_WITHIN,
        looks_left=is_first_poll,
        witness=has_witness(marks, sent),
        was_repeated=sent.at - first_sent(marks, sent.at) >= _CERTAIN,
    )
    return decide(evidence, publication.now)


def _made_at(post: Json) -> datetime | None:
    return moment(find(post, "createTime"))


def _is_ours(post: Json, topic: str, sent: Sent, first: datetime) -> bool:
    if find(post, "topicType") != topic or not isinstance(find(post, "name"), str):
        return False
    created = _made_at(post)
    is_late = created is not None and created >= first - _CLOCKS_DIFFER
    return is_late and shows_text(find(post, "summary"), sent)
