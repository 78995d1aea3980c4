"""Collects the metrics of live posts: polls everything that is due, oldest first.

`app.py` `collect` runs it every few minutes. The `look` index decides what is due: a round that is
interrupted, doubled or lost costs nothing, and the posts that it did not reach come first the next
time. A post that its platform lacks in two polls becomes `removed`.
"""

import heapq
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from chalicelib.connectors.connector import LivePost, as_connected
from chalicelib.domain.analytics.learning import learn
from chalicelib.domain.analytics.polling_schedule import FOLLOWED_FOR, is_followed
from chalicelib.domain.analytics.post_metrics import Answer, Missing
from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.services.analytics import AT_ONCE
from chalicelib.services.counter_updates import CounterUpdates
from chalicelib.services.posts.live_posts import LivePosts
from chalicelib.storage.analytics.counters import DuePoll, Entry
from chalicelib.storage.analytics.reads import AnalyticsReads
from chalicelib.storage.tables import POLL_SHARDS
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.workers.metrics.calls import MetricCalls

MOST_AT_ONCE = 5_000
ROUND = timedelta(minutes=3)
PUT_OFF = timedelta(hours=1)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsWorker:
    """Rounds of polling."""

    counter_updates: CounterUpdates
    reads: AnalyticsReads
    directory: WorkspaceTable
    accounts: AccountRepository
    live_posts: LivePosts
    begin_calls: Callable[[datetime], MetricCalls]
    clock: Clock
    threads: int = 8
    shards: Collection[str] = POLL_SHARDS

    def run(self) -> int:
        """Poll what is due, within the time of a round; return how many rows."""
        now = self.clock()
        end = now + ROUND
        by_workspace: dict[str, list[DuePoll]] = {}
        for poll in self._due(now):
            by_workspace.setdefault(poll.workspace_id, []).append(poll)
        calls = self.begin_calls(end)
        with HelpedPool(self.threads, name="metrics") as pool:
            rounds = [
                pool.submit(self._poll, due_polls, calls, end)
                for due_polls in by_workspace.values()
            ]
        polled = sum(one.result() for one in rounds)
        if polled:
            facts = {"action": "metrics", "looks": polled, "workspaces": len(by_workspace)}
            _LOG.info("Asked platforms how posts do.", extra=facts)
        return polled

    def _due(self, now: datetime) -> Iterator[DuePoll]:
        counter_rows = self.counter_updates.counter_rows
        shards = (counter_rows.due(now, shard=shard, limit=MOST_AT_ONCE) for shard in self.shards)
        return islice(heapq.merge(*shards, key=lambda poll: poll.at), MOST_AT_ONCE)

    def _poll(self, due_polls: Sequence[DuePoll], calls: MetricCalls, end: datetime) -> int:
        """Poll one workspace's posts; return how many rows were due."""
        workspace_id = due_polls[0].workspace_id
        try:
            workspace = self.directory.workspace(workspace_id)
        except Exception:  # noqa: BLE001 - a row that a later release wrote
            self._put_off(workspace_id, due_polls)
            return 0
        if workspace is None:
            return 0
        polled = grown = 0
        for some in _chunks(due_polls):
            if self.clock() > end:
                break
            try:
                grown += self._poll_some(workspace, some, calls)
            except Exception:  # noqa: BLE001 - one workspace must not keep the others
                self._put_off(workspace_id, some)
            polled += len(some)
        if grown:
            self._learn(workspace)
        return polled

    def _put_off(self, workspace_id: str, due_polls: Iterable[DuePoll]) -> None:
        facts = {"action": "metrics.put_off", "workspace_id": workspace_id}
        _LOG.exception("Posts could not be looked at.", extra=facts)
        for poll in due_polls:
            self.counter_updates.counter_rows.put_off(poll, self.clock() + PUT_OFF)

    def _poll_some(
        self, workspace: Workspace, due_polls: Iterable[DuePoll], calls: MetricCalls
    ) -> int:
        post_ids = list(dict.fromkeys(poll.post_id for poll in due_polls))
        entries = self.counter_updates.counter_rows.entries(workspace.id, post_ids)
        accounts = {account.id: account for account in self.accounts.list(workspace.id)}
        answers: dict[str, Answer] = {}
        for account_id, lives in self._lives(entries, accounts).items():
            answers |= calls.ask(accounts[account_id], lives)
        self._remove_gone(workspace, entries, answers)
        return self.counter_updates.refresh(workspace.id, workspace.timezone, post_ids, answers)

    def _lives(
        self, entries: Iterable[Entry], accounts: Mapping[str, Account]
    ) -> dict[str, list[LivePost]]:
        """Return what to ask about, by account."""
        now = self.clock()
        lives: dict[str, list[LivePost]] = {}
        for entry in entries:
            for target in _followed_targets(entry, now):
                account = accounts.get(target.account_id)
                if account is not None and account.health is not Health.BROKEN:
                    lives.setdefault(account.id, []).append(_live_post(target, account, now))
        return lives

    def _remove_gone(
        self, workspace: Workspace, entries: Iterable[Entry], answers: Mapping[str, Answer]
    ) -> None:
        """Move targets to `removed` that this look and an earlier one did not find."""
        now = self.clock()
        for entry in entries:
            known = {} if entry.known is None else entry.known.targets
            gone = [
                target_id
                for target_id, target in known.items()
                if isinstance(answers.get(target_id), Missing) and target.is_gone(now)
            ]
            if gone:
                self.live_posts.note_gone(workspace, entry.post.id, gone)

    def _learn(self, workspace: Workspace) -> None:
        """Recompute what the workspace's own recent results say about hours."""
        today = self.clock().astimezone(ZoneInfo(workspace.timezone)).date()
        since: date = today - FOLLOWED_FOR
        days, _ = self.reads.since(workspace.id, since)
        learned = learn(days, workspace.timezone)
        if learned != self.reads.read_learned(workspace.id):
            self.reads.keep_learned(workspace.id, learned)


def _followed_targets(entry: Entry, now: datetime) -> Iterator[Target]:
    """Yield the targets of a post that are live, recent enough, and not at rest."""
    if entry.post.deleted_at is not None:
        return
    known = {} if entry.known is None else entry.known.targets
    for target in entry.post.targets:
        if target.status is not TargetStatus.PUBLISHED or target.remote_id is None:
            continue
        stored = known.get(target.id)
        may_be_asked = stored is None or stored.may_be_asked(now)
        if may_be_asked and is_followed(target.published_at or now, now):
            yield target


def _live_post(target: Target, account: Account, now: datetime) -> LivePost:
    return LivePost(
        target_id=target.id,
        account=as_connected(account),
        remote_id=target.remote_id or "",
        url=target.url,
        published_at=target.published_at or now,
        now=now,
    )


def _chunks(due_polls: Sequence[DuePoll]) -> Iterator[Sequence[DuePoll]]:
    """Yield polls that are worked on together; the rows of one post stay together."""
    by_post = sorted(due_polls, key=lambda poll: poll.post_id)
    for start in range(0, len(by_post), AT_ONCE):
        yield by_post[start : start + AT_ONCE]
