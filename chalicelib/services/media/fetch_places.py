"""The places that a file takes while it is fetched: one of its workspace's, one of the service's.

`fetched_uploads` takes both or waits. Whoever owns the hosts says how long fetching takes, so that
without places one workspace's slow hosts would hold every thread that finishes uploads.
"""

from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.storage.media.lanes import LanePlaces

OF_A_WORKSPACE: Final = 2
IN_ALL: Final = 8

_ALL = "ALL"
_HELD_ON_EVERY = timedelta(seconds=15)


class FetchPlaces:
    """A place of the workspace and one of the service's, for as long as something is fetched."""

    def __init__(self, places: LanePlaces, workspace_id: str, clock: Clock) -> None:
        self._places = places
        self._clock = clock
        self._holder = new_id(clock())
        self._held: list[tuple[str, int]] = []
        self._said_at = clock()
        self.is_taken = self._take(workspace_id, OF_A_WORKSPACE) and self._take(_ALL, IN_ALL)
        if not self.is_taken:
            self.leave()

    def _take(self, owner: str, places: int) -> bool:
        place = self._places.take(owner, self._holder, places=range(places), now=self._said_at)
        if place is not None:
            self._held.append((owner, place))
        return place is not None

    def on(self) -> None:
        """Hold on to the places, now and then."""
        now = self._clock()
        if now - self._said_at < _HELD_ON_EVERY:
            return
        self._said_at = now
        for owner, place in self._held:
            self._places.hold(owner, place, self._holder, now=now)

    def leave(self) -> None:
        """Leave the places to the next."""
        for owner, place in self._held:
            self._places.leave(owner, place, self._holder)
