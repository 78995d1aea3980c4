"""Tools that change nothing: accounts, choices, times, posts, history, results."""

import itertools
from dataclasses import dataclass

from goldenhour.assistant.workspace import Workspace
from goldenhour.http.writing import to_json
from goldenhour.spoken.choosing import find_account

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Reading:
    """The tools that only read. Their docstrings are what an assistant is told."""

    workspace: Workspace

    def list_accounts(self) -> Json:
        """List the connected accounts: id, platform, handle and health."""
        accounts = self.workspace.client().accounts.list()
        return {"accounts": to_json(accounts.data)}

    def account_choices(self, account: str, subreddit: str | None = None) -> Json:
        """Show what an account can choose for its options: boards, playlists, privacy levels.

        `account` is an id, a platform or platform:handle; `subreddit` adds that community's flairs.
        """
        api = self.workspace.client().accounts
        found = find_account(account, api.list().data)
        choices = to_json(api.choices(found.id, subreddit=subreddit).data)
        if found.platform != "tiktok":
            return {"account": to_json(found), "choices": choices}
        creator = to_json(api.tiktok_options(found.id))
        return {"account": to_json(found), "choices": choices, "creator": creator}

    def good_times(self, zone: str | None = None) -> Json:
        """Tell the next free queue time and each platform's next golden hour, in words."""
        times = self.workspace.client().times
        hours, queue = times.golden_hours(), times.queue_slots()
        return {
            "now": self.workspace.tell(self.workspace.now(), zone),
            "next_free_queue_time": None
            if queue.next_free is None
            else self.workspace.tell(queue.next_free, zone),
            "golden_hours": {
                platform: self.workspace.tell(hour.at, zone)
                for platform, hour in hours.platforms.items()
            },
        }

    def find_posts(
        self, status: str | None = None, text: str | None = None, limit: int = 20
    ) -> Json:
        """Find posts, newest first.

        `status`: comma-separated from draft, scheduled, publishing, published, partial, failed,
        cancelled. `text`: what the caption contains. At most 100.
        """
        limit = max(1, min(limit, 100))
        found = self.workspace.client().posts.list(
            status=status.split(",") if status else (), q=text, page_size=limit
        )
        return {"posts": [self.workspace.post(post) for post in itertools.islice(found, limit)]}

    def show_post(self, post_id: str, zone: str | None = None) -> Json:
        """Show a post: its status, and for each account when it goes out or what became of it."""
        return self.workspace.post(self.workspace.client().posts.get(post_id), zone)

    def post_history(self, post_id: str) -> Json:
        """Show what was done to a post and by whom, and every attempt to send it."""
        history = to_json(self.workspace.client().posts.history(post_id))
        return {"history": history}

    def results(self, post_id: str | None = None, days: int = 28) -> Json:
        """Show how often a post was seen, liked, commented and shared.

        Without a post: the sums of the last 7 to 90 days and the best posts.
        """
        if post_id is not None:
            return {"metrics": to_json(self.workspace.client().posts.metrics(post_id))}
        return {"summary": to_json(self.workspace.client().times.summary(days))}

    def check_post(self, post_id: str) -> Json:
        """Tell everything that would keep a post from going out. Use it before scheduling."""
        return {"check": to_json(self.workspace.client().posts.check(post_id))}
