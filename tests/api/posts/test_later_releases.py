"""What a later release keeps in rows stays there when this one writes them again.

Two releases work side by side while one goes out, and after a rollback: an attribute that this one
does not know must be there when the later one reads the row the next time.
"""

from collections.abc import Mapping
from datetime import timedelta

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Table, name_of, partition, setting
from chalicelib.storage.tables import workspace_pk
from tests.api.http_room import Document, Room

LATER: Mapping[str, object] = {"mood": "calm", "weather": ["rain", {"until": 9}]}
"""Attributes that no row of this release has."""


def _rows(room: Room, post: Document) -> dict[tuple[str, str], tuple[Table, Item]]:
    """Return the rows of a post and of the workspace by their keys, and where each stands."""
    tables, client = room.house.deployment.tables, room.house.deployment.clients.dynamodb
    posts = Table(client, tables.posts)
    directory = Table(client, tables.directory)
    found = [(posts, row) for row in posts.rows(partition(post["id"]))]
    found += [
        (directory, row) for row in directory.rows(partition(workspace_pk(room.workspace_id)))
    ]
    return {name_of(row): (table, row) for table, row in found}


def _told(room: Room, post: Document) -> dict[tuple[str, str], Item]:
    """Have a later release tell more in each of these rows; return them as they are then."""
    for (pk, sk), (table, _) in _rows(room, post).items():
        assert table.update({"pk": pk, "sk": sk}, setting(LATER))
    return {name: row for name, (_, row) in _rows(room, post).items()}


def test_they_stay_in_rows_that_requests_operators_and_the_engine_write_again(room: Room) -> None:
    people = room.house.operator.people
    member = people.administration.add_member(room.workspace_id, name="Grace", role=Role.EDITOR)
    key = people.administration.create_key(member.id).key
    post = room.scheduled("linkedin", caption="sandbox:flaky:1")
    before = _told(room, post)

    assert room.patch(post, {"caption": "sandbox:flaky:1 Bread"}).status == 200
    room.pass_time(timedelta(hours=2))
    people.administration.update_member(member.id, Role.VIEWER)
    people.administration.update_workspace(room.workspace_id, plan=Plan.CREATOR)
    people.administration.rotate_key(key.id)

    assert room.statuses(post) == ["published"]
    after = {name: row for name, (_, row) in _rows(room, post).items()}
    changed = [name for name, row in before.items() if after.get(name, row) != row]
    kinds = {sk.partition("#")[0] for _, sk in changed}
    assert kinds >= {"POST", "TARGET", "MEMBER", "WORKSPACE", "KEY"}
    assert [name for name in changed if not LATER.items() <= after[name].items()] == []


def test_what_is_deleted_keeps_nothing_of_them_for_it_may_be_words(room: Room) -> None:
    post = room.scheduled("linkedin")
    _told(room, post)

    assert room.delete(post).status == 204

    rows = {name: row for name, (_, row) in _rows(room, post).items() if name[0] == post["id"]}
    kept = [sk for (_, sk), row in rows.items() if LATER.keys() & row.keys()]
    assert [sk for sk in kept if sk.startswith(("POST", "TARGET"))] == []
