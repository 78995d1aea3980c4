"""What an engine must do and not only leave undone, judged from outside.

plain posts go out       what was scheduled and left alone is published in the end, unless its
                         platform refuses it for good or cannot be asked
on its second            nobody is later than what was struck since then, a pause, or more posts of
                         one second than a machine has places, explains
deleted stays unsent     after a delete was answered no new try of it is made

How long a fault may delay a post is written here, kind by kind, and not taken from the engine: a
run in which nothing was struck allows nothing but the computer's own time, whatever another
workspace does.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.posts.target import Target
from chalicelib.kit.dynamodb.items import plain
from chalicelib.storage.posts.items import target_from
from tests.simulation.client import Called, Client, Story
from tests.simulation.cloud import CALLS
from tests.simulation.faults import Fault
from tests.simulation.models.platform_model import RETRY_AFTER_S, PlatformModel
from tests.simulation.reviewers import freed_s, of_decisions

PROMPT_S = 1.0
_OF_ONE_WORKSPACE = CALLS * 4 // 5
"""How many of a machine's places one workspace takes alone (docs/engine.md "Bulkhead and bursts").

Nothing is promised of lateness beyond the places (docs/slo.md "What is not promised").
"""
_CLAIM_S, _QUICK_S = 0.03, 2.0
"""How long a call has its place before it is made; after how long it must delay no quick one."""
_TICK_S, _LEASE_S = 62.0, 66.0
EXPLAINS_S: Final[Mapping[Fault, float]] = {
    Fault.THROTTLED: 3.0,
    Fault.CONFLICT: 3.0,
    Fault.ITEM_THROTTLED: 3.0,
    Fault.LEFT_UNDONE: 1.0,
    Fault.NOT_APPLIED: 15.0,
    Fault.APPLIED: 15.0,
    Fault.LATE_WRITE: 90.0,
    Fault.INDEX_LAG: 75.0,
    Fault.QUEUE_DOWN: _TICK_S + 3,
    Fault.ENTRY_FAILED: 1.0,
    Fault.TWICE: 0.0,
    Fault.LATE_MESSAGE: 76.0,
    Fault.KILLED: _LEASE_S + _TICK_S,
    Fault.STALLED: 200.0 + _LEASE_S + _TICK_S,
    Fault.JUMPED: 4.0,
    Fault.TICK_MISSED: _TICK_S,
    Fault.TICK_TWICE: 0.0,
    Fault.LOST_ANSWER: _LEASE_S + _TICK_S,
    Fault.REFUSED: 2 * _LEASE_S + _TICK_S,
    Fault.HUNG: _LEASE_S + _TICK_S,
    Fault.LATE_LISTING: 5.0,
    Fault.TOKEN_ENDED: 5.0,
    Fault.REFRESH_LOST: _LEASE_S + _TICK_S,
    Fault.KEYS_DOWN: _LEASE_S + _TICK_S,
}
"""How much later one strike may make what is due after it."""
_STEPS_S, _PREPARED_S = 4.0, 20.0
"""How much later a photo or a text on Threads may be that is asked for so shortly before.

Both have steps before their second; how long the file's conversion took is not counted.
"""
_REACHES_BACK_S = 300.0
_MISSED_S, _APART_S = 600.0, 60.0
"""An account's posts that are found later than this go out so long apart (docs/api.md)."""
TRIES_FOR_S = 3_600.0
"""How long after its second a target that was not taken is tried again (docs/engine.md)."""
_ENDS_OTHERWISE = ("sandbox:fail", "sandbox:untellable")
_DOUBTED = (
    *("sandbox:ambiguous", "sandbox:taken_5xx", "sandbox:lost", "sandbox:hidden"),
    "sandbox:hang:45",
)
_DISCONNECTS_S = 300.0
"""A disconnection that is answered by nothing, and a try that was under way."""
_FINISHES_S = 40.0
"""A try that was under way at the delete has sent by then: 20 s for its call to begin, and skew.

Of its process's own time: one that stands still goes on where it was."""

Told = tuple[str, str]


