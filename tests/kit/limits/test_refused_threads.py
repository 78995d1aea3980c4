"""Nothing is lost when no thread is to be had, and all goes on when one is.

Threads are refused where Python asks the system for them, with the error that it raises then.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from chalicelib.kit.limits.bulkhead import Bulkhead
from chalicelib.kit.limits.thread_places import Call, ThreadPlaces
from chalicelib.kit.limits.thread_pool import (
    HelpedPool,
    NoThreadError,
    ThreadPool,
    WaitingPool,
    stand_by,
)
from chalicelib.kit.limits.waiting_calls import WaitingCalls
from tests.support.few_threads import FewThreads

_WITHIN_S = 240


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> FewThreads:
    return FewThreads(monkeypatch)


def _calls(many: int, made: list[int], hold: threading.Event | None = None) -> list[Call]:
    def work(number: int) -> Callable[[], None]:
        def make() -> None:
            if hold is not None:
                hold.wait(_WITHIN_S)
            time.sleep(0.01)
            made.append(number)

        return make

    return [Call(f"workspace {n % 5}", f"server {n % 3}", work(n)) for n in range(many)]


def _ended(calls: list[Call]) -> list[Future[None]]:
    for call in calls:
        call.done.result(_WITHIN_S)
    return [call.done for call in calls]


@pytest.mark.parametrize("given", range(6))
def test_calls_that_found_no_thread_are_all_made_once(system: FewThreads, given: int) -> None:
    places, made = ThreadPlaces(ThreadPool(8), 8, ThreadPlaces(ThreadPool(4), 4)), list[int]()
    hold = threading.Event()
    calls = _calls(40, made, hold)

    with system.gives(given):
        bringing = threading.Thread(target=places.begin, args=[calls], daemon=True)
        system.start(bringing)
        while not system.refused:
            time.sleep(0.01)
    hold.set()
    _ended(calls)

    assert sorted(made) == list(range(40))
    assert system.refused > 0
    assert places._bounds.free == 8


def test_calls_go_on_when_threads_are_to_be_had_though_those_before_hang(
    system: FewThreads,
) -> None:
    places, made, end = ThreadPlaces(ThreadPool(64), 64), list[int](), threading.Event()
    hanging, others = _calls(2, [], end), _calls(6, made)
    with system.gives(3):  # for the two that hang, and for who looks again
        places.begin(hanging)
        places.begin(others)
        time.sleep(0.2)

    _ended(others)
    end.set()

    assert sorted(made) == list(range(6))


def test_a_pool_of_pythons_own_that_raises_makes_no_call_twice(system: FewThreads) -> None:
    """It keeps what it refused, and may do it later."""
    pool, made = ThreadPoolExecutor(4), list[int]()
    places, calls = ThreadPlaces(pool, 4), _calls(10, made)

    with system.gives(0), pytest.raises(RuntimeError):
        places.begin(calls)
    places.begin([])
    _ended(calls)

    assert sorted(made) == list(range(10))


def test_a_pool_that_refuses_never_does_what_it_refused(system: FewThreads) -> None:
    pool, done = ThreadPool(2), list[str]()

    with system.gives(0), pytest.raises(NoThreadError):
        pool.submit(done.append, "refused")
    pool.submit(done.append, "taken").result(_WITHIN_S)
    pool.shutdown()

    assert done == ["taken"]


def test_a_pool_takes_what_one_of_its_own_threads_brings(system: FewThreads) -> None:
    pool, done = ThreadPool(2), list[str]()

    def bring() -> Future[None]:
        return pool.submit(done.append, "brought")

    with system.gives(1):
        pool.submit(bring).result(_WITHIN_S).result(_WITHIN_S)

    assert done == ["brought"]


@pytest.mark.parametrize("given", range(3))
def test_whoever_brings_work_does_it_when_there_is_no_thread(
    system: FewThreads, given: int
) -> None:
    with system.gives(given), HelpedPool(4) as pool:
        found = list(pool.map(lambda number: number * 2, range(9)))
        failed = pool.submit(int, "no number")

    assert found == [number * 2 for number in range(9)]
    assert isinstance(failed.exception(), ValueError)


def test_what_waits_for_a_pool_with_one_thread_is_done(system: FewThreads) -> None:
    pool: Executor = WaitingPool(8)

    with system.gives(0):
        done = [pool.submit(abs, -number) for number in range(20)]
        found = [one.result(_WITHIN_S) for one in done]

    assert found == list(range(20))


def test_threads_that_stand_by_are_there_before_their_calls(system: FewThreads) -> None:
    pool = ThreadPool(64)
    places, hold = ThreadPlaces(pool, 64), threading.Event()
    places.stand_by(40)
    _until(lambda: len(pool._resting) == 40)  # each has begun, and has nothing to do
    begun = threading.Barrier(41)

    def work() -> None:
        begun.wait(_WITHIN_S)
        hold.wait(_WITHIN_S)

    with system.gives(0):
        places.begin([Call("many", f"server {n % 4}", work) for n in range(40)])
        begun.wait(_WITHIN_S)
    hold.set()

    assert len(pool._threads) == 40
    assert system.refused == 0


def test_those_who_stand_by_come_beside_calls_that_hang_and_are_no_more_than_places() -> None:
    pool = ThreadPool(32)
    places, hold, begun = ThreadPlaces(pool, 32), threading.Event(), threading.Semaphore(0)

    def hang() -> None:
        begun.release()
        hold.wait(_WITHIN_S)

    places.begin([Call("many", f"server {n}", hang) for n in range(8)])
    for _ in range(8):
        begun.acquire(timeout=_WITHIN_S)
    places.stand_by(12)
    _until(lambda: len(pool._threads) == 20)
    places.stand_by(1_000)
    _until(lambda: len(pool._threads) == 32)
    hold.set()


def test_nothing_is_lost_where_nobody_can_stand_by(system: FewThreads) -> None:
    places, made = ThreadPlaces(ThreadPool(8), 8), list[int]()

    with system.gives(0):
        places.stand_by(8)
    with system.gives(2):
        stand_by(ThreadPool(8), 8, 0.1)
    calls = _calls(8, made)
    places.begin(calls)
    _ended(calls)

    assert sorted(made) == list(range(8))
    assert system.refused == 2


def _until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + _WITHIN_S
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_a_call_that_found_no_thread_waits_before_its_owners_others() -> None:
    waiting, calls = WaitingCalls(), [Call("bakery", "x", lambda: None) for _ in range(2)]
    waiting.add(calls[1])
    waiting.put_back(calls[0])

    taken = [waiting.take_next(Bulkhead(8)) for _ in calls]

    assert [one is call for one, call in zip(taken, calls, strict=True)] == [True, True]
