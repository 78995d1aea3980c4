"""How a post of ours is found on Reddit again: GET /user/{name}/submitted, GET /r/{name}/new.

www.reddit.com/dev/api#listings has both. A file's asset is an exact key: it stands in the address
under which Reddit shows the file. A text or a link is known by its community and title, from a
minute before the call that may have made it. People can keep posts off their profile and moderators
off their community, hence two listings. That neither shows it proves nothing unless the profile
shows something newer of the same account.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.reddit.api import RedditApi, breather, caller
from chalicelib.connectors.reddit.post import community_of, title_of
from chalicelib.connectors.reddit.refusals import RedditRefusal
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.reconciliation import earliest, is_witness, normalize_text
from chalicelib.domain.outcome import CALL_DEADLINE, Checkpoint, Sent
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count, find, of_epoch

SUBMIT, FIND = "submit", "find"
TEXT_LAG, IMAGE_LAG = timedelta(minutes=1), timedelta(minutes=10)
"""So long after it was sent a post is shown, or never."""

ACCEPTED_LAG = timedelta(minutes=30)
"""For a video, and for whatever Reddit said it accepted: long videos take long to be made."""

PLACES = 2
"""What is in neither listing, once its time is over, is nowhere."""

_BEFORE = timedelta(minutes=1)
_ASKED = {"limit": "100", "show": "all"}
"""`show`: or else posts that the person hid from herself are left out."""

_SHOWN_AT = frozenset({"i.redd.it", "v.redd.it"})
_POST = re.compile(r"t3_[0-9a-z]+")
_DELAYS = tuple(timedelta(seconds=s) for s in (5, 10, 20))
_LATER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for: an asset if that is known, else a title in a community."""

    asset: str | None
    author: str
    community: str
    title: str
    since: datetime

    def is_met_by(self, post: Json) -> bool:
        """Tell whether a post of the listing is the one."""
        if self.asset is not None:
            return asset_of(post) == self.asset
        by, where = find(post, "data", "author"), find(post, "data", "subreddit")
        return (
            str(by).casefold() == self.author.casefold()
            and str(where).casefold() == self.community.casefold()
            and _plain(str(find(post, "data", "title"))) == _plain(self.title)
            and _made_at(post) >= (self.since - _BEFORE).timestamp()
        )


@dataclass(frozen=True, slots=True)
class Page:
    """Some posts of a listing, newest first; `after` is where it goes on."""

    posts: list[Json]
    after: str | None
    breather: timedelta
    is_profile: bool = False

    def find(self, target: Wanted) -> Json:
        """Return the post that is looked for, or None."""
        return earliest((find(p, "data") for p in self.posts if target.is_met_by(p)), made_at)

    def has_witness(self, sent: Sent) -> bool:
        """Tell whether the account's own listing shows a post that is newer than the call."""
        made = (_made_at(post) for post in self.posts if self.is_profile)
        return any(is_witness(of_epoch(at), sent) for at in made)

    def next(self, since: datetime) -> str | None:
        """Return where the listing goes on, None if all that follows is too old."""
        # The oldest of the page may be one that is pinned, so all of them are asked.
        newest = max((_made_at(post) for post in self.posts), default=0)
        return self.after if newest >= (since - _BEFORE).timestamp() else None


def wanted_post(
    publication: Publication, checkpoint: Checkpoint, text: str, since: datetime
) -> Wanted:
    """Return what to look for.

    What was uploaded at an earlier step need not be what was sent, after a restore from a backup.
    """
    asset = checkpoint.data.get("asset") if checkpoint.step in {SUBMIT, FIND} else None
    return Wanted(
        asset=asset if isinstance(asset, str) else None,
        author=publication.account.handle,
        community=community_of(publication.options) or "",
        title=title_of(publication.options, text),
        since=since,
    )


def late_reconciliations(data: Mapping[str, Json], sent: Sent) -> int:
    """Return how many places were looked at in vain after the time of this very call was over."""
    return count(dict(data), "late") if data.get("late_for") == sent.at.isoformat() else 0


def window(publication: Publication, checkpoint: Checkpoint) -> timedelta:
    """Return how long after its call a post may still turn up."""
    media = publication.media
    if checkpoint.step == FIND or (media is not None and media.kind is MediaKind.VIDEO):
        return CALL_DEADLINE + ACCEPTED_LAG
    return CALL_DEADLINE + (TEXT_LAG if media is None else IMAGE_LAG)


def pause(looks: int) -> timedelta:
    """Return how long to wait after so many looks."""
    return _DELAYS[looks] if looks < len(_DELAYS) else _LATER


def reconcile(
    api: RedditApi, publication: Publication, data: Mapping[str, Json], after: Json = None
) -> Page:
    """Return a page of what the account posted and of what is new in the community, in turns."""
    is_second = count(dict(data), "looks") % 2 == 1
    return (_in_community if is_second else by_account)(api, publication, after)


def by_account(api: RedditApi, publication: Publication, after: Json = None) -> Page:
    """Look on the profile. A refusal says nothing of the post, so none is passed on that would."""
    account, asked = publication.account, _listing_params(after)
    try:
        path = f"/user/{account.handle}/submitted"
        page = _page(api.listing(caller(account), path, {**asked, "sort": "new"}))
        return replace(page, is_profile=True)
    except RejectedError as error:
        raise RedditRefusal.UNREADABLE.error() from error


def _listing_params(after: Json) -> dict[str, str]:
    return {**_ASKED, "after": after} if isinstance(after, str) else dict(_ASKED)


def _in_community(api: RedditApi, publication: Publication, after: Json) -> Page:
    """Look in the community, which may be one that shows nothing: that is for Reddit to say."""
    path = f"/r/{community_of(publication.options)}/new"
    try:
        return _page(api.listing(caller(publication.account), path, _listing_params(after)))
    except RejectedError as error:
        if error.is_bare:
            raise
        return Page([], None, timedelta(0))


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


def _page(response: PlatformResponse) -> Page:
    after = response.find("data", "after")
    posts = response.items("data", "children")
    return Page(posts, after if isinstance(after, str) else None, breather(response))


def _plain(title: str) -> str:
    """Return a title without what cannot be seen of it."""
    shown = normalize_text(title)
    return "".join(sign for sign in shown if not unicodedata.category(sign).startswith("C"))


def made_at(post: Json) -> datetime | None:
    """Return when a post was made, None for a time that no calendar has."""
    return of_epoch(_made_at({"data": post}))


def _made_at(post: Json) -> int:
    return count(post, "data", "created_utc")
