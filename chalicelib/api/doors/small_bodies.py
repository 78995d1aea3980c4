"""Bodies of requests that are no uploads: at most 1 MB, read in bounded time and memory.

`front` calls it. Nearly every body arrives together with its request, and is read at once. If it
takes longer, or is longer than a form, the key or session is checked before the rest is read. Then
the body takes one of its workspace's places, and must arrive at least as fast as over a slow
connection.

Strangers send short forms (a sign-in, a review), which need little memory: they need no place, but
when too many are unfinished the oldest is given up. A normal one arrives within milliseconds.
"""

import time
from collections.abc import Awaitable, Callable

from chalicelib.api.http.endpoint import MAX_BODY_BYTES
from chalicelib.domain.errors import BodyTooLarge, Busy
from chalicelib.http.errors import refuse
from chalicelib.http.pipeline import NOBODY
from chalicelib.kit.asgi.exchange import CrumbsError, CutShortError, Exchange
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.limits.loop_places import LoopPlaces

AT_HAND_S = 0.25
"""How long a body may take before its key or session is checked."""

SHORT_BYTES = 16 * 1024
_TOO_LONG_OF_A_STRANGER = "Without an API key or a session, a request body has at most 16 KB."
PATIENCE_S = 10.0
SLOWEST_BYTES_A_SECOND = 64 * 1024
"""Bytes that arrive at least this fast extend the limit: 1 MB may take 26 seconds."""

BODIES_AT_ONCE = 64
BODIES_OF_A_WORKSPACE = 16
MOST_OF_STRANGERS = 256
_WAIT_S = 5.0
_LOOK_EVERY_S = 0.5

UNREAD = bytes(MAX_BODY_BYTES + 1)
"""Stands for a body that is too large to be read; `pipeline` refuses it when its turn comes."""

Admit = Callable[[], Awaitable[str | Response]]


class TooSlowError(Exception):
    """The body took too long."""


class SmallBodies:
    """Reads bodies; belongs to one event loop."""

    def __init__(self) -> None:
        self._places = LoopPlaces(
            in_all=BODIES_AT_ONCE, each=BODIES_OF_A_WORKSPACE, wait_s=_WAIT_S, full=Busy
        )
        self._strangers: dict[_Reading, None] = {}

    async def read(self, exchange: Exchange, admit: Admit) -> bytes | Response:
        """Return the body, or the refusal of a request that needs none to be refused.

        `admit` says whose body it is. Raises CutShortError, TooSlowError, Busy, BodyTooLarge.
        """
        if not exchange.has_body:
            return b""
        if (exchange.content_length or 0) > MAX_BODY_BYTES:
            admitted = await admit()
            return admitted if isinstance(admitted, Response) else UNREAD
        reading = _Reading(exchange)
        if not exchange.waits_to_be_asked:
            await reading.go_on(until=reading.began + AT_HAND_S, most=SHORT_BYTES)
        if reading.is_whole:
            return reading.body()
        owner = await admit()
        if isinstance(owner, Response):
            return owner
        if owner == NOBODY:
            return await self._of_a_stranger(reading)
        async with self._places.place(owner):
            return await reading.finish()

    async def _of_a_stranger(self, reading: "_Reading") -> bytes:
        if reading.is_longer_than(SHORT_BYTES):
            raise BodyTooLarge(_TOO_LONG_OF_A_STRANGER)
        if len(self._strangers) >= MOST_OF_STRANGERS:
            next(iter(self._strangers)).give_up()
        self._strangers[reading] = None
        reading.when_given_up = lambda: self._strangers.pop(reading, None)
        try:
            return await reading.finish(SHORT_BYTES, _TOO_LONG_OF_A_STRANGER)
        finally:
            self._strangers.pop(reading, None)


class _Reading:
    """One body on its way in."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._gathered = bytearray()
        self._is_given_up = False
        self.when_given_up: Callable[[], object] = lambda: None
        self.began = time.monotonic()

    @property
    def is_whole(self) -> bool:
        return self._exchange.is_read or len(self._gathered) > MAX_BODY_BYTES

    def is_longer_than(self, size: int) -> bool:
        return max(self._exchange.content_length or 0, len(self._gathered)) > size

    def give_up(self) -> None:
        """Make room for somebody else."""
        self._is_given_up = True
        self.when_given_up()

    def body(self) -> bytes:
        return UNREAD if len(self._gathered) > MAX_BODY_BYTES else bytes(self._gathered)

    async def go_on(self, *, until: float, most: int) -> None:
        """Read on until a time, or until there is more than `most`, or all."""
        while not self.is_whole and len(self._gathered) <= most:
            left = until - time.monotonic()
            piece = None if left <= 0 else await self._exchange.next_piece(left)
            if piece is None:
                return
            self._gathered += piece

    async def finish(self, most: int = MAX_BODY_BYTES, too_long: str | None = None) -> bytes:
        """Read to the end. Raises TooSlowError, BodyTooLarge, CutShortError."""
        began = time.monotonic()
        while not self.is_whole:
            if len(self._gathered) > most:
                raise BodyTooLarge(too_long)
            now = time.monotonic()
            patience_s = PATIENCE_S + len(self._gathered) / SLOWEST_BYTES_A_SECOND
            if self._is_given_up or now - began > patience_s:
                raise TooSlowError
            await self.go_on(until=now + _LOOK_EVERY_S, most=most)
        return self.body()


def refusal(error: CutShortError | TooSlowError) -> Response:
    """Return what somebody hears whose body did not arrive."""
    if isinstance(error, CrumbsError):
        return refuse(400, "bad_request", "Send the body whole, or in fewer and larger pieces.")
    if isinstance(error, CutShortError):
        return refuse(400, "bad_request", "The request ended before its body did.")
    return refuse(408, "too_slow", "The body came too slowly. Send the request again.")