def of_plain_post(client: Client, story: Story) -> Iterator[Told]:
    """Yield what is broken of a post whose lateness and end nothing but faults explain."""
    name = f"post {story.number}"
    yield from _after_its_delete(client, story, name)
    yield from _after_its_account(client, story, name)
    yield from of_decisions(client, story)
    was_left_alone = [call.action for call in story.calls] == ["create", "schedule"]
    if not was_left_alone or not story.calls[1].sure or story.word.startswith(_ENDS_OTHERWISE):
        return
    if freed_s(client, story) is None:
        return
    scheduled = story.calls[1]
    rows = {sk: plain(row) for sk, row in client.cloud.rows_of(story.post_id).items()}
    for row in (row for sk, row in rows.items() if sk.startswith("TARGET#")):
        target = target_from(row)
        if not target.is_live and not _is_excused(client, story, target):
            told = f"{name} ({story.word or 'plain'}) on {target.platform} is {target.status}"
            yield "plain posts go out", f"{told} ({target.error_code}) in the end"
        if not story.word:
            yield from _lateness(
                client, story, scheduled, target.id, f"{name} on {target.platform}"
            )


def _is_excused(client: Client, story: Story, target: Target) -> bool:
    """Tell whether an account that is no more, or a list that cannot tell, explains the end.

    A doubt on a platform's list may end as one after a fault, a restore or by its word.
    """
    identity = client.identities.get(target.account_id)
    if target.account_id in client.disconnecting or identity in client.cloud.sign_ins.revoked_s:
        return True
    if target.error_code == "platform_unavailable":
        return _came_an_hour_late(client, story, target)
    if target.error_code != "outcome_unknown" or target.platform not in client.signed:
        return False
    is_stuck = target.platform in client.cloud.platform.stuck
    is_doubted = is_stuck or story.word.startswith(_DOUBTED) or client.cloud.gaps
    is_without = client.cloud.surroundings.spans and not client.cloud.world.plan.on_one_machine
    return bool(is_doubted or is_without) or any(
        strike.at_s >= story.calls[1].begun - _REACHES_BACK_S
        for strike in client.cloud.world.faults.struck
    )


def _came_an_hour_late(client: Client, story: Story, target: Target) -> bool:
    """Tell whether faults kept the engine from its tries until the hour for them was over.

    It may give up then, and never sooner: at what its platform cannot take for a moment.
    """
    scheduled, world = story.calls[1], client.cloud.world
    at = scheduled.times.get(target.id)
    rows = [plain(row) for row in client.cloud.rows_of(story.post_id).values()]
    ended = [one["at"] for one in rows if one.get("target_id") == target.id and "ok" in one]
    if at is None or not ended:
        return False
    due_s = (at - world.scheduler.time_at(0.0)) / timedelta(seconds=1)
    ended_s = (datetime.fromisoformat(max(ended)) - at) / timedelta(seconds=1)
    explained_s = _explained_s(client, scheduled, target.platform, due_s, due_s + ended_s)
    return min(ended_s, explained_s) >= TRIES_FOR_S - world.clocks_off_s


def converted_s(client: Client, story: Story, sent_s: float) -> float:
    """Return when the file of a post had been converted for the last time before it was sent."""
    if not story.with_photo:
        return 0.0
    ready = client.cloud.converted
    return max((at_s for name, at_s in ready if name == client.photo and at_s <= sent_s), default=0)


def _lateness(
    client: Client, story: Story, scheduled: Called, target_id: str, name: str
) -> Iterator[Told]:
    at, world = scheduled.times.get(target_id), client.cloud.world
    sent = [one.sent_s for one in client.cloud.platform.taken if one.entry.target_id == target_id]
    if at is None or not sent:
        return
    due_s = (at - world.scheduler.time_at(0.0)) / timedelta(seconds=1)
    freed = freed_s(client, story) or 0.0
    asked_ahead_s = due_s - max(scheduled.ended, freed)
    due_s = max(due_s, freed, converted_s(client, story, sent[0]))
    late_s = sent[0] - due_s
    platform = name.rpartition(" ")[2]
    allowed_s = _explained_s(client, scheduled, platform, due_s, sent[0])
    if world.plan.on_one_machine:
        allowed_s += max(_in_turn_s(client, due_s, sent[0]) - PROMPT_S, 0.0)
    has_steps = story.with_photo or platform == "threads"
    if asked_ahead_s < (_PREPARED_S if has_steps else 1.0):
        allowed_s += _STEPS_S
    if any(gap.backup_s <= max(due_s, sent[0]) for gap in client.cloud.gaps):
        return
    if late_s > allowed_s:
        told = f"{name} went out {late_s:.1f} s late, and {allowed_s:.1f} s are explained"
        yield "on its second", told


