"""Places for long work on files: each owner has a fixed number, over all processes.

Long conversions take one, and so does fetching from a stranger's host. A holder renews its place
again and again; when one has died, its place is free a minute later.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.kit.dynamodb.items import epoch, stamp
from chalicelib.kit.dynamodb.table import Expression, Table, setting
from chalicelib.storage.media.prepared_copies import KEPT
from chalicelib.storage.tables import Key, Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

HELD = timedelta(seconds=60)
"""How long a place is held after its holder last renewed it."""
_HELD_ON_EVERY = HELD / 4


class LanePlaces:
    """The rows of one lane's places."""

    def __init__(
        self, client: "DynamoDBClient", tables: Tables, key: Callable[[str, int], Key]
    ) -> None:
        self._table = Table(client, tables.media)
        self._key = key

    def take(self, owner: str, holder: str, *, places: Iterable[int], now: datetime) -> int | None:
        """Take the first of an owner's places that is free; None while all are taken."""
        return next((n for n in places if self.hold(owner, n, holder, now=now)), None)

    def hold(self, owner: str, place: int, holder: str, *, now: datetime) -> bool:
        """Take a place, or renew it; False if it is another's."""
        until = now + HELD
        held = {"maker": holder, "making_until": stamp(until), "expires_at": epoch(until + KEPT)}
        free = Expression(
            "attribute_not_exists(#maker) OR #maker = :holder OR #making_until <= :now",
            {"holder": holder, "now": stamp(now)},
        )
        return self._table.update(self._key(owner, place), setting(held), free)

    def leave(self, owner: str, place: int, holder: str) -> None:
        """Leave a place to the next."""
        mine = Expression("#maker = :maker", {"maker": holder})
        self._table.delete(self._key(owner, place), mine)


class HeldPlaces:
    """One place of each of several owners, or no place at all."""

    def __init__(self, places: LanePlaces, owners: Mapping[str, int], clock: Clock) -> None:
        self._places = places
        self._clock = clock
        self._holder = new_id(clock())
        self._held: list[tuple[str, int]] = []
        self._said_at = clock()
        self.is_taken = all(self._take(owner, most) for owner, most in owners.items())
        if not self.is_taken:
            self.leave()

    def _take(self, owner: str, most: int) -> bool:
        place = self._places.take(owner, self._holder, places=range(most), now=self._said_at)
        if place is not None:
            self._held.append((owner, place))
        return place is not None

    def on(self) -> None:
        """Renew the places, now and then."""
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
