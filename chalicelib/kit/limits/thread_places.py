"""ThreadPlaces run calls in threads, in turn, under the rule of `bulkhead.py`.

Calls wait by server and owner (`waiting_calls.py`), so that one owner's thousand calls do not delay
another's one. Saving a call's outcome takes no place of these: other ThreadPlaces, with a limit of
their own, do it after the calls that are due. When a call ends, its thread makes the next one.
Where the processor is the bottleneck, `at_start` limits how many calls compute at once
(`starts.py`).
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace
from functools import partial

from chalicelib.kit.limits.bulkhead import Bulkhead, Running
from chalicelib.kit.limits.starts import Starts
from chalicelib.kit.limits.thread_pool import RESTS_S, NoThreadError, stand_by
from chalicelib.kit.limits.waiting_calls import Call, Rest, WaitingCalls, Work
from chalicelib.kit.waiting import tell_of_waits

PATIENCE_S = 5.0
"""How long an outcome waits for calls that are due: so much longer a crash finds a doubt."""
_LETS_BEGIN_S = 2.0
"""How long what follows an answer waits for calls whose turn to begin it is."""
_LOOK_AGAIN_S = 0.25
_STANDS_BY_WITHIN_S = 2.0
_Begun = tuple[Call, Running]
_LOG = logging.getLogger(__name__)
__all__ = ["Call", "Rest", "ThreadPlaces", "Work"]


class ThreadPlaces:
    """Some of this process's threads; `rests` are those in which outcomes are kept."""

    def __init__(
        self,
        pool: Executor,
        places: int,
        rests: "ThreadPlaces | None" = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        at_start: int | None = None,
    ) -> None:
        self._pool = pool
        self._places = places
        self._rests = rests
        self._clock = clock
        self._bounds = Bulkhead(places, clock)
        self._starts = Starts(at_start, clock)
        self._unpressed = threading.Condition(self._bounds.guard)
        self._moved_on = threading.Condition(self._bounds.guard)
        self._all_begun = threading.Condition(self._bounds.guard)
        self._waiting = WaitingCalls()
        self._is_pressed = False
        self._are_beginning = False
        """Whether calls wait for nothing but their turn to compute."""
        self._is_minded = False
        self._standing = 0
        """How many threads were begun ahead, at the most, and until when none of them ends."""
        self._stand_until = 0.0

    def stand_by(self, calls: int) -> None:
        """Have threads begun for calls that are to begin together soon, by a thread of its own."""
        with self._bounds.guard:
            free = self._bounds.free
            wanted = min(calls, free)
            standing = self._places - free + wanted
            now = self._clock()
            if standing <= self._standing and now < self._stand_until:
                return
            self._standing, self._stand_until = standing, now + RESTS_S
        make = partial(stand_by, self._pool, wanted, _STANDS_BY_WITHIN_S)
        with suppress(RuntimeError):  # without a thread, they begin with their calls
            threading.Thread(target=make, name="stand-by", daemon=True).start()

    def begin(self, calls: Iterable[Call]) -> None:
        """Make calls that are due together, each when it is its turn.

        While no thread is to be had at all, whoever brings calls waits with them.
        """
        with self._bounds.guard:
            for call in calls:
                self._waiting.add(call)
        while not self._begin():
            time.sleep(_LOOK_AGAIN_S)

    def _begin(self) -> bool:
        """Give free places to the calls whose turn it is; tell whether others are looked after."""
        return self._give(self._take_up())

    def _take_up(self) -> deque[_Begun]:
        """Give places to the calls whose turn it is."""
        with self._bounds.guard:
            begun = deque(self._next_calls())
            if not self._is_pressed:
                self._unpressed.notify_all()
            if not self._are_beginning:
                self._all_begun.notify_all()
        return begun

    def _give(self, begun: deque[_Begun]) -> bool:
        """Give calls to threads; tell whether those for which there is none are looked after."""
        try:
            while begun:
                self._submit(*begun[0])
                begun.popleft()
        except NoThreadError:
            pass
        finally:
            self._put_back(begun)
        return self._mind() or not begun

    def _submit(self, call: Call, running: Running) -> None:
        """Have a call made, or raise and have it made never: some pools keep what they refuse."""
        ticket = threading.Lock()

        def run() -> None:
            if ticket.acquire(blocking=False):
                self._run(call, running)

        try:
            self._pool.submit(run)
        except RuntimeError:
            if ticket.acquire(blocking=False):
                raise

    def _put_back(self, refused: Sequence[_Begun]) -> None:
        """Let calls for which there was no thread wait in front, and give their places back."""
        for _, running in refused:
            self._end(running)
        with self._bounds.guard:
            for call, _ in reversed(refused):
                self._waiting.put_back(call)

    def _next_calls(self) -> Iterator[_Begun]:
        """Yield calls, one of each turn after the other, until no place or no turn is left."""
        while may_begin := self._starts.may_begin():
            call = self._waiting.take_next(self._bounds)
            if call is None:
                break
            running = self._bounds.begin(call.owner, call.server)
            self._starts.begin(running)
            yield call, running
        self._are_beginning = not may_begin and bool(self._waiting)
        self._is_pressed = self._waiting.has_quick_ones(self._bounds)

    def _mind(self) -> bool:
        """Look again and again while calls wait: those that go on become slow as time passes.

        Tells whether nothing waits or somebody looks.
        """
        with self._bounds.guard:
            if self._is_minded or not self._waiting:
                return True
            self._is_minded = True
        try:
            threading.Thread(target=self._look_again, name="places", daemon=True).start()
        except RuntimeError:
            with self._bounds.guard:
                self._is_minded = False
            return False
        return True

    def _look_again(self) -> None:
        while True:
            with self._bounds.guard:
                self._moved_on.wait(_LOOK_AGAIN_S)
            try:
                self._begin()
            except RuntimeError:
                _LOG.exception("No call could be begun.", extra={"action": "places.refused"})
            with self._bounds.guard:
                if not self._waiting:
                    self._is_minded = False
                    return

    def _run(self, call: Call, running: Running) -> None:
        """Make a call, and after it those whose turn it is then."""
        following: _Begun | None = (call, running)
        while following is not None:
            following = self._make(*following)

    def _make(self, call: Call, running: Running) -> _Begun | None:
        """Make a call and have its outcome kept; return the call that this thread makes next."""
        try:
            rest = call.context.copy().run(self._work, call, running)
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            self._end(running)
            call.done.set_exception(error)
        else:
            self._end(running)
            if rest is not None and self._rests is not None:
                self._keep(call, rest, self._rests)
            elif not call.done.done():
                call.done.set_result(None)
        begun = self._take_up()
        following = begun.popleft() if begun else None
        self._give(begun)
        return following

    def _work(self, call: Call, running: Running) -> Rest | None:
        move_on = partial(self._move_on, running)
        with tell_of_waits(move_on, partial(self._let_begin, running)):
            return call.work()

    def _move_on(self, running: Running) -> None:
        """Let another call compute for one that waits."""
        with self._bounds.guard:
            if self._starts.move_on(running):
                self._moved_on.notify()

    def _let_begin(self, running: Running) -> None:
        """Let the calls begin whose turn it is, before what follows an answer is computed.

        An answer may come without a wait: whoever has it takes no call's turn while it waits here.
        """
        with self._bounds.guard:
            self._move_on(running)
            self._all_begun.wait_for(lambda: not self._are_beginning, _LETS_BEGIN_S)

    def _end(self, running: Running) -> None:
        with self._bounds.guard:
            self._starts.move_on(running)
            self._bounds.end(running)

    def _keep(self, call: Call, rest: Rest, places: "ThreadPlaces") -> None:
        """Have an outcome kept, with a place for its owner whatever its server."""
        latest = self._clock() + PATIENCE_S
        finish = Call(call.owner, call.owner, lambda: self._finish(call, rest, latest))
        places.begin([replace(finish, context=call.context)])

    def _finish(self, call: Call, rest: Rest, latest: float) -> None:
        """Let calls that are due go first, for a while, then do the rest."""
        with self._bounds.guard:
            left = max(latest - self._clock(), 0.0)
            self._unpressed.wait_for(lambda: not self._is_pressed, left)
        try:
            work = rest()
        except BaseException as error:  # noqa: BLE001 - whoever waits for the end gets it
            call.done.set_exception(error)
            return
        if work is None:
            call.done.set_result(None)
        else:
            self.begin([replace(call, work=work)])
