"""Tools that change nothing: accounts, choices, times, posts, history, results."""

import itertools
from dataclasses import dataclass

from goldenhour.assistant import parameters
from goldenhour.assistant.answers import (
    AccountsAnswer,
    CheckAnswer,
    ChoicesAnswer,
    HistoryAnswer,
    KeyAnswer,
    PostAnswer,
    PostsAnswer,
    ResultsAnswer,
    TimesAnswer,
)
from goldenhour.assistant.workspace import Workspace
from goldenhour.models.options import GOLDEN_PLATFORMS
from goldenhour.spoken.choosing import find_account, find_accounts, platform_of
from goldenhour.spoken.times import tell_time


@dataclass(frozen=True, slots=True)
class Reading:
    """The tools that only read. Their docstrings are what an assistant is told."""

    workspace: Workspace

    def list_accounts(self) -> AccountsAnswer:
        """List the connected accounts: id, platform, handle and health."""
        return AccountsAnswer(accounts=self.workspace.client().accounts.list().data)

    def my_key(self) -> KeyAnswer:
        """Tell whose key this is, what it may do, and what is left of X posts and storage."""
        return KeyAnswer(me=self.workspace.client().me())

    def account_choices(
        self,
        account: parameters.AccountName,
        subreddit: parameters.Subreddit = None,
        board: parameters.Board = None,
        place: parameters.PlaceWords = None,
    ) -> ChoicesAnswer:
        """Show what an account can choose for its options: boards, playlists, places."""
        api = self.workspace.client().accounts
        found = find_account(account, api.list().data)
        return ChoicesAnswer(
            account=found,
            choices=api.choices(found.id, subreddit=subreddit, board=board, q=place).data,
            creator=api.tiktok_options(found.id) if found.platform == "tiktok" else None,
        )

    def good_times(self, zone: parameters.Zone = None) -> TimesAnswer:
        """Tell the next free queue time and each platform's next golden hour, in words."""
        client = self.workspace.client()
        connected = {account.platform for account in client.accounts.list()} & GOLDEN_PLATFORMS
        hours = client.times.golden_hours(sorted(connected)).platforms if connected else {}
        next_free = client.times.queue_slots().next_free
        return TimesAnswer(
            now=tell_time(self.workspace.now(), self.workspace.zone_of(zone)),
            next_free_queue_time=None
            if next_free is None
            else self.workspace.tell(next_free, zone),
            golden_hours={
                platform: self.workspace.tell(hour.at, zone) for platform, hour in hours.items()
            },
        )

    def find_posts(  # noqa: PLR0913 - what the list can be asked for
        self,
        *,
        status: parameters.Statuses = None,
        platforms: parameters.OnlyPlatforms = None,
        accounts: parameters.OnlyAccounts = None,
        text: parameters.Text = None,
        since: parameters.Since = None,
        until: parameters.Until = None,
        by_time: parameters.ByTime = False,
        limit: parameters.Limit = 20,
        zone: parameters.Zone = None,
    ) -> PostsAnswer:
        """Find posts, newest first or by their time, also those of a day or a week."""
        client = self.workspace.client()
        known = client.accounts.list().data if accounts else ()
        found = client.posts.list(
            status=[each.strip().lower() for each in status.split(",")] if status else (),
            platform=[platform_of(each) for each in platforms or ()],
            account_id=[account.id for account in find_accounts(accounts or (), known)],
            sort="scheduled" if by_time else None,
            q=text,
            since=None if since is None else self.workspace.bound(since, zone),
            until=None if until is None else self.workspace.bound(until, zone),
            page_size=limit,
        )
        posts = [self.workspace.post(post, zone) for post in itertools.islice(found, limit)]
        return PostsAnswer(posts=posts, more=next(found, None) is not None)

    def show_post(self, post_id: parameters.PostId, zone: parameters.Zone = None) -> PostAnswer:
        """Show a post: its status, and for each account when it goes out or what became of it."""
        return self.workspace.post(self.workspace.client().posts.get(post_id), zone)

    def post_history(self, post_id: parameters.PostId) -> HistoryAnswer:
        """Show what was done to a post and by whom, and every attempt to send it."""
        return HistoryAnswer(history=self.workspace.client().posts.history(post_id))

    def results(
        self, post_id: parameters.SomePostId = None, days: parameters.Days = 28
    ) -> ResultsAnswer:
        """Show how often a post was seen, liked, commented and shared.

        Without a post: the sums of the last days and the best posts.
        """
        client = self.workspace.client()
        if post_id is not None:
            return ResultsAnswer(metrics=client.posts.metrics(post_id, by=["account"]))
        return ResultsAnswer(summary=client.times.summary(days))

    def check_post(self, post_id: parameters.PostId) -> CheckAnswer:
        """Tell everything that would keep a post from going out. Use it before scheduling."""
        return CheckAnswer(check=self.workspace.client().posts.check(post_id))
