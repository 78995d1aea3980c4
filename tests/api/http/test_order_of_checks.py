"""Which refusal wins when several would fit, and that none needs the others' data."""

from datetime import timedelta

import pytest

from chalicelib.api.http.endpoint import MAX_BODY_BYTES
from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope
from chalicelib.kit.asgi.messages import Request
from tests.api.http.pipelines import (
    NOW,
    POST_ID,
    a_caller,
    a_pipeline,
    a_request,
    error_code,
    problems,
)
from tests.api.http.things import THINGS

FREE = a_caller(plan=Plan.FREE, role=Role.VIEWER, scopes=())
TRIAL_OVER = a_caller(plan=Plan.TRIAL, trial_ends_at=NOW)
TRIAL = a_caller(plan=Plan.TRIAL, trial_ends_at=NOW + timedelta(seconds=1))
NO_SCOPE = a_caller(role=Role.VIEWER, scopes=(Scope.READ,))
VIEWER = a_caller(role=Role.VIEWER)
TOO_BIG = b"{" + b" " * MAX_BODY_BYTES

ACCOUNT_LEVEL = [
    "/v1/auth",
    "/v1/auth/login",
    "/v1/keys",
    "/v1/keys/1/revoke",
    "/v1/team",
    "/v1/team/members",
    "/v1/billing",
    "/v1/billing/plan",
    "/v1/export",
    "/v1/account",
    "/v1/account/delete",
    "/v1/%6Beys",
]


def code(caller: Caller, request: Request) -> str:
    return error_code(a_pipeline(*THINGS, caller=caller).answer(request))


def status(caller: Caller, request: Request) -> int:
    return a_pipeline(*THINGS, caller=caller).answer(request).status


@pytest.mark.parametrize("key", [None, "", "gh_live_wrong"])
def test_without_a_good_key_nothing_else_is_looked_at(key: str | None) -> None:
    request = a_request("POST", "/v1/things", raw=TOO_BIG, key=key)

    response = a_pipeline(*THINGS, caller=FREE).answer(request)

    assert (response.status, error_code(response)) == (401, "bad_api_key")
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("caller", [FREE, TRIAL_OVER], ids=["free", "trial over"])
def test_a_plan_without_the_api_comes_before_scopes_and_shapes(caller: Caller) -> None:
    assert code(caller, a_request("POST", "/v1/things", raw=TOO_BIG)) == "plan_limit"
    assert status(caller, a_request("POST", "/v1/things", raw=b"{")) == 402


def test_a_running_trial_may_use_the_api() -> None:
    assert status(TRIAL, a_request()) == 200


@pytest.mark.parametrize("path", ACCOUNT_LEVEL)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_account_level_paths_need_a_session_whatever_the_method(method: str, path: str) -> None:
    assert code(NO_SCOPE, a_request(method, path)) == "session_required"


def test_account_level_paths_are_refused_without_a_key_and_on_the_free_plan_first() -> None:
    assert code(NO_SCOPE, a_request("POST", "/v1/keys", key=None)) == "bad_api_key"
    assert code(FREE, a_request("POST", "/v1/keys")) == "plan_limit"


@pytest.mark.parametrize(
    "path", ["/v1/accountsx", "/v1/accounts", "/v2/keys", "/keys", "/v1", "/x/v1/keys"]
)
def test_other_unknown_paths_are_not_account_level(path: str) -> None:
    assert code(NO_SCOPE, a_request("GET", path)) == "not_found"


def test_a_missing_scope_comes_before_the_role() -> None:
    assert code(NO_SCOPE, a_request("POST", "/v1/things", raw=TOO_BIG)) == "scope_missing"


def test_a_role_without_the_permission_comes_before_the_size() -> None:
    assert code(VIEWER, a_request("POST", "/v1/things", raw=TOO_BIG)) == "forbidden"


def test_an_endpoint_without_a_scope_takes_any_key() -> None:
    assert status(NO_SCOPE, a_request("GET", f"/v1/things/{POST_ID}")) == 200


def test_a_body_that_is_too_large_comes_before_its_shape() -> None:
    caller = a_caller()

    response = a_pipeline(*THINGS, caller=caller).answer(a_request("POST", raw=TOO_BIG))

    assert (response.status, error_code(response)) == (413, "too_large")


def test_a_body_of_exactly_one_megabyte_is_read() -> None:
    body = b'{"name": "x"}'
    padded = body + b" " * (MAX_BODY_BYTES - len(body))

    assert status(a_caller(), a_request("POST", raw=padded)) == 201


def test_the_shape_comes_before_what_the_services_say() -> None:
    pipeline = a_pipeline(*THINGS)

    response = pipeline.answer(a_request("POST", f"/v1/things/{POST_ID}/move", raw=b'{"at": 5}'))

    assert problems(response) == [("datetime_type", ["body", "at"])]


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [("lost", (404, "post_not_found")), ("still", (409, "nothing_to_cancel"))],
)
def test_what_services_refuse_has_the_status_of_its_kind(
    refusal: str, expected: tuple[int, str]
) -> None:
    request = a_request("POST", f"/v1/things/{POST_ID}/refuse", headers={"x-refuse": refusal})

    response = a_pipeline(*THINGS).answer(request)

    assert (response.status, error_code(response)) == expected


def test_a_service_may_refuse_a_shape_that_only_shows_beside_what_is_stored() -> None:
    request = a_request("POST", f"/v1/things/{POST_ID}/refuse", headers={"x-refuse": "shape"})

    response = a_pipeline(*THINGS).answer(request)

    assert response.status == 422
    assert problems(response) == [("value_error", ["body", "targets"])]


def test_every_method_is_refused_the_same_way_on_a_known_path() -> None:
    refused = ("PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "get", "")

    for method in refused:
        response = a_pipeline(*THINGS).answer(a_request(method, "/v1/things", key=None))

        assert response.status == 405, method
        assert response.headers["Allow"] == "GET, HEAD, POST"
        assert error_code(response) == "method_not_allowed"
