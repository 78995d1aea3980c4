"""What every answer carries: request id, safe headers, one log line and nothing of the inside."""

import json
import logging

import pytest

from chalicelib.domain.workspace.access import Scope
from tests.api.http.pipelines import (
    KEY,
    OWNER,
    POST_ID,
    a_caller,
    a_pipeline,
    a_request,
    error_code,
)
from tests.api.http.things import THINGS


def test_every_answer_has_its_own_request_id() -> None:
    pipeline = a_pipeline(*THINGS)
    requests = [
        a_request(),
        a_request(key=None),
        a_request(path="/nowhere"),
        a_request("PUT"),
        a_request("POST", raw=b"{"),
    ]

    ids = {pipeline.answer(request).headers["X-Request-Id"] for request in requests}

    assert len(ids) == len(requests)


def test_a_result_is_written_as_json_with_the_declared_status() -> None:
    response = a_pipeline(*THINGS).answer(a_request("POST", body={"name": "Zoë"}))

    assert response.status == 201
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.body == '{"name":"Zoë/None"}'.encode()


def test_a_reply_can_choose_another_status() -> None:
    request = a_request("POST", body={"name": "x"}, headers={"idempotency-key": "again"})

    assert a_pipeline(*THINGS).answer(request).status == 200


def test_no_content_has_no_body_and_no_type() -> None:
    response = a_pipeline(*THINGS).answer(a_request("DELETE", f"/v1/things/{POST_ID}"))

    assert (response.status, response.body) == (204, b"")
    assert "Content-Type" not in response.headers


def test_a_page_goes_out_as_it_is_and_needs_no_key() -> None:
    response = a_pipeline(*THINGS).answer(a_request("GET", "/v1/open", key=None))

    assert (response.status, response.body) == (200, b"<p>hi</p>")
    assert response.headers["Content-Type"] == "text/html"


def test_an_answer_to_head_has_no_body() -> None:
    assert a_pipeline(*THINGS).answer(a_request("HEAD")).body == b""


def test_a_missing_scope_names_the_scope() -> None:
    pipeline = a_pipeline(*THINGS, caller=a_caller(scopes=[Scope.READ]))

    message = json.loads(pipeline.answer(a_request("POST")).body)["error"]["message"]

    assert "post.write" in message


def test_a_refusal_names_the_field_at_fault() -> None:
    request = a_request("POST", f"/v1/things/{POST_ID}/refuse", headers={"x-refuse": "still"})

    response = a_pipeline(*THINGS).answer(request)

    assert json.loads(response.body)["error"]["field"] == "targets[0]"


def test_a_surprise_is_500_and_shows_nothing_of_the_inside(
    caplog: pytest.LogCaptureFixture,
) -> None:
    request = a_request("POST", f"/v1/things/{POST_ID}/refuse", headers={"x-refuse": "crash"})

    response = a_pipeline(*THINGS).answer(request)

    assert (response.status, error_code(response)) == (500, "internal")
    assert b"secret" not in response.body
    assert any(record.exc_info for record in caplog.records)
    assert response.headers["X-Request-Id"]


def test_one_log_line_tells_who_did_what_and_how_it_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    request = a_request("POST", f"/v1/things/{POST_ID}/move", body={"at": "2030-06-01T09:00:00Z"})

    response = a_pipeline(*THINGS).answer(request)

    (line,) = caplog.records
    facts = vars(line)
    assert facts["method"] == "POST"
    assert facts["route"] == "/v1/things/{thing_id}/move"
    assert facts["status"] == 200
    assert facts["request_id"] == response.headers["X-Request-Id"]
    assert facts["workspace_id"] == OWNER.workspace_id
    assert facts["key_id"] == OWNER.key_id
    assert facts["ms"] >= 0


def test_logs_hold_no_key_and_no_body(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    pipeline = a_pipeline(*THINGS)

    pipeline.answer(a_request("POST", body={"name": "my caption"}))
    pipeline.answer(a_request("POST", body={"name": 5, "at": "my caption"}))
    pipeline.answer(a_request("GET", "/v1/my caption"))

    written = str([vars(record) for record in caplog.records])
    assert KEY not in written
    assert "my caption" not in written


def test_a_store_that_does_not_answer_is_503_and_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    request = a_request("POST", f"/v1/things/{POST_ID}/refuse", headers={"x-refuse": "silence"})

    response = a_pipeline(*THINGS).answer(request)

    assert (response.status, error_code(response)) == (503, "unwritable")
    assert not any(record.exc_info for record in caplog.records)
