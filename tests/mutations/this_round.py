"""How calls of a burst get places and threads, and how sign-ins are renewed, taken away alone."""

from typing import Final

from tests.mutations.judges import (
    AUTH,
    BOUNDS,
    HEALTH,
    NO_THREADS,
    PLACES,
    RESTS,
    THREADS,
)
from tests.mutations.mutation import Unseen, mutations_of
from tests.mutations.operators import (
    always,
    catches,
    drops,
    never,
    returns,
    sets,
    skips,
    swaps,
)

MUTATIONS: Final = (
    *mutations_of(
        "kit.limits.bulkhead",
        ("may_begin", never("each"), BOUNDS),
        ("may_begin", sets("leaves_to_quick_ones", "not taken.is_slow"), BOUNDS, PLACES),
        (
            "Bulkhead.takes_quick",
            returns("True"),
            Unseen("Each server is asked then: the same answer, after minutes in test_bulkhead."),
        ),
        ("Bulkhead.takes_any", returns("True"), BOUNDS, PLACES),
        (
            "Bulkhead.slow_servers",
            skips("_grow_old"),
            Unseen("Its only caller has asked `takes_quick` right before, which does the same."),
        ),
        ("Bulkhead.end", never(1), BOUNDS),
    ),
    *mutations_of(
        "kit.limits.waiting_calls",
        ("WaitingCalls.take_next", never("_owners"), BOUNDS),
        ("WaitingCalls._server_for", never("takes_quick"), BOUNDS),
        ("WaitingCalls._take", never(), BOUNDS),
        (
            "WaitingCalls.put_back",
            swaps("waiting.appendleft(call)", "waiting.append(call)"),
            THREADS,
        ),
    ),
    *mutations_of(
        "kit.limits.thread_pool",
        ("ThreadPool.submit", never("_resting"), THREADS),
        ("ThreadPool._has_begun", never("_may_wait"), THREADS),
        ("ThreadPool._has_begun", always("_may_wait"), THREADS),
        ("ThreadPool._find_work", never("_waiting"), RESTS),
        ("ThreadPool._find_work", never("work is None"), RESTS),
        ("ThreadPool._find_work", skips("forget_call"), RESTS),
        ("ThreadPool._find_work", skips("remove"), RESTS),
        ("ThreadPool._find_work", skips("discard"), RESTS),
        ("ThreadPool.shutdown", skips("wake"), RESTS),
    ),
    *mutations_of(
        "workers.publishing.alarm",
        ("Alarm._has_begun", catches("KeyError"), NO_THREADS),
        ("Alarm.at_each", drops("_has_begun"), NO_THREADS),
    ),
    *mutations_of(
        "services.workspace.token_keeper",
        ("TokenKeeper.note_refusal", drops("access"), AUTH),
        ("TokenKeeper.note_refusal", returns("True", 1), AUTH),
        ("TokenKeeper.require_over", never(), AUTH),
        ("TokenKeeper._refresh", always("found"), AUTH),
        ("TokenKeeper._refresh", never("lock"), AUTH),
        ("TokenKeeper._refresh", skips("unlock"), AUTH),
        ("TokenKeeper._await_refresh_by_another", never(), AUTH),
        ("TokenKeeper._store_tokens", never("keep"), AUTH),
        ("TokenKeeper._ahead_of_its_end", drops("holds"), AUTH),
    ),
    *mutations_of(
        "workers.publishing.signed_connector",
        ("SignedConnector._renew", drops("_MOST_RENEWALS"), HEALTH),
        ("SignedConnector._renew", skips("require_over"), HEALTH),
        ("SignedConnector._renew", never("_MOST_RENEWALS"), HEALTH),
        ("SignedConnector._note_refusal", never(), HEALTH),
    ),
)
