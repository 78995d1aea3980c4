"""Every endpoint against every role and scope, made from the route table: none can be forgotten.

What docs/api.md's table and docs/operations.md allow stands here once more, written by hand, so
that a wrong declaration is noticed; an endpoint that is missing here fails the test. `make test`
tries, of each scope, a key that has only it and one that has all the others; `make prove` every set
of scopes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations

import pytest

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.workspace.access import Plan, Role, Scope
from tests.api.http_room import UNKNOWN_ID, Answer, House, Room

ANY_KEY = None
READ, WRITE, PUBLISH = "post.read", "post.write", "post.publish"
DELETE_PUBLISHED = "post.delete_published"
NEEDS = {
    "GET /v1/accounts": READ,
    "GET /v1/accounts/{account_id}/tiktok": WRITE,
    "GET /v1/accounts/{account_id}/choices": WRITE,
    "POST /v1/posts/{post_id}/check": READ,
    "PATCH /v1/accounts/{account_id}": WRITE,
    "POST /v1/media": WRITE,
    "GET /v1/media": READ,
    "GET /v1/media/{media_id}": READ,
    "DELETE /v1/media/{media_id}": WRITE,
    "PATCH /v1/media/{media_id}": WRITE,
    "GET /v1/media/{media_id}/file": READ,
    "POST /v1/media/uploads": WRITE,
    "POST /v1/media/from-url": WRITE,
    "GET /v1/media/uploads/{media_id}": READ,
    "POST /v1/posts": WRITE,
    "GET /v1/posts": READ,
    "GET /v1/posts/{post_id}": READ,
    "PATCH /v1/posts/{post_id}": WRITE,
    "DELETE /v1/posts/{post_id}": WRITE,
    "POST /v1/posts/{post_id}/schedule": PUBLISH,
    "POST /v1/posts/{post_id}/queue": PUBLISH,
    "POST /v1/posts/{post_id}/publish-now": PUBLISH,
    "POST /v1/posts/{post_id}/cancel": PUBLISH,
    "POST /v1/posts/{post_id}/retry": PUBLISH,
    "POST /v1/posts/{post_id}/targets/{target_id}/unpublish": DELETE_PUBLISHED,
    "POST /v1/posts/{post_id}/duplicate": WRITE,
    "GET /v1/posts/{post_id}/history": READ,
    "GET /v1/golden-hour": ANY_KEY,
    "GET /v1/queue-slots": READ,
    "POST /v1/queue-slots": PUBLISH,
    "DELETE /v1/queue-slots/{slot_id}": PUBLISH,
    "GET /v1/labels": READ,
    "POST /v1/labels": WRITE,
    "PATCH /v1/labels/{label_id}": WRITE,
    "DELETE /v1/labels/{label_id}": WRITE,
    "POST /v1/posts/{post_id}/repeat": PUBLISH,
    "GET /v1/series": READ,
    "GET /v1/series/{series_id}": READ,
    "DELETE /v1/series/{series_id}": PUBLISH,
    "GET /v1/posts/{post_id}/labels": READ,
    "PUT /v1/posts/{post_id}/labels": WRITE,
    "GET /v1/posts/{post_id}/metrics": READ,
    "GET /v1/analytics/summary": READ,
    "GET /v1/me": ANY_KEY,
}
NO_KEY = {
    "GET /llms.txt",
    "GET /v1/health",
    "GET /v1/ready",
    "GET /v1/openapi.json",
    "GET /v1/docs",
    "GET /v1/docs/errors",
    "GET /v1/docs/{asset}",
}
EVERYTHING = frozenset({READ, WRITE, PUBLISH, DELETE_PUBLISHED, "account.manage"})
ALLOWS: Mapping[str, frozenset[str]] = {
    "owner": EVERYTHING,
    "admin": EVERYTHING,
    "editor": EVERYTHING - {"account.manage"},
    "contributor": frozenset({READ, WRITE}),
    "viewer": frozenset({READ}),
}
PASSED = (200, 201, 204, 302, 404, 409, 415, 422)
Verdict = tuple[int, str]


def name_of(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


KEYED = [endpoint for endpoint in every_endpoint() if name_of(endpoint) not in NO_KEY]


def knock(room: Room, endpoint: Endpoint) -> Answer:
    """Send an endpoint a request about nothing that exists."""
    path = endpoint.path
    for param in (
        "account_id",
        "media_id",
        "post_id",
        "target_id",
        "slot_id",
        "label_id",
        "series_id",
    ):
        path = path.replace(f"{{{param}}}", UNKNOWN_ID)
    assert "{" not in path
    return room.ask(endpoint.method, path, body={} if endpoint.body is not None else None)


def verdict(endpoint: Endpoint, role: Role, scopes: Iterable[str]) -> Verdict | None:
    """Return the refusal that role and scopes lead to, None for none."""
    needed = NEEDS[name_of(endpoint)]
    if needed is ANY_KEY:
        return None
    if needed not in set(scopes):
        return 403, "scope_missing"
    return None if needed in ALLOWS[role] else (403, "forbidden")


def judge(rooms: Iterable[tuple[Role, frozenset[Scope], Room]], *, all_of_them: bool) -> int:
    """Knock with every key at every endpoint; return how often.

    Unless all are asked for, a key with one scope, or with all but one, knocks only where that
    scope decides.
    """
    knocks = 0
    for role, scopes, room in rooms:
        telling = {*scopes} if len(scopes) == 1 else {*Scope} - scopes
        for endpoint in KEYED:
            if not all_of_them and NEEDS[name_of(endpoint)] not in telling:
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


def test_every_endpoint_stands_in_the_table() -> None:
    assert {name_of(endpoint) for endpoint in every_endpoint()} == set(NEEDS) | NO_KEY


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

    may_write = "post.write" in ALLOWS[role]
    assert without_scope.refusal == (403, "scope_missing" if may_write else "forbidden")
    if "post.delete_published" in ALLOWS[role]:
        assert with_scope.status == 204
    else:
        assert with_scope.refusal == (403, "forbidden")


def test_without_a_key_only_the_open_endpoints_answer(room: Room) -> None:
    stranger = replace(room, key="gh_live_wrong")

    answers = {name_of(endpoint): knock(stranger, endpoint).refusal for endpoint in KEYED}

    assert set(answers.values()) == {(401, "bad_api_key")}


@pytest.mark.parametrize("plan", [Plan.FREE, Plan.TRIAL])
def test_on_the_free_plan_or_after_the_trial_no_endpoint_answers(house: House, plan: Plan) -> None:
    room = house.room(plan=plan)
    house.clock.now = house.clock.now.replace(year=house.clock.now.year + 1)

    answers = {name_of(endpoint): knock(room, endpoint).refusal for endpoint in KEYED}

    assert set(answers.values()) == {(402, "plan_limit")}
