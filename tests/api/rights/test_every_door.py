"""Every endpoint with every lack of right, by key and by role: no door is left out of the table.

What is expected stands in `tests/support/rights/endpoints.txt` and `roles.txt`, read by hand. The
command and the assistants' server are callers of these endpoints and have no other door.
"""

import pytest

from chalicelib.api.paths import every_endpoint
from chalicelib.domain.workspace.access import Role, Scope
from tests.api.http_room import UNKNOWN_ID, Answer, House, Room
from tests.support.rights.tables import ENDPOINTS, ROLES

SCOPES = {
    "read": Scope.READ,
    "write": Scope.WRITE,
    "publish": Scope.PUBLISH,
    "delete_published": Scope.DELETE_PUBLISHED,
}
NAMES = sorted({name for name, _ in ENDPOINTS})


@pytest.fixture(scope="module")
def room(house: House) -> Room:
    return house.room()


def ask(room: Room, name: str, key: str) -> Answer:
    method, _, path = name.partition("/")
    names = ("account_id", "media_id", "post_id", "target_id", "slot_id", "label_id", "series_id")
    filled = f"/{path}".format(**dict.fromkeys(names, UNKNOWN_ID))
    bearer = {"authorization": f"Bearer {key}"}
    return room.ask(method, filled, body=None if method == "GET" else {}, headers=bearer)


def a_key(room: Room, role: Role, scopes: frozenset[Scope]) -> str:
    people = room.house.operator.people.administration
    known = {one.name: one for one in people.list_members(room.workspace_id)}
    member = known.get(role) or people.add_member(room.workspace_id, name=role, role=role)
    return people.create_key(member.id, scopes=scopes).secret


def test_every_endpoint_that_asks_for_a_key_is_in_the_table() -> None:
    asking = {f"{one.method}{one.path}" for one in every_endpoint() if not one.open_to_all}

    assert asking == set(NAMES)


@pytest.mark.parametrize("lacked", SCOPES)
def test_a_key_without_the_scope_is_refused_at_every_endpoint_that_needs_it(
    room: Room, lacked: str
) -> None:
    key = a_key(room, Role.OWNER, frozenset(Scope) - {SCOPES[lacked]})

    answers = {name: ask(room, name, key) for name in NAMES}

    for name, answer in answers.items():
        is_needed = ENDPOINTS[name, "scope"] == lacked
        assert (answer.status == 403) == is_needed, (name, answer)
        assert not is_needed or answer.code == "scope_missing", (name, answer)


@pytest.mark.parametrize("role", Role)
def test_a_role_without_the_permission_is_refused_whatever_the_key_carries(
    room: Room, role: Role
) -> None:
    key = a_key(room, role, frozenset(Scope))

    answers = {name: ask(room, name, key) for name in NAMES}

    for name, answer in answers.items():
        needed = ENDPOINTS[name, "scope"]
        is_lacked = needed != "any" and ROLES[role, needed] == "no"
        assert (answer.status == 403) == is_lacked, (name, answer)
        assert not is_lacked or answer.code == "forbidden", (name, answer)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_key_that_works_every_endpoint_is_closed(room: Room, name: str) -> None:
    people = room.house.operator.people.administration
    owner = people.list_members(room.workspace_id)[0]
    revoked = people.create_key(owner.id)
    people.revoke_key(revoked.key.id)

    answers = [ask(room, name, key) for key in ("", "gh_live_x", revoked.secret)]

    assert [(401, "bad_api_key")] * 3 == [answer.refusal for answer in answers]
