"""Rows stay as they were written yesterday: what a release cannot read, nobody has any more.

`recorded_rows.json` was written by the code of November 2026, before rows were made from the
declared fields. A row changes only together with a reason why the old ones can still be read.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chalicelib.domain.workspace.sessions import Session
from chalicelib.kit.dynamodb.items import Item, attributes, compress, plain, unpack
from chalicelib.storage.analytics.items import (
    day_counters_from,
    day_counters_item,
    fresh_from,
    fresh_item,
    learned_from,
    learned_item,
    post_metrics_from,
    post_metrics_item,
)
from chalicelib.storage.media.items import media_from, media_item, upload_from, upload_item
from chalicelib.storage.media.prepared_copies import copy_from, copy_item
from chalicelib.storage.media.pull_links import LINK
from chalicelib.storage.posts.items import (
    attempt_from,
    attempt_item,
    event_from,
    event_item,
    post_from,
    post_item,
    target_from,
    target_item,
)
from chalicelib.storage.sign_in.former_people import former_session_from
from chalicelib.storage.sign_in.links import link_from, link_item
from chalicelib.storage.sign_in.sessions import session_from, session_item
from chalicelib.storage.workspace.callers import key_holder_from, key_item
from chalicelib.storage.workspace.items import (
    account_from,
    account_item,
    member_from,
    member_item,
    slot_from,
    slot_item,
    stored_key_from,
    stored_key_item,
    workspace_from,
    workspace_item,
)
from tests.storage import recorded as given

RECORDED = Path(__file__).parent / "recorded_rows.json"


class Case(NamedTuple):
    """A value, its row, and how the row is read again."""

    value: object
    item: Item
    read: Callable[[Item], object]


def _read_target(item: Item) -> object:
    return target_from(item)


CASES = {
    "post": Case(given.BARE_POST, post_item(given.BARE_POST), post_from),
    "post, full": Case(
        given.FULL_POST,
        post_item(given.FULL_POST),
        lambda row: post_from(row, target_item(given.POST, given.WORKSPACE, given.FULL_TARGET)),
    ),
    **{
        f"target, {name}": Case(
            value, target_item(given.POST, given.WORKSPACE, value), _read_target
        )
        for name, value in {
            "bare": given.BARE_TARGET,
            "full": given.FULL_TARGET,
            "another text was sent": given.OTHER_TEXT_SENT,
        }.items()
    },
    "event": Case(given.EVENT, event_item(given.POST, given.EVENT), event_from),
    "attempt": Case(given.BARE_ATTEMPT, attempt_item(given.POST, given.BARE_ATTEMPT), attempt_from),
    "attempt, full": Case(
        given.FULL_ATTEMPT, attempt_item(given.POST, given.FULL_ATTEMPT), attempt_from
    ),
    "media": Case(given.BARE_MEDIA, media_item(given.BARE_MEDIA), media_from),
    "media, full": Case(given.FULL_MEDIA, media_item(given.FULL_MEDIA), media_from),
    "upload": Case(given.BARE_UPLOAD, upload_item(given.BARE_UPLOAD), upload_from),
    "upload, full": Case(given.FULL_UPLOAD, upload_item(given.FULL_UPLOAD), upload_from),
    "copy": Case(given.BARE_COPY, copy_item(given.MEDIA, given.BARE_COPY), copy_from),
    "copy, full": Case(given.FULL_COPY, copy_item(given.MEDIA, given.FULL_COPY), copy_from),
    "pull link": Case(given.LINK, LINK.item(given.LINK), LINK.value),
    "workspace": Case(given.BARE_WORKSPACE, workspace_item(given.BARE_WORKSPACE), workspace_from),
    "workspace, full": Case(
        given.FULL_WORKSPACE, workspace_item(given.FULL_WORKSPACE), workspace_from
    ),
    "member": Case(given.BARE_MEMBER, member_item(given.BARE_MEMBER), member_from),
    "member, full": Case(given.FULL_MEMBER, member_item(given.FULL_MEMBER), member_from),
    "operators' row of a key": Case(
        given.STORED_KEY, stored_key_item(given.STORED_KEY), stored_key_from
    ),
    "account": Case(given.BARE_ACCOUNT, account_item(given.BARE_ACCOUNT), account_from),
    "account, full": Case(given.FULL_ACCOUNT, account_item(given.FULL_ACCOUNT), account_from),
    "queue time": Case(given.SLOT, slot_item(given.WORKSPACE, given.SLOT), slot_from),
    "session of a person": Case(given.SESSION, session_item(given.SESSION), session_from),
    "link": Case(given.BARE_LINK, link_item(given.BARE_LINK), link_from),
    "link, full": Case(given.FULL_LINK, link_item(given.FULL_LINK), link_from),
    "fresh mark": Case(given.LIVE, fresh_item(given.WORKSPACE, given.LIVE), fresh_from),
    "metrics of a post": Case(
        given.METRICS,
        post_metrics_item(given.WORKSPACE, given.METRICS, given.LATER),
        post_metrics_from,
    ),
    "day": Case(given.DAY, day_counters_item(given.WORKSPACE, given.DAY), day_counters_from),
    "learned": Case(given.LEARNED, learned_item(given.WORKSPACE, given.LEARNED), learned_from),
}
KEY_ITEM = key_item(given.STORED_KEY, given.FULL_MEMBER, given.FULL_WORKSPACE, [given.FULL_ACCOUNT])


def _shown(item: Item) -> dict[str, object]:
    """Return a row as it is sent, with its compressed values readable."""
    return {
        name: {"squeezed": unpack(value["B"])} if "B" in value else value
        for name, value in attributes(item).items()
    }


def _recorded() -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return rows


@pytest.mark.parametrize("name", CASES)
def test_a_row_is_written_as_it_was_recorded(name: str) -> None:
    """An attribute more harms nobody; none of those that were there changes or goes."""
    written = json.loads(json.dumps(_shown(CASES[name].item)))

    recorded = _recorded()[name]
    assert {each: _known_part(written.get(each), recorded[each]) for each in recorded} == recorded


def _known_part(written: Any, recorded: Any) -> Any:  # noqa: ANN401 - any attribute
    """Return what is written without the fields, of an object packed as JSON, that are new."""
    match written, recorded:
        case {"S": str(packed)}, {"S": str(known)} if known.startswith("{"):
            fields = json.loads(known)
            kept = {each: value for each, value in json.loads(packed).items() if each in fields}
            return {"S": json.dumps(kept, ensure_ascii=False, separators=(",", ":"))}
        case _:
            return written


@pytest.mark.parametrize("name", CASES)
def test_a_row_that_was_recorded_is_read_as_the_value_it_was_written_from(name: str) -> None:
    kept = {
        each: {"B": compress(value["squeezed"])} if "squeezed" in value else value
        for each, value in _recorded()[name].items()
    }

    assert CASES[name].read(plain(kept)) == CASES[name].value


@pytest.mark.parametrize("name", CASES)
def test_a_row_comes_back_as_the_value_it_was_written_from(name: str) -> None:
    row = plain(attributes(CASES[name].item))

    assert CASES[name].read(row) == CASES[name].value


def test_a_session_of_before_there_were_persons_is_read_as_one_of_its_workspace() -> None:
    row = plain(_recorded()["session"])

    assert former_session_from(row) == Session(
        hash="6f" * 32,
        person_id=given.MEMBER,
        created_at=given.AT,
        seen_at=given.LATER,
        reach=frozenset({given.WORKSPACE}),
    )


def test_the_item_of_a_key_is_written_as_it_was_recorded() -> None:
    written, recorded = json.loads(json.dumps(_shown(KEY_ITEM))), _recorded()["item of a key"]

    assert recorded == {each: written.get(each) for each in recorded}


def test_the_item_of_a_key_says_who_calls() -> None:
    holder = key_holder_from({**plain(attributes(KEY_ITEM)), "last_used_at": stamped_now()})

    caller = holder.caller
    assert holder.last_used_at == given.AT
    assert dict(given.ACCOUNTS) == caller.accounts
    assert (given.WORKSPACE, given.MEMBER, given.KEY) == (
        caller.workspace_id,
        caller.member_id,
        caller.key_id,
    )
    assert (caller.member_name, caller.timezone, caller.member_timezone) == (
        "Ada",
        "Pacific/Kiritimati",
        "UTC",
    )
    assert (caller.role, caller.plan, caller.scopes) == (
        given.FULL_MEMBER.role,
        given.FULL_WORKSPACE.plan,
        given.STORED_KEY.key.scopes,
    )
    assert (caller.approvals, caller.raised_storage, caller.revisions) == (True, 10**12, None)


def stamped_now() -> str:
    """Return the moment of every value, as rows spell it."""
    return "2026-11-22T03:04:05.678901Z"


def test_rows_of_releases_that_knew_fewer_attributes_are_read() -> None:
    """Each of these attributes was added when there were rows already."""
    target = plain(attributes(CASES["target, full"].item))
    upload = plain(attributes(CASES["upload, full"].item))
    for name in ("post_version", "trims"):
        del target[name]
    del upload["reserved_bytes"]

    read = target_from({**target, "looked_for": True})

    assert (0, False, None) == (
        read.post_version,
        read.progress.trims,
        read.progress.looked_for,
    )
    assert upload_from(upload).reserved_bytes == 0
