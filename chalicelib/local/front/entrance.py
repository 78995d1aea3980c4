"""Answers while the API cannot yet: requests wait, or are told to come again.

A start takes half a second, for which requests wait. A start that rebuilds indexes takes minutes:
every request is then refused with that reason, `GET /v1/health` too, until it ends.
"""

import asyncio
from typing import Final

from chalicelib.kit.asgi.exchange import AsgiApp, Receive, Scope, Send
from chalicelib.local.front.busy import answer_busy

_MESSAGE: Final = (
    "The service starts, and brings its data up to date first. Try again in some seconds; "
    "the operator sees with `engine status` how far it is."
)


class Entrance:
    """An ASGI app that takes another one's requests until that can answer."""

    def __init__(self) -> None:
        self._inner: AsgiApp | None = None
        self._told = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as soon as the other app can answer; refuse it if that takes long."""
        await self._told.wait()
        if self._inner is not None:
            await self._inner(scope, receive, send)
            return
        await answer_busy(send, _MESSAGE)

    def refuse(self) -> None:
        """Refuse requests from now on: the start takes long."""
        self._told.set()

    def open(self, inner: AsgiApp) -> None:
        """Let requests in."""
        self._inner = inner
        self._told.set()
