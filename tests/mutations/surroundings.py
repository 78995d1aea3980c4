"""Queues, sweeps, lanes and turns: what keeps cost and waits from growing, taken away alone."""

from typing import Final

from tests.mutations.judges import (
    BOUNDS,
    BURSTS,
    BY_HAND,
    EXPIRY,
    FIRE,
    MACHINE,
    POLLER,
    PRIVATE,
    QUEUES,
    STANDING,
    SWEEPS,
    TAKEOVER,
    TURNS,
    VERDICTS,
    WAKES,
)
from tests.mutations.mutation import Unseen, mutations_of
from tests.mutations.operators import (
    always,
    drops,
    never,
    rewords,
    sets,
    skips,
    swaps,
    takes_else,
    takes_first,
)

MUTATIONS: Final = (
    *mutations_of(
        "kit.limits.thread_places",
        ("ThreadPlaces._move_on", skips("notify"), BY_HAND),
        ("ThreadPlaces._mind", drops("_is_minded"), BY_HAND),
        ("ThreadPlaces._look_again", skips("self._is_minded"), BY_HAND),
        ("ThreadPlaces._end", skips("move_on"), BY_HAND),
        ("ThreadPlaces._let_begin", skips("_move_on"), BY_HAND),
        (
            "ThreadPlaces._keep",
            swaps(
                "Call(call.owner, call.owner, lambda: self._finish(call, rest, latest))",
                "Call(call.owner, call.server, lambda: self._finish(call, rest, latest))",
            ),
            BY_HAND,
        ),
    ),
    *mutations_of(
        "kit.limits.waiting_calls",
        ("WaitingCalls.has_quick_ones", swaps("not bounds.is_slow(server)", "True"), BOUNDS),
    ),
    *mutations_of(
        "kit.limits.bulkhead",
        ("Bulkhead._count_slow", swaps("after - before", "0"), BOUNDS),
    ),
    *mutations_of(
        "kit.limits.machine_places",
        ("calls_at_once", swaps("files - _OTHER_FILES", "files"), MACHINE),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.fair_turns",
        ("FairTurns._groups", sets("self._begin", "''", 2), TURNS),
        ("FairTurns._groups", swaps("connection.execute(_OLDEST, about)", "()"), TURNS),
        ("FairTurns.choose", swaps("held + 1", "held"), TURNS),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.queues",
        ("_without_past", swaps("row[4] > oldest", "True"), TURNS),
        ("_without_past", never("kept"), TURNS),
        ("EmbeddedSqs._without_dead", rewords(", receipts = 0", ""), QUEUES),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.expiry",
        (
            "_show_hidden",
            swaps(
                "max(_LONGEST_HIDDEN_S, float(about.get('VisibilityTimeout', 0)))",
                "_LONGEST_HIDDEN_S",
            ),
            EXPIRY,
        ),
        ("Sweeper._remove_messages", takes_else(), SWEEPS),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.nameless_files",
        ("Removal._remove", always("is_named"), SWEEPS),
        ("Removal._remove", never("st_ctime"), EXPIRY),
    ),
    *mutations_of(
        "local.triggers.queue_poller",
        ("QueuePoller._wait_for_room", skips("wait_for", 2), POLLER),
        (
            "QueuePoller._wanted_messages",
            swaps("self._most - self._running", "self._most"),
            POLLER,
        ),
    ),
    *mutations_of(
        "local.private_files",
        ("_close", swaps("path.stat().st_mode & ~UMASK & 0o777", "0o600"), PRIVATE),
    ),
    *mutations_of(
        "storage.engine.wake_queue",
        ("PublishQueue.send_near", drops("is_check"), WAKES),
    ),
    *mutations_of(
        "workers.bursts",
        (
            "ahead_of",
            swaps(
                "min(max(begun + _BEGUN_WITHIN, ARM_AHEAD), MOST_AHEAD)",
                "max(begun + _BEGUN_WITHIN, ARM_AHEAD)",
            ),
            BURSTS,
        ),
        ("in_bursts", swaps("ref.wake_at.replace(microsecond=0)", "ref.wake_at"), BURSTS),
        ("ahead_of", swaps("math.ceil(targets / BATCH)", "targets // BATCH"), BURSTS),
    ),
    *mutations_of(
        "workers.takeover",
        ("Takeover._free", swaps("min(now - _LONG_AGO, ref.wake_at)", "now - _LONG_AGO"), TAKEOVER),
    ),
    *mutations_of(
        "workers.publishing.firing",
        (
            "FireWorker.fire",
            drops("clock"),
            Unseen("`_fire` asks the same right before its write: this saves only the attempt."),
        ),
        (
            "FireWorker._fire_anew",
            swaps("min(_counts_until(run), seen.at + ARMED_FOR)", "_counts_until(run)"),
            FIRE,
        ),
    ),
    *mutations_of(
        "workers.publishing.alarm",
        ("Alarm._take_due", never("_moments"), STANDING),
        ("Alarm.at_each", swaps("(moment, self._count, one)", "(moment, 0, one)"), STANDING),
    ),
    *mutations_of(
        "domain.engine.verdicts",
        ("_send_again", drops("tries"), VERDICTS),
        ("_send_again", drops("is_page"), VERDICTS),
        (
            "_send_again",
            swaps(
                "target.retry_at(facts.now, now=facts.now)",
                "target.retry_at(facts.now + _AFTER_FAILURE, now=facts.now)",
            ),
            VERDICTS,
        ),
        ("_after_absence", takes_first("is_same_step"), VERDICTS),
    ),
)
