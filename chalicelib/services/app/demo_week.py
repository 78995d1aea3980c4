"""A week of posts on test accounts, for somebody who looks around before writing any of their own.

They are ordinary posts, and go to the sandbox alone. Accounts of the name below, with all that goes
only to them, are what is removed again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.times.local_time import first_instant, wall_clock
from chalicelib.domain.workspace.access import Caller, Scope, require
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.activity import Actor
from chalicelib.domain.workspace.operator_errors import AccountLimitError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.operator.connections import Connections
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.storage.posts.lists import PostLists

HANDLE: Final = "Demo bakery"
_PLATFORMS: Final = (Platform.LINKEDIN, Platform.BLUESKY)
_A_PAGE: Final = 200
_PHOTOS: Final = Path(__file__).parent / "demo_photos"


class DemoPost(NamedTuple):
    """A post of the week: days from today, the hour there, its photo, to how many accounts."""

    day: int
    hour: time
    text: str
    photo: str = ""
    accounts: int = 2


WEEK: Final = (
    DemoPost(
        0, time(18, 15), "Last loaves of the day: two for the price of one until seven.", "boule"
    ),
    DemoPost(1, time(8), "Pretzels come out of the oven at eight.", "pretzel", 1),
    DemoPost(1, time(12, 30), "Why bread goes stale faster in the fridge.", "slices"),
    DemoPost(
        2, time(18, 15), "We are looking for a second baker. Work begins at four.", accounts=1
    ),
    DemoPost(3, time(9), "Our rye: three ingredients and eighteen hours.", "boule"),
    DemoPost(4, time(17, 30), "Order your Sunday rolls by tomorrow at noon.", "buns"),
    DemoPost(5, time(10), "On the market until two: find us beside the town hall.", accounts=1),
    DemoPost(6, time(18, 15), "Next week: spelt, and the first stollen of the year.", "slices"),
)


def is_of_demo(account: Account) -> bool:
    """Tell whether an account was connected for the demo week."""
    return account.test and account.handle == HANDLE


def posts_of_week(
    accounts: Sequence[str], photos: Mapping[str, str], now: datetime, zone: ZoneInfo
) -> Iterator[NewPost]:
    """Yield the week's posts from the day that it is in the zone; what has passed is left out."""
    today = wall_clock(now, zone).date()
    for one in WEEK:
        at = first_instant(datetime.combine(today + timedelta(days=one.day), one.hour), zone)
        if at > now:
            targets = (NewTarget(account_id=to, scheduled_at=at) for to in accounts[: one.accounts])
            media_ids = (photos[one.photo],) if one.photo else ()
            yield NewPost(caption=one.text, media_ids=media_ids, targets=tuple(targets))


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoWeek:
    """The demo week of the caller's workspace."""

    connections: Connections
    drafts: Drafts
    scheduling: Scheduling
    lists: PostLists
    library: MediaLibrary
    clock: Clock

    def fill(self, caller: Caller) -> None:
        """Connect the test accounts that the plan has room for, and schedule the week on them.

        Nothing happens where there is one. Raises AccountLimitError and PlanLimit.
        """
        require(caller, Scope.ACCOUNTS)
        if self._accounts(caller):
            return
        accounts = [self._connect(caller, _PLATFORMS[0])]
        with suppress(AccountLimitError):
            accounts += [self._connect(caller, platform) for platform in _PLATFORMS[1:]]
        known = replace(caller, accounts={**caller.accounts, **dict.fromkeys(accounts, ())})
        photos = {
            file.stem: self.library.upload(caller, file.name, file.read_bytes()).id
            for file in sorted(_PHOTOS.iterdir())
        }
        for post in posts_of_week(accounts, photos, self.clock(), ZoneInfo(caller.timezone)):
            self.drafts.create(known, post, then=lambda: self.scheduling.ways(known, Verb.SCHEDULE))

    def remove(self, caller: Caller) -> None:
        """Delete what goes to the demo's accounts alone, with files of no other post, and those."""
        require(caller, Scope.ACCOUNTS)
        accounts = self._accounts(caller)
        posts = list(self._posts(caller.workspace_id, accounts))
        for post in posts:
            self.drafts.delete(caller, post.id)
        for media_id in {one for post in posts for one in post.media_ids}:
            if not self.library.files.users(media_id):
                self.library.remove(caller, media_id)
        for account_id in accounts:
            self.connections.disconnect(account_id, by=Actor.of(caller))

    def _connect(self, caller: Caller, platform: Platform) -> str:
        return self.connections.connect_test_account(
            caller.workspace_id, platform=platform, handle=HANDLE, by=Actor.of(caller)
        ).id

    def _accounts(self, caller: Caller) -> frozenset[str]:
        found = self.connections.list(caller.workspace_id)
        return frozenset(one.id for one in found if is_of_demo(one))

    def _posts(self, workspace_id: str, accounts: frozenset[str]) -> Iterator[Post]:
        query: PostQuery | None = PostQuery(account_ids=accounts, limit=_A_PAGE)
        while query is not None and accounts:
            found = self.lists.find(workspace_id, query)
            for post in found.posts:
                if accounts.issuperset(target.account_id for target in post.targets):
                    yield post
            query = replace(query, cursor=found.cursor) if found.cursor else None
