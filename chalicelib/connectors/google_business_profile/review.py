"""What Google makes of a post that it took: it may refuse it at once, or after some minutes.

developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts#LocalPostState
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.transport.responses import count, find
from chalicelib.domain.outcome import Checkpoint, Done, Failed, FailureCode, Json, Wait

REJECTED = "REJECTED"
WATCHED_FOR = timedelta(minutes=15)
_SHOWN = frozenset({"LIVE", "RECURRING"})
_POLLS = (timedelta(seconds=10), timedelta(seconds=30))
_LATER_POLLS = timedelta(seconds=60)
_REFUSED = {
    FailureCode.CAPTION_REJECTED: (
        "Google refused the post: its text or photo is against Google's rules for posts."
        " Phone numbers in the text are the usual reason."
    ),
    FailureCode.MEDIA_REJECTED: (
        "Google refused the post: its photo is against Google's rules for posts."
    ),
}


def begun(name: str, now: datetime) -> dict[str, Json]:
    """Return what a checkpoint keeps of a post that Google took just now."""
    return {"name": name, "taken_at": now.isoformat()}


def verdict(publication: Publication, post: Json, data: Mapping[str, Json]) -> Done | Wait | Failed:
    """Return what a post's state means; one that Google does not tell is like a post in review.

    What is still in review when nobody watches any longer counts as published: Google took it.
    """
    state = find(post, "state")
    if state == REJECTED:
        return rejected(publication)
    taken_at = datetime.fromisoformat(str(data["taken_at"]))
    if state in _SHOWN or publication.now >= taken_at + WATCHED_FOR:
        return Done(remote_id=str(data["name"]), url=_link(publication, post))
    polls = count(dict(data), "polls")
    delay = _POLLS[polls] if polls < len(_POLLS) else _LATER_POLLS
    return Wait(Checkpoint("review", {**data, "polls": polls + 1}), delay)


def rejected(publication: Publication) -> Failed:
    """Return the end of a post that Google will not show."""
    has_text = bool(publication.text.strip())
    code = FailureCode.CAPTION_REJECTED if has_text else FailureCode.MEDIA_REJECTED
    return Failed(code=code, message=_REFUSED[code], final=True)


def _link(publication: Publication, post: Json) -> str:
    """Return where the post is seen, or else the location's place on the map."""
    account = publication.account
    known = (find(post, "searchUrl"), account.settings.get("maps_uri"))
    _, _, location = (account.remote_id or "").partition("/locations/")
    fallback = f"https://business.google.com/locations/{location}"
    return next((link for link in known if isinstance(link, str) and link), fallback)
