"""An answer is its model's fields, read from the value that it shows."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Annotated

from chalicelib.api.http.answers import From, Out
from chalicelib.http.messages import json_bytes

AT = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)


class LoafOut(Out):
    """A part of an answer."""

    flour: str
    baked_at: datetime | None


class BasketOut(Out):
    """An answer with parts, and with fields that the value calls otherwise."""

    loaves: Annotated[list[LoafOut], From("breads")]
    by_name: dict[str, LoafOut]
    weights: Annotated[list[int], From(lambda basket: sorted(basket.weights))]
    best: LoafOut | None


def test_an_answer_reads_the_attributes_that_its_fields_name() -> None:
    rye = SimpleNamespace(flour="rye", baked_at=AT, recipe="secret")
    raw = SimpleNamespace(flour="spelt", baked_at=None, recipe="secret")
    basket = SimpleNamespace(
        breads=(rye, raw), by_name={"rye": rye}, weights={750, 500}, best=None, owner="Ada"
    )

    written = BasketOut.serialize(basket, None)

    assert written == {
        "loaves": [
            {"flour": "rye", "baked_at": "2026-11-22T03:00:00+00:00"},
            {"flour": "spelt", "baked_at": None},
        ],
        "by_name": {"rye": {"flour": "rye", "baked_at": "2026-11-22T03:00:00+00:00"}},
        "weights": [500, 750],
        "best": None,
    }
    assert json_bytes(written).startswith(b'{"loaves":[{"flour":"rye","baked_at":')
