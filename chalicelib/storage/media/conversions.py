"""Requested conversions: who makes one, for how long, and the result.

Preparation asks; the convert lane claims, renews and keeps the result. The row decides; the message
of `queues` only names it, so that a lost or doubled message costs only time. A workspace has few
places for long conversions, so that others get theirs.
"""

import json
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe, read_recipe, recipe_words
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item, epoch, stamp
from chalicelib.kit.dynamodb.table import ABSENT, Expression, Table, setting
from chalicelib.storage.media.items import media_from, media_item
from chalicelib.storage.media.lanes import HELD, LanePlaces
from chalicelib.storage.media.prepared_copies import (
    KEPT,
    AskedCopy,
    PreparedCopy,
    copy_item,
)
from chalicelib.storage.tables import Key, Tables, conversion_place_key, prepared_row_key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MAKING = HELD
"""How long a conversion counts as being made after its worker last renewed the claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFor:
    """What a message names: a row, when it was asked for, and how often there was no place."""

    workspace_id: str
    media_id: str
    recipe: str
    asked_at: datetime
    put_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """One file to be made into one copy; `tries` counts this one."""

    media: Media
    recipe: Recipe
    tries: int


class Conversions:
    """The rows of conversions."""

    def __init__(self, client: "DynamoDBClient", tables: Tables) -> None:
        self._table = Table(client, tables.media)
        self.places = LanePlaces(client, tables, conversion_place_key)

    def ask(self, media: Media, recipe: Recipe, *, now: datetime) -> bool:
        """Ask for a copy that was not made lately; False if somebody else just asked."""
        item: Item = {
            **prepared_row_key(media.id, recipe.name),
            "file": json.dumps(media_item(media)),
            "recipe": json.dumps(recipe_words(recipe)),
            "since": stamp(now),
            "asked_at": stamp(now),
            "tries": 0,
            "expires_at": epoch(now + KEPT),
        }
        made_before = Expression(f"{ABSENT.text} OR attribute_exists(#made_at)")
        return self._table.put(item, made_before)

    def ask_again(self, media_id: str, asked: AskedCopy, *, now: datetime) -> bool:
        """Ask again; False if somebody else did since it was read.

        If it was forgotten, its waiting time begins now.
        """
        since = now if asked.is_forgotten(now) else asked.since
        change = Expression(
            "SET #asked_at = :now, #since = :since REMOVE #failed",
            {"now": stamp(now), "since": stamp(since)},
        )
        return self._again(media_id, asked.recipe, asked.asked_at, change)

    def put_back(self, asked: AskedFor, *, now: datetime) -> bool:
        """Ask again for a copy that got no place; False if the message is an old one."""
        change = Expression("SET #asked_at = :now REMOVE #failed", {"now": stamp(now)})
        return self._again(asked.media_id, asked.recipe, asked.asked_at, change)

    def _again(self, media_id: str, recipe: str, seen: datetime, change: Expression) -> bool:
        unchanged = Expression(
            "#asked_at = :seen AND attribute_not_exists(#made_at)", {"seen": stamp(seen)}
        )
        return self._table.update(prepared_row_key(media_id, recipe), change, unchanged)

    def claim(self, asked: AskedFor, maker: str, *, now: datetime) -> Conversion | None:
        """Begin to make a copy; None if it is made or gone, or another worker makes it."""
        change = Expression(
            "SET #maker = :maker, #making_until = :until REMOVE #failed ADD #tries :one",
            {"maker": maker, "until": stamp(now + MAKING), "one": 1},
        )
        free = Expression(
            "attribute_exists(#asked_at) AND attribute_not_exists(#made_at) AND "
            "(attribute_not_exists(#making_until) OR #making_until <= :now)",
            {"now": stamp(now)},
        )
        item = self._table.update_returning("ALL_NEW", _key(asked), change, free)
        if item is None:
            return None
        return Conversion(
            media=media_from(json.loads(item["file"])),
            recipe=read_recipe(json.loads(item["recipe"])),
            tries=item["tries"],
        )

    def still_making(self, asked: AskedFor, maker: str, *, now: datetime) -> bool:
        """Renew a claim; False if it is another worker's, or the file was removed."""
        longer = setting({"making_until": stamp(now + MAKING)})
        return self._table.update(_key(asked), longer, _is_mine(maker))

    def keep(self, asked: AskedFor, maker: str, copy: PreparedCopy) -> bool:
        """Keep a recipe's result; False if the claim is another worker's or the row is gone."""
        return self._table.put(copy_item(asked.media_id, copy), _is_mine(maker))

    def give_up(self, asked: AskedFor, maker: str) -> None:
        """End a claim without a result: those who wait for the copy ask again."""
        over = setting({"failed": True, "maker": None, "making_until": None})
        self._table.update(_key(asked), over, _is_mine(maker))

    def is_gone(self, asked: AskedFor) -> bool:
        """Tell whether the row was removed with its file."""
        return self._table.get(_key(asked)) is None


def _key(asked: AskedFor) -> Key:
    return prepared_row_key(asked.media_id, asked.recipe)


def _is_mine(maker: str) -> Expression:
    return Expression("#maker = :maker", {"maker": maker})
