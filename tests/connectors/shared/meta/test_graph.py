"""What Facebook, Instagram and Threads share: how an error is read, and what quotas tell."""

import json
from collections.abc import Mapping
from datetime import timedelta

import pytest
from requests.structures import CaseInsensitiveDict

from chalicelib.connectors.instagram import errors as instagram
from chalicelib.connectors.shared.calls.failures import RateLimitedError, RejectedError
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.connectors.shared.meta.graph import Graph, Usage, access_wait, error_codes
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse
from tests.support.frozen_clock import NOON

ACCOUNT, PAGE = "17840000000000001", "1000001"
BUSINESS, APPLICATION = "X-Business-Use-Case-Usage", "X-App-Usage"


def a_reply(error: dict[str, Json], headers: Mapping[str, str] | None = None) -> PlatformResponse:
    body = json.dumps({"error": error}).encode()
    return PlatformResponse(status=400, headers=CaseInsensitiveDict(headers or {}), body=body)


def refusal(response: PlatformResponse) -> PlatformError:
    http = PlatformHttp(Platform.INSTAGRAM, instagram.ERRORS, instagram.error_codes)
    return Graph(http, instagram.WAITS).read_error(response)


def usage(**row: Json) -> dict[str, str]:
    return {BUSINESS: json.dumps({ACCOUNT: [{"type": "instagram", **row}]})}


def test_an_error_is_read_from_its_name_to_its_code() -> None:
    named = "(#100) THREADS_API__LINK_LIMIT_EXCEEDED: too many"
    response = a_reply({"message": named, "code": 100, "error_subcode": 4279})

    assert error_codes(response) == ["THREADS_API__LINK_LIMIT_EXCEEDED", "100/4279", "/4279", "100"]


@pytest.mark.parametrize(
    ("code", "keys"),
    [(4, ["4", "transient"]), (100, ["transient", "100"]), (None, ["transient"])],
    ids=["a limit", "the code that says least", "no code"],
)
def test_what_passes_by_itself_counts_only_where_the_code_says_little(
    code: Json, keys: list[str]
) -> None:
    error: dict[str, Json] = {"message": "No.", "is_transient": True}

    assert error_codes(a_reply(error if code is None else {**error, "code": code})) == keys


@pytest.mark.parametrize(
    ("code", "keys"),
    [(100, ["too long", "100"]), (None, ["too long"]), (4, ["4"])],
    ids=["invalid", "no code", "a code of its own"],
)
def test_wording_counts_only_where_the_code_says_nothing(code: Json, keys: list[str]) -> None:
    error: dict[str, Json] = {"message": "Param text must be at most 500 characters long."}
    response = a_reply(error if code is None else {**error, "code": code})

    assert error_codes(response, {"must be at most 500 characters": "too long"}) == keys


@pytest.mark.parametrize(
    "said", ["[" * 60_000, '{"1": [{"call_count": 1e999}]}', "[]", "NaN"], ids=len
)
def test_a_header_of_usage_that_says_none_asks_for_no_wait(said: str) -> None:
    """JSONTestSuite's n_structure_100000_opening_arrays, as far as a header may be long."""
    assert access_wait({BUSINESS: said, APPLICATION: said}) is None


def test_every_permission_has_one_key() -> None:
    assert [error_codes(a_reply({"code": code})) for code in (200, 299)] == [["200"], ["200"]]


def test_a_limit_that_is_called_transient_is_waited_for_as_its_header_says() -> None:
    response = a_reply(
        {"message": "Application request limit reached", "code": 4, "is_transient": True},
        usage(call_count=100, estimated_time_to_regain_access=12),
    )

    error = refusal(response)

    assert isinstance(error, RateLimitedError)
    assert error.retry_after == timedelta(minutes=12)


def test_a_passing_error_without_a_meaning_is_tried_again() -> None:
    error = refusal(a_reply({"message": "Try later", "code": 100, "is_transient": True}))

    assert isinstance(error, RejectedError)
    assert error.code is FailureCode.PLATFORM_UNAVAILABLE


def test_an_account_close_to_its_quota_rests_and_others_do_not() -> None:
    told = Usage()

    told.note(usage(call_count=12, total_time=91, estimated_time_to_regain_access=0), NOON)

    assert told.rest([ACCOUNT], NOON) == timedelta(minutes=15)
    assert told.rest([PAGE], NOON) is None


def test_a_rest_lasts_as_long_as_the_header_says() -> None:
    told = Usage()

    told.note(usage(call_count=95, estimated_time_to_regain_access=3), NOON)

    assert told.rest([ACCOUNT], NOON + timedelta(minutes=2)) == timedelta(minutes=1)
    assert told.rest([ACCOUNT], NOON + timedelta(minutes=3)) is None


def test_ninety_percent_is_not_yet_too_much() -> None:
    told = Usage()

    told.note(usage(call_count=90, total_cputime=90, total_time=90), NOON)

    assert told.rest([ACCOUNT], NOON) is None


def test_an_application_close_to_its_quota_lets_all_accounts_rest() -> None:
    told = Usage()

    told.note({APPLICATION: '{"call_count": 99, "total_time": 5, "total_cputime": 5}'}, NOON)

    assert told.rest([PAGE], NOON) == timedelta(minutes=15)


@pytest.mark.parametrize(
    "header", ["", "no json", "[]", '{"1": 5}', '{"1": [7]}', '{"1": [{"call_count": "all"}]}']
)
def test_a_header_that_cannot_be_read_tells_nothing(header: str) -> None:
    told = Usage()

    told.note({BUSINESS: header, APPLICATION: header}, NOON)

    assert told.rest(["1"], NOON) is None
