"""Threads that nobody needs any more end, and no work is lost as they do.

Python's own pool keeps every thread that it ever had (Lib/concurrent/futures/thread.py). Here the
rule is that of Java's `ThreadPoolExecutor` with a keep-alive time (its documentation, "Keep-alive
times"): one that had no work for so long ends.
"""

import gc
import random
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Future

import pytest

from chalicelib.kit.limits.thread_places import ThreadPlaces
from chalicelib.kit.limits.thread_pool import ThreadPool, _Worker

_WITHIN_S = 30.0


def _until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + _WITHIN_S
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.005)


def _busy(pool: ThreadPool, many: int) -> Callable[[], None]:
    """Keep so many of its threads busy; return what lets them go, and waits for that."""
    begun, goes_on = threading.Barrier(many + 1), threading.Event()

    def work() -> None:
        begun.wait(_WITHIN_S)
        goes_on.wait(_WITHIN_S)

    done = [pool.submit(work) for _ in range(many)]
    begun.wait(_WITHIN_S)

    def let_go() -> None:
        goes_on.set()
        for one in done:
            one.result(_WITHIN_S)

    return let_go


def test_threads_of_a_burst_end_once_nobody_has_needed_them_for_long() -> None:
    pool = ThreadPool(64, rests_s=0.05)

    _busy(pool, 40)()

    _until(lambda: not pool._threads)
    assert pool._resting == []


def test_a_thread_that_is_needed_again_and_again_stays_and_the_others_go() -> None:
    pool, seen = ThreadPool(64, rests_s=0.3), set[str]()
    _busy(pool, 8)()

    def work() -> None:
        seen.add(threading.current_thread().name)

    while len(pool._threads) > 1:
        pool.submit(work).result(_WITHIN_S)
        time.sleep(0.01)

    assert len(seen) == 1


def test_work_that_comes_as_threads_end_is_all_done_once() -> None:
    rng, pool, done = random.Random(20261129), ThreadPool(6, rests_s=0.001), list[int]()

    futures = []
    for number in range(1_500):
        futures.append(pool.submit(done.append, number))
        if rng.random() < 0.2:
            time.sleep(rng.choice((0.0009, 0.001, 0.0011, 0.003)))
    for one in futures:
        one.result(_WITHIN_S)

    assert sorted(done) == list(range(1_500))
    _until(lambda: not pool._threads)


def test_a_thread_that_rests_keeps_nothing_of_what_it_did() -> None:
    class Large:
        """What a call was made with."""

    pool, large = ThreadPool(1), Large()
    kept = weakref.ref(large)

    pool.submit(lambda one: None, large).result(_WITHIN_S)  # noqa: ARG005 - what it is given is the example
    del large
    _until(lambda: bool(pool._resting))

    assert kept() is None


def test_an_error_is_freed_with_the_result_that_told_it() -> None:
    class Broken(Exception):
        """What a call raised."""

    def fail() -> None:
        raise Broken

    pool = ThreadPool(1)
    gc.disable()
    try:
        done: Future[None] | None = pool.submit(fail)
        assert done is not None
        kept = weakref.ref(done)
        with pytest.raises(Broken):
            done.result(_WITHIN_S)
        _until(lambda: bool(pool._resting))
        done = None

        assert kept() is None
    finally:
        gc.enable()


def test_a_pool_that_ends_waits_for_what_it_took_and_takes_no_more() -> None:
    pool, done = ThreadPool(2), list[int]()
    let_go = _busy(pool, 2)
    for number in range(5):
        pool.submit(done.append, number)
    ending = threading.Thread(target=pool.shutdown)

    ending.start()
    _until(lambda: pool._is_ended)
    with pytest.raises(RuntimeError):
        pool.submit(done.append, 5)
    let_go()
    ending.join(_WITHIN_S)

    assert sorted(done) == list(range(5))
    assert not pool._threads


def test_a_pool_that_ends_at_once_cancels_what_has_not_begun() -> None:
    pool, done = ThreadPool(1), list[str]()
    let_go = _busy(pool, 1)
    waiting = pool.submit(done.append, "never")

    pool.shutdown(wait=False, cancel_futures=True)
    let_go()

    with pytest.raises(CancelledError):
        waiting.result(_WITHIN_S)
    _until(lambda: not pool._threads)
    assert done == []


def test_threads_that_rest_end_with_their_pool() -> None:
    pool = ThreadPool(8, rests_s=3_600)
    _busy(pool, 4)()
    _until(lambda: len(pool._resting) == 4)

    pool.shutdown(wait=False)

    _until(lambda: not pool._threads)


def test_a_thread_that_gets_work_as_its_rest_ends_rests_as_long_the_next_time() -> None:
    class Late(_Worker):
        def rest(self, longest_s: float) -> None:
            """Have work come after the rest, and before the thread has ended."""
            super().rest(longest_s / 1_000)
            pool.submit(int)

    pool = ThreadPool(1)
    worker = Late((Future(), int))
    worker.work = None

    pool._find_work(worker)

    assert (worker.work is not None, worker._calls.locked()) == (True, True)


def test_threads_stand_by_again_for_a_burst_after_those_of_the_last_have_ended() -> None:
    """Whoever counts on threads that were there once would begin them one by one in the second."""
    now = [0.0]
    pool = ThreadPool(32, rests_s=0.05)
    places = ThreadPlaces(pool, 32, clock=lambda: now[0])
    places.stand_by(20)
    _until(lambda: len(pool._resting) == 20)
    _until(lambda: not pool._threads)

    now[0] += 61.0
    places.stand_by(20)

    _until(lambda: len(pool._threads) == 20)
