"""A crowd without keys: one computes at a time, after callers; none waits for one that waits."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.api.doors.crowd import LONG_S, Crowd, Door
from chalicelib.kit.asgi.messages import Response

PATIENCE_S = 20.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as made:
        yield made


def _answer(status: int) -> Response:
    return Response(status=status, headers={}, body=b"")


def test_one_of_a_crowd_computes_at_a_time(pool: ThreadPoolExecutor) -> None:
    """Its callers take no turns."""
    at_once, most, guard = 0, 0, threading.Lock()

    def work() -> Response:
        nonlocal at_once, most
        with guard:
            at_once += 1
            most = max(most, at_once)
        with guard:
            at_once -= 1
        return _answer(200)

    async def come() -> list[Response]:
        crowd = Crowd(pool)
        return await asyncio.gather(*(crowd.answer(work) for _ in range(50)))

    answers = asyncio.run(come())

    assert [200] * 50 == [one.status for one in answers]
    assert most == 1


def test_one_that_waits_for_a_store_lets_the_others_be_answered(pool: ThreadPoolExecutor) -> None:
    answered = threading.Event()

    def waits() -> Response:
        return _answer(200 if answered.wait(PATIENCE_S) else 503)

    def answers() -> Response:
        answered.set()
        return _answer(204)

    async def come() -> list[int]:
        crowd = Crowd(pool)
        both = await asyncio.gather(crowd.answer(waits), crowd.answer(answers))
        return [one.status for one in both]

    assert asyncio.run(come()) == [200, 204]


def test_a_crowd_at_one_door_keeps_nobody_from_another(pool: ThreadPoolExecutor) -> None:
    """The monitor is answered third at the latest: one is before it, one takes its turn."""
    order: list[Door] = []

    async def come() -> None:
        crowd = Crowd(pool)

        async def one(door: Door) -> None:
            await crowd.answer(lambda: order.append(door), door)

        pages = [asyncio.ensure_future(one(Door.PAGES)) for _ in range(100)]
        await asyncio.sleep(0)
        await asyncio.gather(one(Door.MONITORS), one(Door.FILES), *pages)

    asyncio.run(come())

    assert order.index(Door.MONITORS) <= 2
    assert order.index(Door.FILES) <= 3
    assert len(order) == 102


def test_a_crowd_waits_for_a_caller_and_not_for_ever(pool: ThreadPoolExecutor) -> None:
    order: list[str] = []

    def stranger() -> Response:
        order.append("stranger")
        return _answer(200)

    async def come(*, is_short: bool) -> None:
        crowd = Crowd(pool)
        with crowd.caller():
            coming = asyncio.ensure_future(crowd.answer(stranger))
            await asyncio.sleep(0)
            if not is_short:
                await coming
            order.append("caller")
        await coming

    asyncio.run(come(is_short=True))
    asyncio.run(come(is_short=False))

    assert order == ["caller", "stranger", "stranger", "caller"]


@pytest.mark.parametrize("is_beside", [True, False])
def test_it_rests_only_where_callers_were_there_a_moment_ago(
    pool: ThreadPoolExecutor, *, is_beside: bool
) -> None:
    rests: list[float] = []

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    async def come() -> None:
        crowd = Crowd(pool, sleep=rest)
        if is_beside:
            with crowd.caller():
                pass
        await crowd.answer(lambda: _answer(200))

    asyncio.run(come())

    assert len(rests) == is_beside
    assert all(0 < one < LONG_S + PATIENCE_S for one in rests)


def test_what_fails_fails_for_whoever_asked_and_nobody_else(pool: ThreadPoolExecutor) -> None:
    def fails() -> Response:
        raise OSError("no store")

    async def come() -> int:
        crowd = Crowd(pool)
        with pytest.raises(OSError, match="no store"):
            await crowd.answer(fails)
        return (await crowd.answer(lambda: _answer(200))).status

    assert asyncio.run(come()) == 200
