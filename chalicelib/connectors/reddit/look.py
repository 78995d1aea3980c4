"""How a post of ours is found on Reddit again: GET /user/{name}/submitted.

A file's asset is an exact key: it stands in the address under which Reddit shows the file. A text
or a link is known by its community and title, from a minute before the call that may have made it.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from chalicelib.connectors.connector import CALL_DEADLINE, ConnectedAccount, Publication
from chalicelib.connectors.reddit.api import RedditApi, caller
from chalicelib.connectors.reddit.post import community_of, title_of
from chalicelib.connectors.replies import RejectedError, UnansweredError
from chalicelib.connectors.reply import Reply, find
from chalicelib.domain.outcome import Checkpoint, FailureCode, Json
from chalicelib.domain.platforms import MediaKind

SUBMIT, FIND = "submit", "find"
TEXT_LAG, IMAGE_LAG = timedelta(minutes=1), timedelta(minutes=10)
"""After that much a post that was sent shows, or will not."""

ACCEPTED_LAG = timedelta(minutes=30)
"""What Reddit said it took, or a video, gets more: long ones are long in the making."""

_UNREADABLE = "Reddit does not show what this account has posted. Look there before you retry."
_BEFORE = timedelta(minutes=1)
_PAGE = "100"
_SHOWN_AT = frozenset({"i.redd.it", "v.redd.it"})
_POST = re.compile(r"t3_[0-9a-z]+")
_DELAYS = tuple(timedelta(seconds=s) for s in (5, 10, 20))
_LATER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for: an asset if that is known, else a title in a community."""

    asset: str | None
    community: str
    title: str
    since: datetime

    def is_met_by(self, post: Json) -> bool:
        """Tell whether a post of the listing is the one."""
        if self.asset is not None:
            return asset_of(post) == self.asset
        where, title = find(post, "data", "subreddit"), find(post, "data", "title")
        return (
            str(where).casefold() == self.community.casefold()
            and _plain(str(title)) == _plain(self.title)
            and _made_at(post) >= (self.since - _BEFORE).timestamp()
        )


def wanted(publication: Publication, checkpoint: Checkpoint, text: str, since: datetime) -> Wanted:
    """Return what to look for.

    What was uploaded at an earlier step need not be what was sent, after a restore from a backup.
    """
    asset = checkpoint.data.get("asset") if checkpoint.step in {SUBMIT, FIND} else None
    return Wanted(
        asset=asset if isinstance(asset, str) else None,
        community=community_of(publication.options) or "",
        title=title_of(publication.options, text),
        since=since,
    )


def first_sent(data: Mapping[str, Json], at: datetime) -> datetime:
    """Return when the first of the calls was made that may have brought the post."""
    since = data.get("since")
    return datetime.fromisoformat(since) if isinstance(since, str) else at


def window(publication: Publication, checkpoint: Checkpoint) -> timedelta:
    """Return how long after its call a post may still turn up."""
    media = publication.media
    if checkpoint.step == FIND or (media is not None and media.kind is MediaKind.VIDEO):
        return CALL_DEADLINE + ACCEPTED_LAG
    return CALL_DEADLINE + (TEXT_LAG if media is None else IMAGE_LAG)


def pause(looks: int) -> timedelta:
    """Return how long to wait after so many looks."""
    return _DELAYS[looks] if looks < len(_DELAYS) else _LATER


def submitted(api: RedditApi, account: ConnectedAccount, after: Json = None) -> Reply:
    """Return a page of what the account posted, newest first.

    A refusal here says nothing about the post, so none is passed on that would.
    """
    asked = {"sort": "new", "limit": _PAGE}
    if isinstance(after, str):
        asked["after"] = after
    try:
        return api.listing(caller(account), f"/user/{account.handle}/submitted", asked)
    except RejectedError as error:
        raise RejectedError(FailureCode.PERMISSION_MISSING, _UNREADABLE) from error


def found_in(page: Reply, target: Wanted) -> Json:
    """Return the post that is looked for, or None."""
    posts = page.items("data", "children")
    return next((find(post, "data") for post in posts if target.is_met_by(post)), None)


def next_page(page: Reply, since: datetime) -> str | None:
    """Return where the listing goes on, None if all that follows is too old."""
    after, posts = page.find("data", "after"), page.items("data", "children")
    if not isinstance(after, str) or not posts:
        return None
    # The oldest of the page may be one that is pinned, so all of them are asked.
    is_past = max(_made_at(post) for post in posts) < (since - _BEFORE).timestamp()
    return None if is_past else after


def name_of(post: Json) -> str:
    """Return a post's full id. Raises UnansweredError."""
    name = find(post, "name")
    if not isinstance(name, str) or not _POST.fullmatch(name):
        raise UnansweredError("A post in Reddit's answer has no id.")
    return name


def asset_of(post: Json) -> str | None:
    """Return the asset that a post shows, None for one without a file on Reddit."""
    try:
        address = urlsplit(str(find(post, "data", "url")))
    except ValueError:
        return None
    if address.hostname not in _SHOWN_AT:
        return None
    return address.path.strip("/").partition("/")[0].partition(".")[0]


def _plain(title: str) -> str:
    return " ".join(unicodedata.normalize("NFC", title).split())


def _made_at(post: Json) -> float:
    made = find(post, "data", "created_utc")
    return float(made) if isinstance(made, int | float) else 0.0
