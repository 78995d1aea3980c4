"""What deleting and moving find by key alone is what the table of row kinds says there is."""

import pytest

from chalicelib.storage.owned_rows import lines_of, linked_keys, partitions_of
from chalicelib.storage.row_kinds import ROW_KINDS, Erased, Owner, Store

WORKSPACE, POST, ACCOUNT = "0a" * 16, "0b" * 16, "0c" * 16
STORES = (Store.POSTS, Store.DIRECTORY, Store.MEDIA)
LEADING = (
    {"pk": POST, "sk": "POST", "idempotency_key": "order-1"},
    {"pk": POST, "sk": "TARGET#1", "platform": "x", "remote_id": "7"},
    {"pk": f"WORKSPACE#{WORKSPACE}", "sk": "KEY#1", "hash": "5e"},
    {"pk": f"WORKSPACE#{WORKSPACE}", "sk": f"ACCOUNT#{ACCOUNT}"},
)
"""A row of each kind that leads to another one."""
BY_THEIR_FILE = {"copy for platforms"}
"""What a file's own rows lead to: the copies are asked for, since objects go with them."""


def _is_in(pattern: str, partitions: tuple[str, ...]) -> bool:
    """Tell whether rows of a kind are in one of some partitions."""
    start, *_ = pattern.split("*")
    return any(pk.startswith(start) and pk.count("#") == pattern.count("#") for pk in partitions)


@pytest.mark.parametrize(
    "name",
    [name for name, kind in ROW_KINDS.items() if kind.erased is Erased.BY_KEY],
)
def test_each_kind_under_a_key_of_the_workspace_is_found(name: str) -> None:
    kind = ROW_KINDS[name]
    if kind.store is Store.BUCKET:
        pytest.skip("objects go by their prefix: tests/services/operator/test_deletion.py")

    listed = any(kind.fits(kind.store, key["pk"], key["sk"]) for key in lines_of(WORKSPACE))

    assert listed or _is_in(kind.pk, partitions_of(WORKSPACE, kind.store))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, kind in ROW_KINDS.items()
        if kind.erased is Erased.BY_OWNER
        and kind.store in STORES
        and not kind.pk.startswith("<id>")
        and name not in BY_THEIR_FILE
    ],
)
def test_each_kind_that_a_row_leads_to_is_found(name: str) -> None:
    kind = ROW_KINDS[name]

    assert any(
        kind.fits(kind.store, key["pk"], key["sk"])
        for row in LEADING
        for key in linked_keys(WORKSPACE, row)
    )


def test_nothing_of_the_service_or_of_a_person_is_found() -> None:
    """Deleting a workspace must not take what others need."""
    found = [key for row in LEADING for key in linked_keys(WORKSPACE, row)]
    others = {
        name
        for name, kind in ROW_KINDS.items()
        if kind.owner in {Owner.SERVICE, Owner.PERSON}
        for key in (*found, *lines_of(WORKSPACE))
        if kind.fits(kind.store, key["pk"], key["sk"])
    }

    assert others == set()


def test_what_nobody_can_read_leads_nowhere() -> None:
    row = {"pk": POST, "sk": "TARGET#1", "remote_id": 5, "idempotency_key": 5, "hash": None}

    assert list(linked_keys(WORKSPACE, row)) == []
