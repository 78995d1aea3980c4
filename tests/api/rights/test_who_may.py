"""Keys, scopes, roles and workspaces over HTTP: what each key may do, and see."""

import json
import re

import pytest

from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Plan, Role, Scope
from tests.api.http_room import Answer, House, Room
from tests.support.frozen_clock import NOON


def test_a_room_is_what_an_operator_makes(house: House) -> None:
    administration = house.operator.people.administration
    workspace, owner = administration.create_workspace(
        name="Lighthouse Bakery",
        plan=Plan.STUDIO,
        timezone="UTC",
        approvals=False,
        owner_name="Ada",
    )
    administration.create_key(owner.id, scopes=frozenset(Scope))

    room = house.room()

    assert _rows(house, workspace.id) == _rows(house, room.workspace_id)


def _rows(house: House, workspace_id: str) -> list[str]:
    """Return all rows that name a workspace but its log, with each id and hash as an `x`.

    What lets notices look at it soon is left out: a key was made.
    """
    client, table = house.deployment.clients.dynamodb, house.deployment.tables.directory
    found = client.scan(TableName=table)["Items"]
    kept = [
        {name: value for name, value in row.items() if name != "news_at"}
        for row in found
        if not row["pk"]["S"].startswith("ACTIVITY#")
    ]
    rows = [json.dumps(row, sort_keys=True) for row in kept]
    return sorted(re.sub("[0-9a-f]{32,}", "x", row) for row in rows if workspace_id in row)


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer nonsense", "Basic YTpi", "Bearer gh_live_" + "A" * 46],
)
def test_a_wrong_key_is_refused(room: Room, authorization: str) -> None:
    answer = room.ask("GET", "/v1/posts", headers={"authorization": authorization})

    assert (401, "bad_api_key") == answer.refusal


def test_a_revoked_key_stops_at_once(room: Room) -> None:
    administration = room.house.operator.people.administration
    (key,) = administration.list_keys(room.workspace_id)
    before = room.get("/v1/posts").status

    administration.revoke_key(key.id)

    assert (200, (401, "bad_api_key")) == (before, room.get("/v1/posts").refusal)


def test_the_keys_of_a_removed_member_stop_at_once(room: Room) -> None:
    administration = room.house.operator.people.administration
    grace = room.member(Role.EDITOR)
    member = next(m for m in administration.list_members(room.workspace_id) if m.name == "Grace")

    administration.remove_member(member.id)

    assert (401, "bad_api_key") == grace.get("/v1/posts").refusal


def test_a_new_role_holds_from_the_next_request(room: Room) -> None:
    administration = room.house.operator.people.administration
    grace = room.member(Role.EDITOR)
    member = next(m for m in administration.list_members(room.workspace_id) if m.name == "Grace")

    administration.update_member(member.id, Role.VIEWER)

    assert (403, "forbidden") == grace.create("linkedin").refusal


def test_the_last_use_of_a_key_is_kept(room: Room) -> None:
    room.get("/v1/posts")

    (key,) = room.house.operator.people.administration.list_keys(room.workspace_id)

    assert NOON == key.last_used_at


def test_a_new_key_can_do_all_but_delete_what_is_live(room: Room) -> None:
    grace = room.member(Role.EDITOR, scopes=DEFAULT_SCOPES)
    post = room.sent()

    assert (403, "scope_missing") == grace.unpublish(post).refusal
    assert 200 == grace.act(room.draft(), "schedule").status


@pytest.mark.parametrize(
    ("role", "refused"),
    [
        (Role.OWNER, []),
        (Role.ADMIN, []),
        (Role.EDITOR, []),
        (Role.CONTRIBUTOR, ["schedule", "unpublish"]),
        (Role.VIEWER, ["create", "schedule", "unpublish"]),
    ],
)
def test_each_role_may_do_its_part(room: Room, role: Role, refused: list[str]) -> None:
    live, draft = room.sent(), room.draft()
    someone = room.member(role)

    answers: dict[str, Answer] = {
        "read": someone.get("/v1/posts"),
        "create": someone.create("linkedin"),
        "schedule": someone.act(draft, "schedule"),
        "unpublish": someone.unpublish(live),
    }

    forbidden = [name for name, answer in answers.items() if answer.status == 403]
    assert refused == forbidden
    assert {"forbidden"} >= {answers[name].code for name in forbidden}


def test_a_missing_scope_comes_before_a_missing_permission(room: Room) -> None:
    viewer = room.member(Role.VIEWER, scopes={Scope.READ})

    assert (403, "scope_missing") == viewer.create("linkedin").refusal


def test_golden_hours_are_for_any_valid_key(room: Room) -> None:
    nobody = room.member(Role.VIEWER, scopes=set())

    assert 200 == nobody.get("/v1/golden-hour").status
    assert (403, "scope_missing") == nobody.get("/v1/posts").refusal


@pytest.mark.parametrize(
    "path",
    ["/v1/auth/login", "/v1/keys", "/v1/team/x", "/v1/billing", "/v1/export", "/v1/account"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_account_level_actions_need_a_person(room: Room, method: str, path: str) -> None:
    answer = room.ask(method, path)

    assert (403, "session_required") == answer.refusal


def test_a_key_sees_only_its_own_workspace(house: House, room: Room) -> None:
    post = room.draft()
    other = house.room()

    headers = {"x-workspace-id": room.workspace_id}
    answers = [
        other.get(f"/v1/posts/{post['id']}"),
        other.ask("GET", f"/v1/posts/{post['id']}", headers=headers),
    ]

    assert [(404, "post_not_found")] * 2 == [answer.refusal for answer in answers]
    assert [] == other.ask("GET", "/v1/posts", headers=headers).json["data"]


def test_an_account_of_another_workspace_cannot_be_posted_to(house: House, room: Room) -> None:
    foreign = house.room().account()

    created = room.post("/v1/posts", {"caption": "x", "targets": [{"account_id": foreign}]})
    added = room.patch(room.draft(), {"add": [{"account_id": foreign}]})

    assert [(422, "account_not_found")] * 2 == [created.refusal, added.refusal]


def test_the_plan_comes_before_the_scope(house: House) -> None:
    free = house.room(plan=Plan.FREE)
    nobody = free.member(Role.VIEWER, scopes=set())

    assert (402, "plan_limit") == nobody.get("/v1/posts").refusal
