"""What every run must have kept, judged from outside: by the client's notes and the platforms.

never twice              at most one post of a target is on its platform
never early              no request is let go of before the target's time, as far as clocks agree
an answer holds          after a 200 the old version never appears
every state ends         nothing is left scheduled for the past, publishing or to wake
a revoked key opens nothing  no call is answered with it afterwards
the books balance        allowance, times taken and queue times are what the targets say
what is said is true     status, remote id and history say what the platform has
messages end             no message is sent over and over

`liveness.py` judges the others: plain posts go out, on their second, and what was deleted does not.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.posts.progress import CATCHING_UP
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.plans import TRIAL_POSTS
from chalicelib.kit.dynamodb.items import plain
from chalicelib.storage.posts.items import attempt_from, post_from, target_from
from chalicelib.storage.tables import list_status
from tests.simulation.broken import Broken
from tests.simulation.client import Called, Client, Story
from tests.simulation.listed import of_listed_end, of_owners, of_sign_ins
from tests.simulation.liveness import of_plain_post
from tests.simulation.models.platform_model import Taken
from tests.simulation.models.queue_model import Queue
from tests.simulation.virtual_time.scheduler import Scheduler

_STARTS = frozenset({"schedule", "queue", "publish-now", "retry", "later", "earlier"})
_AT_ONCE = frozenset({"publish-now", "retry"})
_STOPS = frozenset({"cancel", "delete"})
_REST = frozenset({TargetStatus.SCHEDULED, TargetStatus.PUBLISHING})
_UNKNOWN = "outcome_unknown"
_UNTOLD = ("sandbox:untellable", "sandbox:hidden")
"""What a platform does not show in its lists."""
_OFTEN, _TICK_S = 60, 60.0
_OF_A_MONTH = 150
"""What Creator has of posts on X (SPEC)."""
_AHEAD_OF_UTC = timedelta(hours=14)
"""Where the workspace is that pays by the month."""


def broken_promises(clients: Sequence[Client]) -> Iterator[Broken]:
    """Yield every promise that the run broke, for any of its posts."""
    for client in clients:
        for story in client.stories:
            for broken in _of_story(client, story):
                yield replace(broken, number=story.number)
        for told in () if client.cloud.gaps else client.let_in:  # a restore brings the key back
            yield Broken(promise="a revoked key opens nothing", story=told)
    yield from _of_books(clients)
    yield from of_owners(clients)
    yield from of_sign_ins(clients)


def messages_without_end(queues: Iterable[Queue], outage_s: float) -> Iterator[Broken]:
    """Yield every message that was sent over and over: on AWS each is paid for.

    Ticks, retries and what SQS did not take make the same message some ten times, and an outage
    in which it cannot be worked off one more each minute.
    """
    for queue in queues:
        for body, times in queue.said.items():
            if times > _OFTEN + outage_s / _TICK_S:
                yield Broken(promise="messages end", story=f"{times} times was sent {body}")


def _of_story(client: Client, story: Story) -> Iterator[Broken]:
    if "POST" not in client.cloud.rows_of(story.post_id):
        return  # it was never made, or made after the backup that is all there is
    if client.is_lost(story):
        yield from _of_lost_post(client, story)
        return
    yield from _of_post(client, story)
    for promise, told in of_plain_post(client, story):
        yield Broken(promise=promise, story=told)


def _of_lost_post(client: Client, story: Story) -> Iterator[Broken]:
    """Yield what is broken of a post that a restore knows as it was before some of its calls."""
    end = client.cloud.world.scheduler.true_time()
    for sk, row in client.cloud.rows_of(story.post_id).items():
        if sk.startswith("TARGET#"):
            target = target_from(plain(row))
            name = f"restored post {story.number} ({story.word or 'plain'}) on {target.platform}"
            mine = [t for t in client.cloud.platform.taken if t.entry.target_id == target.id]
            if len(mine) > 1 and not _may_be_sent_again(client, story, mine[0]):
                yield Broken(promise="never twice", story=f"{name} is out {len(mine)} times")
            yield from _of_rest(target, name, end)


def _may_be_sent_again(client: Client, story: Story, first: Taken) -> bool:
    """Tell whether docs/server.md says that what went out before goes out again after a snapshot.

    That is what was changed after it, what is not ten minutes late when the service starts, and
    what its platform does not tell.
    """
    if not client.cloud.world.plan.goes_back:
        return False
    if story.word.startswith(_UNTOLD):
        return True
    (gap,) = client.cloud.gaps
    calls = (*story.calls, *story.decisions)
    is_changed = any(gap.backup_s <= call.ended for call in calls if call.begun <= gap.lost_s)
    return is_changed or first.sent_s > gap.lost_s - CATCHING_UP.total_seconds()


def _of_post(client: Client, story: Story) -> Iterator[Broken]:
    rows = {sk: plain(row) for sk, row in client.cloud.rows_of(story.post_id).items()}
    targets = [target_from(row) for sk, row in rows.items() if sk.startswith("TARGET#")]
    attempts = [attempt_from(row) for sk, row in rows.items() if sk.startswith("ATTEMPT#")]
    taken = client.cloud.platform.taken
    for target in targets:
        mine = [one for one in taken if one.entry.target_id == target.id]
        name = f"post {story.number} ({story.word or 'plain'}) on {target.platform}"
        if len(mine) > 1 and not _may_be_sent_again(client, story, mine[0]):
            yield Broken(promise="never twice", story=f"{name} is out {len(mine)} times")
        for one in mine:
            early_s = client.cloud.world.clocks_off_s + client.cloud.clock.may_be_early(one.sent_s)
            yield from _of_entry(story, target, one, name, early_s)
        end = client.cloud.world.scheduler.true_time()
        if target.platform in client.signed:
            yield from of_listed_end(client, story, target, name)
            yield from _of_rest(target, name, end)
        else:
            yield from _of_end(target, mine, name, end)
        own = [attempt for attempt in attempts if attempt.target_id == target.id]
        successes = sum(attempt.ok for attempt in own)
        if successes != (1 if target.is_live else 0) and target.platform not in client.signed:
            told = f"{name} is {target.status} and its history tells of {successes} successes"
            yield Broken(promise="what is said is true", story=told)
    post = post_from(rows["POST"], *(row for sk, row in rows.items() if sk.startswith("TARGET#")))
    listed = rows["POST"].get("list_status")
    if post.deleted_at is None and listed != list_status(post.workspace_id, post.status, post.id):
        told = f"post {story.number} is {post.status} and listed as {listed}"
        yield Broken(promise="what is said is true", story=told)


def _of_entry(
    story: Story, target: Target, one: Taken, name: str, may_be_early_s: float
) -> Iterator[Broken]:
    sent = one.sent_s
    newest = _surely_replaced(story, one.entry.caption, sent)
    if newest is not None:
        told = f"{name} went out as {one.entry.caption!r} after {newest.text!r} was accepted"
        yield Broken(promise="an answer holds", story=told)
    stop = _stopped(story, target.id, sent)
    if stop is not None:
        told = f"{name} went out {sent - stop.ended:.1f} s after {stop.action} was answered"
        yield Broken(promise="an answer holds", story=told)
        return
    times = _possible_times(story, target.id, sent)
    true_time = Scheduler.time_at(sent)
    if times and true_time < min(times) - timedelta(seconds=may_be_early_s):
        early_s = (min(times) - true_time).total_seconds()
        yield Broken(promise="never early", story=f"{name} went out {early_s:.3f} s early")


def _surely_replaced(story: Story, text: str, sent: float) -> Called | None:
    """Return the accepted edit after which this text could not go out any more."""
    own = next(call for call in story.calls if call.text == text)
    return next(
        (
            call
            for call in story.calls
            if call.text is not None
            and call.sure
            and call.action == "caption"
            and call.ended <= sent
            and own.ended <= call.begun
        ),
        None,
    )


def _stopped(story: Story, target_id: str, sent: float) -> Called | None:
    """Return the accepted stop after which this target was not started again."""
    for call in story.calls:
        is_stop = call.action in _STOPS and call.sure and call.ended <= sent
        if not is_stop or call.statuses.get(target_id) != TargetStatus.CANCELLED:
            continue
        restarted = any(
            other.action in _STARTS
            and other.sure is not False
            and other.begun <= sent
            and other.ended > call.begun
            and other is not call
            for other in story.calls
        )
        if not restarted:
            return call
    return None


def _possible_times(story: Story, target_id: str, sent: float) -> list[datetime]:
    """Return the times that the target may have had when its request was let go of."""
    starts = [
        call
        for call in story.calls
        if call.action in _STARTS and call.sure is not False and call.begun <= sent
    ]
    current = [
        call
        for call in starts
        if not any(
            later.sure
            and later.begun >= call.ended
            and later.ended <= sent
            and _sets(later, target_id)
            for later in starts
        )
    ]
    return [at for call in current for at in [_time_of(call, target_id)] if at is not None]


def _sets(call: Called, target_id: str) -> bool:
    """Tell whether a call's answer says that it set the target's time."""
    return call.statuses.get(target_id) in (TargetStatus.SCHEDULED, TargetStatus.PUBLISHING)


def _time_of(call: Called, target_id: str) -> datetime | None:
    """Return what a call made the target's time; one that sends at once, when it began."""
    if call.sure and call.action not in _AT_ONCE:
        return call.times.get(target_id) if _sets(call, target_id) else None
    return call.at if call.at is not None else Scheduler.time_at(call.begun)


