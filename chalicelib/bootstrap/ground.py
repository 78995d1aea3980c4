"""What every other part of a deployment uses: settings, clocks, tables and AWS clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chalicelib.bootstrap.clients import Clients, clock_at
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.storage.tables import Tables

if TYPE_CHECKING:
    from botocore.session import Session

    from chalicelib.settings import Settings


class Ground:
    """`wall` is the clock by which posts are due, `clock` that of all else (`clients.clock_at`)."""

    def __init__(
        self, settings: Settings, *, clock: Clock | None = None, session: Session | None = None
    ) -> None:
        self.settings = settings
        self.wall = clock or system_clock
        self.clock = clock or clock_at(settings.endpoint_url)
        self.clients = Clients(settings, session)
        self.tables = Tables(
            posts=settings.posts_table,
            directory=settings.directory_table,
            media=settings.media_table,
        )
