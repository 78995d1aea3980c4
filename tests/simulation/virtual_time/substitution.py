"""Puts virtual time, simulated threads and seeded randomness where the engine has the real ones.

While the block runs, every module of the package sees the simulation's `threading`, `time` and
thread pools, and all randomness of Python comes from one seed. That is what makes a run the same
each time; the engine's own code is not changed.
"""

import concurrent.futures
import importlib
import os
import pkgutil
import random
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

from chalicelib.kit.limits.thread_pool import HelpedPool, ThreadPool, WaitingPool
from tests.simulation.virtual_time import cooperative, pools
from tests.simulation.virtual_time.scheduler import BEGIN, Scheduler

_PACKAGE = "chalicelib"
_ROOMS = ("kit", "domain", "storage", "connectors", "services", "workers", "api", "bootstrap")


class _Namespace(types.SimpleNamespace):
    """A module's stand-in; what it lacks is looked up in the real one."""

    def __init__(self, real: types.ModuleType, **own: object) -> None:
        super().__init__(**own)
        self._real = real

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        return getattr(self._real, name)


def _stand_ins(scheduler: Scheduler) -> dict[int, object]:
    """Return what takes the place of what, by identity."""

    def monotonic() -> float:
        return scheduler.now

    def wall() -> float:
        return BEGIN.timestamp() + scheduler.now

    pool = partial(pools.Pool, scheduler)
    primitives: dict[str, object] = {
        "Lock": partial(cooperative.Lock, scheduler),
        "RLock": partial(cooperative.ReentrantLock, scheduler),
        "Condition": partial(cooperative.Condition, scheduler),
        "Event": partial(cooperative.Event, scheduler),
        "Thread": partial(cooperative.Thread, scheduler),
        "Timer": partial(cooperative.Timer, scheduler),
    }
    times = _Namespace(
        time, sleep=scheduler.sleep, monotonic=monotonic, perf_counter=monotonic, time=wall
    )
    return {
        id(threading): _Namespace(threading, **primitives),
        **{id(getattr(threading, name)): made for name, made in primitives.items()},
        id(time): times,
        id(time.sleep): scheduler.sleep,
        id(time.monotonic): monotonic,
        id(concurrent.futures.ThreadPoolExecutor): pool,
        **{id(kind): pool for kind in (ThreadPool, WaitingPool)},
        id(HelpedPool): partial(pools.PoolOfHelpers, scheduler),
        id(concurrent.futures.Future): partial(pools.Future, scheduler),
    }


@contextmanager
def substituted(scheduler: Scheduler, seed: int) -> Iterator[None]:
    """Run the block on virtual time, with one seed for every random choice."""
    undo: list[Callable[[], None]] = []
    stand_ins = _stand_ins(scheduler)
    _import_everything()
    for module in [m for name, m in sys.modules.items() if name.split(".")[0] == _PACKAGE]:
        undo += _replace_names(module, stand_ins)
    undo += _seed_everything(seed)
    try:
        yield
    finally:
        for step in reversed(undo):
            step()


@cache
def _import_everything() -> None:
    """Import what a deployment would import later, inside the block, with the real names in it."""
    for room in _ROOMS:
        found = importlib.import_module(f"{_PACKAGE}.{room}")
        for module in pkgutil.walk_packages(found.__path__, f"{_PACKAGE}.{room}."):
            if not module.name.endswith(("__main__", ".child")):
                importlib.import_module(module.name)


def _replace_names(
    module: types.ModuleType, stand_ins: dict[int, object]
) -> list[Callable[[], None]]:
    undo: list[Callable[[], None]] = []
    for name, value in list(vars(module).items()):
        if id(value) in stand_ins:
            setattr(module, name, stand_ins[id(value)])
            undo.append(partial(setattr, module, name, value))
        elif isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            undo += _replace_defaults(value, stand_ins)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for method in vars(value).values():
                if isinstance(method, types.FunctionType):
                    undo += _replace_defaults(method, stand_ins)
    return undo


def _replace_defaults(
    function: types.FunctionType, stand_ins: dict[int, object]
) -> list[Callable[[], None]]:
    """Replace what a function takes when nothing is said, such as `wait=time.sleep`."""
    undo: list[Callable[[], None]] = []
    # A dataclass's constructor has what makes a default (`field(default_factory=Lock)`) in cells.
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            held = cell.cell_contents
            if id(held) in stand_ins:
                cell.cell_contents = stand_ins[id(held)]
                undo.append(partial(setattr, cell, "cell_contents", held))
    given, named = function.__defaults__, function.__kwdefaults__
    if given is not None and any(id(value) in stand_ins for value in given):
        function.__defaults__ = tuple(stand_ins.get(id(value), value) for value in given)
        undo.append(partial(setattr, function, "__defaults__", given))
    if named is not None and any(id(value) in stand_ins for value in named.values()):
        function.__kwdefaults__ = {n: stand_ins.get(id(v), v) for n, v in named.items()}
        undo.append(partial(setattr, function, "__kwdefaults__", named))
    return undo


def _seed_everything(seed: int) -> list[Callable[[], None]]:
    """Let `random`, `secrets` and `uuid` draw from one seed."""
    chance = random.Random(f"ids {seed}")
    state = random.getstate()
    random.seed(f"jitter {seed}")
    # SystemRandom, which `secrets` draws from, keeps a name of its own for os.urandom.
    own: Any = random
    undo: list[Callable[[], None]] = [
        partial(random.setstate, state),
        partial(setattr, os, "urandom", os.urandom),
        partial(setattr, own, "_urandom", own._urandom),
    ]
    os.urandom = chance.randbytes
    own._urandom = chance.randbytes
    return undo
