"""The communities an account has joined, and a community's flairs: reddit.com/dev/api.

Posts may go to communities that the account has not joined, so the list is never everything there
is. A community without flairs, or one whose flairs only moderators may use, answers 403.
"""

from chalicelib.connectors.choices import MOST_PAGES
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.reddit.api import RedditApi, caller
from chalicelib.connectors.reddit.post import community_of
from chalicelib.connectors.transport.failures import RejectedError
from chalicelib.connectors.transport.responses import find
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.choices import FLAIR, SUBREDDIT, Choice, Choices

_PAGE = "100"


def reddit_choices(api: RedditApi, account: ConnectedAccount, subreddit: str | None) -> Choices:
    """Return the account's communities, and the flairs of one that is named."""
    offered = {SUBREDDIT: tuple(_communities(api, account))}
    community = None if subreddit is None else community_of({"subreddit": subreddit})
    if community is None:
        return Choices(offered=offered)
    flairs = _flairs(api, account, community)
    if flairs is None:
        return Choices(offered=offered)
    return Choices(offered={**offered, FLAIR: flairs}, complete=frozenset({FLAIR}))


def _communities(api: RedditApi, account: ConnectedAccount) -> list[Choice]:
    found: list[Choice] = []
    after: str | None = None
    for _ in range(MOST_PAGES):
        more = {} if after is None else {"after": after}
        response = api.listing(
            caller(account), "/subreddits/mine/subscriber", {"limit": _PAGE, **more}
        )
        found += [_community(find(one, "data")) for one in response.items("data", "children")]
        following = response.find("data", "after")
        after = following if isinstance(following, str) and following else None
        if after is None:
            break
    return found


def _community(about: Json) -> Choice:
    name = str(find(about, "display_name"))
    return Choice(name, str(find(about, "display_name_prefixed") or f"r/{name}"))


def _flairs(api: RedditApi, account: ConnectedAccount, community: str) -> tuple[Choice, ...] | None:
    """Return a community's flairs for posts, None where they may not be read."""
    try:
        response = api.get(caller(account), f"/r/{community}/api/link_flair_v2")
    except RejectedError:
        return None
    flairs = response.json()
    if not isinstance(flairs, list):
        return None
    return tuple(Choice(str(find(one, "id")), str(find(one, "text"))) for one in flairs)