def _of_rest(target: Target, name: str, end: datetime) -> Iterator[Broken]:
    if target.status is TargetStatus.SCHEDULED and target.due_at and target.due_at > end:
        return  # the queue's next free time is days ahead
    if target.status in _REST or target.progress.wake_at is not None:
        told = f"{name} is left {target.status}, to wake at {target.progress.wake_at}"
        yield Broken(promise="every state ends", story=told)


def _of_end(target: Target, mine: list[Taken], name: str, end: datetime) -> Iterator[Broken]:
    if target.status in _REST or target.progress.wake_at is not None:
        yield from _of_rest(target, name, end)
        return
    if target.is_live and [one.entry.remote_id for one in mine] != [target.remote_id]:
        if len(mine) <= 1:
            yield Broken(promise="what is said is true", story=f"{name} says live, is not there")
    elif mine and not target.is_live and target.error_code != _UNKNOWN:
        told = f"{name} is out and says {target.status} ({target.error_code})"
        yield Broken(promise="what is said is true", story=told)


def _of_months(client: Client) -> Iterator[Broken]:
    """Yield what is untrue of the months that a workspace pays by, each in its own time zone."""
    used = Counter(client.had_used)
    for story in client.stories:
        for sk, row in client.cloud.rows_of(story.post_id).items():
            target = target_from(plain(row)) if sk.startswith("TARGET#") else None
            if target is None or target.charge is None:
                continue
            used[target.charge.counter] += target.charge.x_units
            at = target.scheduled_at
            month = "" if at is None else (at + _AHEAD_OF_UTC).strftime("%Y-%m")
            if month != target.charge.counter:
                told = f"post {story.number} of {month} is charged to {target.charge.counter}"
                yield Broken(promise="the books balance", story=told)
    rows = client.cloud.directory()[f"WORKSPACE#{client.workspace_id}"]
    for month, units in used.items():
        counted = int(plain(rows[f"USE#{month}"]).get("x_units", 0))
        if counted != units or counted > _OF_A_MONTH:
            told = f"{units} posts on X are of {month}, which counts {counted} of {_OF_A_MONTH}"
            yield Broken(promise="the books balance", story=told)


