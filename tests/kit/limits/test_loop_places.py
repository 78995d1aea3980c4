"""Who gets a place at a door, and who has to give one up."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from chalicelib.kit.limits import loop_places
from chalicelib.kit.limits.loop_places import LoopPlaces


class Busy(Exception):
    """There is no place."""


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a place be an old one within moments."""
    monkeypatch.setattr(loop_places, "SETTLED_S", 0.05)
    monkeypatch.setattr(loop_places, "_LOOK_EVERY_S", 0.02)


async def holding(room: LoopPlaces, owner: str, bytes_a_tick: int = 0) -> str:
    """Hold a place until told to give way; say how it ended."""
    try:
        async with room.place(owner) as stay:
            for _ in range(100):
                stay.count(bytes_a_tick)
                await asyncio.sleep(0.01)
    except Busy:
        return "gave way"
    return "done"


def ended(attempt: Callable[[LoopPlaces], Awaitable[object]], *held: tuple[str, int]) -> list[str]:
    """Let some hold places, make an attempt, and return how each of the first ended."""

    async def all_of_it() -> list[str]:
        room = LoopPlaces(in_all=2, each=2, wait_s=0.5, full=Busy)
        tasks = [asyncio.ensure_future(holding(room, *one)) for one in held]
        await asyncio.sleep(0.1)
        await attempt(room)
        return [task.result() if task.done() else "goes on" for task in tasks]

    return asyncio.run(all_of_it())


async def another(room: LoopPlaces) -> None:
    async with room.place("neighbour"):
        pass


def test_the_slowest_gives_way_when_all_places_are_taken() -> None:
    assert ended(another, ("a", 500), ("b", 100)) == ["goes on", "gave way"]


def test_who_is_quick_keeps_a_place() -> None:
    async def refused(room: LoopPlaces) -> None:
        with pytest.raises(Busy):
            await another(room)

    assert ended(refused, ("a", 100_000), ("b", 100_000)) == ["goes on", "goes on"]


def test_nobody_gives_way_to_more_of_the_own_workspace() -> None:
    async def too_many() -> str:
        room = LoopPlaces(in_all=9, each=2, wait_s=0.2, full=Busy)
        tasks = [asyncio.ensure_future(holding(room, "a")) for _ in range(2)]
        await asyncio.sleep(0.1)
        with pytest.raises(Busy):
            await holding_raises(room)
        return " ".join("goes on" if not task.done() else task.result() for task in tasks)

    async def holding_raises(room: LoopPlaces) -> None:
        async with room.place("a"):
            pass

    assert asyncio.run(too_many()) == "goes on goes on"


def test_a_slow_one_is_served_while_nobody_waits() -> None:
    async def nobody(room: LoopPlaces) -> None:
        del room
        await asyncio.sleep(0.2)

    assert ended(nobody, ("a", 1), ("b", 1)) == ["goes on", "goes on"]