def _in_turn_s(client: Client, due_s: float, sent_s: float) -> float:
    """Return how long a workspace's places needed for what it did then, none of them idle."""
    mine, calls = frozenset(client.accounts.values()), client.cloud.platform.calls
    took_s = (
        min(end, begin + _QUICK_S, sent_s) - max(begin - _CLAIM_S, due_s)
        for account_id, begin, end in calls
        if account_id in mine and begin < sent_s and min(end, begin + _QUICK_S) > due_s
    )
    return sum(took_s) / _OF_ONE_WORKSPACE


def _explained_s(
    client: Client, scheduled: Called, platform: str, due_s: float, sent_s: float
) -> float:
    """Return how late what was due then may go out, or be refused for the last time."""
    world = client.cloud.world
    allowed_s = PROMPT_S + world.clocks_off_s + client.cloud.clock.explains_s(due_s, sent_s)
    allowed_s += client.cloud.surroundings.explains_s(due_s, sent_s)
    if world.plan.goes_without and sent_s - due_s > _MISSED_S:
        allowed_s += _APART_S * len(client.stories)
    allowed_s += sum(
        EXPLAINS_S[strike.kind]
        for strike in world.faults.struck
        if scheduled.begun - _REACHES_BACK_S <= strike.at_s <= sent_s
    )
    allowed_s += sum(
        min(end, sent_s) - begin + _TICK_S
        for begin, end in client.cloud.pauses
        if begin <= sent_s and end >= due_s - _TICK_S
    )
    allowed_s += sum(
        min(end, sent_s) - begin + max(filter(None, RETRY_AFTER_S)) + _TICK_S
        for begin, end in _silences(client.cloud.platform, platform)
        if begin <= sent_s and end >= due_s
    )
    return allowed_s


def _silences(model: PlatformModel, platform: str) -> list[tuple[float, float]]:
    """Return when a platform could not be asked: no other's silence explains anything."""
    return [*model.outages, *([model.stuck[platform]] if platform in model.stuck else [])]


def _after_its_account(client: Client, story: Story, name: str) -> Iterator[Told]:
    """Yield what went out through an account that was disconnected."""
    for one in client.cloud.platform.taken:
        if one.entry.target_id not in story.target_ids or client.cloud.gaps:
            continue  # a restore may have brought the account back
        stopped_s = client.stopped.get(one.entry.target_id)
        if stopped_s is not None and one.sent_s > stopped_s:
            told = f"{name} went out {one.sent_s - stopped_s:.1f} s after its account was gone"
            yield "disconnected stays unsent", told
        begun_s = client.disconnecting.get(one.entry.account_id)
        if begun_s is not None and one.sent_s > begun_s + _DISCONNECTS_S:
            told = f"{name} went out {one.sent_s - begun_s:.1f} s after its account had to go"
            yield "disconnected stays unsent", told


def _after_its_delete(client: Client, story: Story, name: str) -> Iterator[Told]:
    """Yield what went out after its delete, but for a try that was under way then.

    Its worker may have stood still in between, and may have had a file or steps to wait for.
    """
    delete = next((call for call in story.calls if call.action == "delete" and call.sure), None)
    if delete is None:
        return
    most_s = _FINISHES_S + client.cloud.world.clocks_off_s
    for one in client.cloud.platform.taken:
        if one.entry.target_id not in story.target_ids or one.sent_s <= delete.ended:
            continue
        after_s = one.sent_s - delete.ended
        if one.entry.target_id not in delete.under_way:
            yield "deleted stays unsent", f"{name} began to go out {after_s:.1f} s after its delete"
        elif not story.has_steps and one.ran_s(delete.ended) > most_s:
            yield "deleted stays unsent", f"{name} went out {after_s:.1f} s after its delete"