def _of_books(clients: Sequence[Client]) -> Iterator[Broken]:
    cloud, charged, of_trial = clients[0].cloud, 0, 0
    for client in clients:
        queued = []
        charged += sum(client.had_used.values())
        yield from _of_months(client) if client.had_used else ()
        for story in client.stories:
            rows = {sk: plain(row) for sk, row in cloud.rows_of(story.post_id).items()}
            targets = [target_from(row) for sk, row in rows.items() if sk.startswith("TARGET#")]
            charged += sum(one.charge.x_units for one in targets if one.charge is not None)
            of_trial += bool(targets and rows["POST"].get("trial_counted"))
            if targets and rows["POST"].get("queued_at"):
                queued.append(rows["POST"]["queued_at"])
        if len(queued) != len(set(queued)):
            yield Broken(promise="the books balance", story="two posts hold one queue time")
    counters = [
        plain(row)
        for rows in cloud.directory().values()
        for sk, row in rows.items()
        if sk.startswith("USE#")
    ]
    counted = sum(int(row.get("x_units", 0)) for row in counters)
    if charged != counted:
        told = f"targets are charged {charged}, the month counts {counted}"
        yield Broken(promise="the books balance", story=told)
    posts = sum(int(row.get("posts", 0)) for row in counters)
    if of_trial != posts:
        told = f"{of_trial} posts are the trial's, its counter says {posts}"
        yield Broken(promise="the books balance", story=told)
    if posts > TRIAL_POSTS:
        yield Broken(promise="the books balance", story=f"{posts} posts went out on trial")
