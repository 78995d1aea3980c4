"""Items kept as text are to ministack what its dicts were, for a fraction of the memory."""

import tracemalloc
from collections import defaultdict

from chalicelib.local.emulator.ministack_shapes import Item
from chalicelib.local.emulator.packed_items import KeptToken, PackedItems, RequestDigest

ITEM: Item = {"pk": {"S": "p"}, "sk": {"S": "s"}, "tags": {"L": [{"S": "é"}, {"N": "1"}]}}


def test_a_change_of_what_was_read_changes_nothing_kept() -> None:
    items = PackedItems()
    items["p"]["s"] = ITEM

    items["p"]["s"]["pk"] = {"S": "changed"}

    assert items["p"]["s"] == ITEM


def test_partitions_answer_as_dicts_do() -> None:
    items = PackedItems({"p": {"b": ITEM, "a": {}}})

    assert items.setdefault("p", {}).get("b") == ITEM
    assert items.get("q", {}) == {}
    assert "b" in items["p"]
    assert "c" not in items["p"]
    assert sorted(items["p"]) == ["a", "b"]
    assert items["p"].pop("b", None) == ITEM
    assert list(items["p"].values()) == [{}]


def test_a_partition_that_ministack_begins_is_packed_too() -> None:
    items = PackedItems()

    items.setdefault("p", {})["s"] = ITEM

    assert type(items["p"]) is type(PackedItems()["other"])


def test_items_take_a_fraction_of_the_memory() -> None:
    def a_target(number: int) -> Item:
        return {f"attribute_{place}": {"S": f"{number}-{place}"} for place in range(30)}

    tracemalloc.start()
    dicts: defaultdict[str, dict[str, Item]] = defaultdict(dict)
    for number in range(300):
        dicts[str(number)]["s"] = a_target(number)
    as_dicts, _ = tracemalloc.get_traced_memory()
    dicts.clear()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    packed = PackedItems()
    for number in range(300):
        packed[str(number)]["s"] = a_target(number)
    as_text = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()

    assert as_text < as_dicts / 5


def test_a_digest_equals_its_request_and_no_other() -> None:
    digest = RequestDigest.of({"b": 1, "a": [1, {"c": "é"}]})

    assert digest == {"a": [1, {"c": "é"}], "b": 1}
    assert digest != {"a": [1, {"c": "e"}], "b": 1}
    assert RequestDigest.of(str(digest)) == digest


def test_a_kept_token_answers_as_ministacks_dict_does() -> None:
    request = {"TransactItems": [{"Put": {"Item": ITEM}}]}
    rest = {"response": {}, "sizes": {"posts": [322, 296]}}

    kept = KeptToken({"signature": request, "completed_at": 1.0, **rest})  # type: ignore[typeddict-item]
    kept["completed_at"] = 5.0

    assert kept.get("signature") == request
    assert kept.get("signature") != {"TransactItems": []}
    assert (kept["completed_at"], kept.get("sizes"), kept.get("response")) == (
        5.0,
        rest["sizes"],
        {},
    )
    assert kept.get("other") is None
