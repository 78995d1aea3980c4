"""Every endpoint against every role and scope, made from the route table: none can be forgotten.

What SPEC's table of endpoints and CONTRACT 2, 3, 14 and 15 allow stands in
`tests/support/rights/endpoints.txt` and `roles.txt`, read by hand; an endpoint that is missing
there fails the test. `make test` tries, of each scope, a key that has only it and one that has all
the others; `make prove` every set of scopes. The command and the assistants' server are callers of
these endpoints and have no other door.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations

import pytest

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.workspace.access import Plan, Role, Scope
from tests.api.http_room import UNKNOWN_ID, Answer, House, Room
from tests.support.rights.tables import ENDPOINTS, ROLES

SCOPES = {
    "read": Scope.READ,
    "write": Scope.WRITE,
    "publish": Scope.PUBLISH,
    "delete_published": Scope.DELETE_PUBLISHED,
}
PASSED = (200, 201, 204, 302, 404, 409, 415, 422)
Verdict = tuple[int, str]


def name_of(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def needed_by(endpoint: Endpoint) -> str:
    """Return what the table says that a key needs there: a scope's name, or any."""
    return ENDPOINTS[f"{endpoint.method}{endpoint.path}", "scope"]


KEYED = [endpoint for endpoint in every_endpoint() if not endpoint.open_to_all]


def knock(room: Room, endpoint: Endpoint) -> Answer:
    """Send an endpoint a request about nothing that exists."""
    path = re.sub(r"{\w+}", UNKNOWN_ID, endpoint.path)
    return room.ask(endpoint.method, path, body={} if endpoint.body is not None else None)


def verdict(endpoint: Endpoint, role: Role, scopes: Iterable[str]) -> Verdict | None:
    """Return the refusal that role and scopes lead to, None for none."""
    needed = needed_by(endpoint)
    if needed == "any":
        return None
    if SCOPES[needed] not in set(scopes):
        return 403, "scope_missing"
    return None if ROLES[role, needed] == "yes" else (403, "forbidden")


def judge(rooms: Iterable[tuple[Role, frozenset[Scope], Room]], *, all_of_them: bool) -> int:
    """Knock with every key at every endpoint; return how often.

    Unless all are asked for, a key with one scope, or with all but one, knocks only where that
    scope decides, and a key with one scope where any key will do.
    """
    knocks = 0
    for role, scopes, room in rooms:
        telling = {*scopes} if len(scopes) == 1 else {*Scope} - scopes
        for endpoint in KEYED:
            needed = needed_by(endpoint)
            decides = len(scopes) == 1 if needed == "any" else SCOPES[needed] in telling
            if not all_of_them and not decides:
                continue
            answer = knock(room, endpoint)
            expected = verdict(endpoint, role, scopes)
            story = (name_of(endpoint), role, sorted(scopes), answer.status)
            if expected is None:
                assert answer.status in PASSED, story
            else:
                assert answer.refusal == expected, story
            knocks += 1
    return knocks


def keys(
    house: House, sets: Iterable[frozenset[Scope]]
) -> Iterator[tuple[Role, frozenset[Scope], Room]]:
    """Yield a key of each set of scopes for each role."""
    all_sets = list(sets)
    for role in Role:
        room = house.room()
        administration = house.operator.people.administration
        member = administration.add_member(room.workspace_id, name="Grace", role=role)
        for scopes in all_sets:
            made = administration.create_key(member.id, scopes=scopes)
            yield role, scopes, replace(room, key=made.secret)


def test_every_endpoint_asks_for_a_key_as_the_table_says() -> None:
    told = {name: cell == "none" for (name, column), cell in ENDPOINTS.items() if column == "scope"}

    declared = {f"{one.method}{one.path}": one.open_to_all for one in every_endpoint()}

    assert told == declared, "Give each a row in tests/support/rights/endpoints.txt."


def test_a_key_does_what_its_scope_and_role_both_allow(house: House) -> None:
    alone = [frozenset({scope}) for scope in Scope]
    all_others = [frozenset(Scope) - {scope} for scope in Scope]

    judge(keys(house, [*alone, *all_others]), all_of_them=False)


@pytest.mark.prove
def test_every_set_of_scopes_does_what_scope_and_role_both_allow(house: House) -> None:
    sets = chain.from_iterable(combinations(Scope, size) for size in range(1, len(Scope) + 1))

    knocks = judge(keys(house, map(frozenset, sets)), all_of_them=True)

    print(f"{knocks} knocks: roles x sets of scopes x {len(KEYED)} endpoints")  # noqa: T201


@pytest.mark.parametrize("role", Role)
def test_deleting_what_is_live_takes_a_further_right(room: Room, role: Role) -> None:
    live = room.sent()
    member = room.member(role, scopes={Scope.WRITE})
    entitled = room.member(role, scopes={Scope.WRITE, Scope.DELETE_PUBLISHED})

    without_scope, with_scope = member.delete(live), entitled.delete(live)

    may_write = ROLES[role, "write"] == "yes"
    assert without_scope.refusal == (403, "scope_missing" if may_write else "forbidden")
    if ROLES[role, "delete_published"] == "yes":
        assert with_scope.status == 204
    else:
        assert with_scope.refusal == (403, "forbidden")


@pytest.mark.parametrize("kind", ["none", "malformed", "revoked"])
def test_without_a_key_that_works_only_the_open_endpoints_answer(room: Room, kind: str) -> None:
    people = room.house.operator.people.administration
    made = people.create_key(people.list_members(room.workspace_id)[0].id)
    people.revoke_key(made.key.id)
    stranger = replace(
        room, key={"none": "", "malformed": "gh_live_wrong", "revoked": made.secret}[kind]
    )

    answers = {name_of(endpoint): knock(stranger, endpoint).refusal for endpoint in KEYED}

    assert set(answers.values()) == {(401, "bad_api_key")}


@pytest.mark.parametrize("plan", [Plan.FREE, Plan.TRIAL])
def test_on_the_free_plan_or_after_the_trial_no_endpoint_answers(house: House, plan: Plan) -> None:
    room = house.room(plan=plan)
    house.clock.now = house.clock.now.replace(year=house.clock.now.year + 1)

    answers = {name_of(endpoint): knock(room, endpoint).refusal for endpoint in KEYED}

    assert set(answers.values()) == {(402, "plan_limit")}
