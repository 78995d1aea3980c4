"""The mounted endpoints under chalice: LocalGateway's world, API Gateway's events, and threads."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest
from chalice.app import Chalice
from chalice.config import Config
from chalice.local import LocalChalice, LocalGateway, LocalGatewayException

from app import app as deployed
from chalicelib.api.doors.chalice_app import _base_path, answer_unmatched, as_blueprint
from chalicelib.api.paths import every_endpoint
from chalicelib.http.routing import Line
from chalicelib.kit.asgi.messages import Request, Response
from tests.api.http.pipelines import KEY, POST_ID, a_pipeline
from tests.api.http.things import THINGS

EDGE = a_pipeline(*THINGS)
AUTHORIZED = {"authorization": f"Bearer {KEY}"}


class ThreadSafeChalice(LocalChalice):
    """An app whose current request is one per thread."""


def an_app() -> Chalice:
    app = Chalice(app_name="goldenhour", configure_logs=False)
    lines = [(one.method, one.path, f"things.{one.name}") for one in THINGS]
    app.register_blueprint(as_blueprint(lines, lambda: EDGE))
    app.__class__ = ThreadSafeChalice
    return app


GATEWAY = LocalGateway(an_app(), Config.create(project_dir=".", app_name="goldenhour"))


def ask(method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, object]:
    answer = GATEWAY.handle_request(method, path, AUTHORIZED | headers, body)
    return answer["statusCode"], json.loads(answer["body"] or "null")


def event(method: str, resource: str, **changes: object) -> dict[str, object]:
    """Return the event that API Gateway sends for a REST API with a Lambda proxy."""
    request = {
        "resource": resource,
        "path": resource,
        "httpMethod": method,
        "headers": {"Authorization": f"Bearer {KEY}"},
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "stageVariables": None,
        "requestContext": {"httpMethod": method, "resourcePath": resource, "requestId": "r"},
        "body": None,
        "isBase64Encoded": False,
    }
    return request | changes


def invoke(sent: dict[str, object]) -> tuple[int, object]:
    answer = an_app()(sent, None)
    assert not answer.get("isBase64Encoded")
    return cast("int", answer["statusCode"]), json.loads(answer["body"] or "null")


def test_a_path_is_routed_with_what_stands_in_its_braces() -> None:
    assert ask("GET", f"/v1/things/{POST_ID}") == (200, {"name": POST_ID})


def test_percent_encoding_comes_off_once_in_both_worlds() -> None:
    encoded = f"%30{POST_ID[1:]}"
    in_aws = event("GET", "/v1/things/{thing_id}", pathParameters={"thing_id": POST_ID})

    assert ask("GET", f"/v1/things/{encoded}") == (200, {"name": POST_ID})
    assert invoke(in_aws) == (200, {"name": POST_ID})


@pytest.mark.parametrize("path", ["/v1/things/%ff", "/v1/things/%zz", "/v1/things/a%2Fb"])
def test_strange_encodings_are_just_unknown_ids(path: str) -> None:
    assert ask("GET", path) == (200, {"name": "0" * 32})


@pytest.mark.parametrize(("path", "status"), [("/v1/docs/", 308), ("/v1/docs", 200)])
def test_a_slash_at_the_end_is_known_in_both_worlds(path: str, status: int) -> None:
    """A gateway's templates have none; what stands beside the page is found by its address."""
    edge = a_pipeline(*every_endpoint())
    app = Chalice(app_name="goldenhour", configure_logs=False)
    lines: list[Line] = [("GET", "/v1/docs", "service.docs_page")]
    app.register_blueprint(as_blueprint(lines, lambda: edge))
    app.__class__ = ThreadSafeChalice
    local = LocalGateway(app, Config.create(project_dir=".", app_name="goldenhour"))
    context = {"httpMethod": "GET", "resourcePath": "/v1/docs", "path": f"/api{path}"}

    here = local.handle_request("GET", path, {}, None)["statusCode"]
    in_aws = app(event("GET", "/v1/docs", requestContext={**context, "stage": "api"}), None)

    assert (status, status) == (here, in_aws["statusCode"])


def test_repeated_query_parameters_arrive_in_both_worlds() -> None:
    in_aws = event("GET", "/v1/things", multiValueQueryStringParameters={"limit": ["5", "7"]})

    for status, body in (ask("GET", "/v1/things?limit=5&limit=7"), invoke(in_aws)):
        assert (status, "'type': 'repeated'" in str(body)) == (422, True)


def test_blank_query_parameters_arrive() -> None:
    status, body = ask("GET", "/v1/things?limit=7&x=")

    assert status == 422
    assert "'query', 'x'" in str(body)


def test_an_unencoded_plus_in_a_query_is_understood() -> None:
    status, body = ask("GET", "/v1/things?from=2030-05-01T09:00:00+02:00")

    assert (status, body) == (200, {"name": "50/2030-05-01 07:00:00+00:00"})


@pytest.mark.parametrize("kind", ["application/json", "APPLICATION/JSON", "text/plain", "a/b"])
def test_a_json_body_is_read_whatever_its_type_says(kind: str) -> None:
    answer = ask("POST", "/v1/things", b'{"name": "x"}', **{"content-type": kind})

    assert answer == (201, {"name": "x/None"})


def test_a_body_that_api_gateway_encoded_is_decoded() -> None:
    body = base64.b64encode(b'{"name": "x"}').decode()

    answer = invoke(event("POST", "/v1/things", body=body, isBase64Encoded=True))

    assert answer == (201, {"name": "x/None"})


def test_a_body_with_a_lone_surrogate_is_refused() -> None:
    status, _ = invoke(event("POST", "/v1/things", body='{"name": "\ud800"}'))

    assert status == 422


def test_no_content_stays_empty() -> None:
    answer = GATEWAY.handle_request("DELETE", f"/v1/things/{POST_ID}", AUTHORIZED, None)

    assert (answer["statusCode"], answer["body"]) == (204, "")


def test_text_answers_are_never_encoded_whatever_the_client_accepts() -> None:
    answer = GATEWAY.handle_request("GET", "/v1/open", {"accept": "image/png"}, None)

    assert answer["body"] == "<p>hi</p>"
    assert "isBase64Encoded" not in answer


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
def test_a_wrong_method_is_405_with_the_right_ones(method: str) -> None:
    answer = GATEWAY.handle_request(method, "/v1/things", {}, None)

    assert answer["statusCode"] == 405
    assert answer["headers"]["Allow"] == "GET, HEAD, POST"


def test_an_unknown_path_of_one_segment_is_404_even_without_a_key() -> None:
    answer = GATEWAY.handle_request("GET", "/nowhere", {}, None)

    assert answer["statusCode"] == 404
    assert json.loads(answer["body"])["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("path", "expected"),
    [("v1/nowhere", (404, "not_found")), ("v1/keys/1", (403, "session_required"))],
)
def test_api_gateway_sends_every_other_path_to_the_last_view(
    path: str, expected: tuple[int, str]
) -> None:
    status, body = invoke(event("POST", "/{proxy+}", pathParameters={"proxy": path}))

    assert (status, cast("dict[str, dict[str, str]]", body)["error"]["code"]) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/v1/nowhere?x=1", 404), ("/v1/keys/1", 403), ("/v1/billing", 403)],
)
def test_what_the_local_gateway_does_not_know_is_answered_by_the_edge(
    path: str, expected: int
) -> None:
    with pytest.raises(LocalGatewayException):
        GATEWAY.handle_request("GET", path, AUTHORIZED, None)

    answer = answer_unmatched(EDGE, "GET", path, {"Authorization": f"Bearer {KEY}"})

    assert answer.status == expected
    assert answer.headers["X-Request-Id"]


def test_twenty_threads_never_see_each_others_requests() -> None:
    ids = [f"{number:032x}" for number in range(400)]

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda one: ask("GET", f"/v1/things/{one}"), ids))

    assert [(200, {"name": one}) for one in ids] == answers


@pytest.mark.parametrize(
    ("context", "base"),
    [
        ({"stage": "api", "path": "/api/v1/posts"}, "/api"),
        ({"stage": "api", "path": "/v1/posts"}, ""),
        ({"stage": "api", "path": "/apiary/v1/posts"}, ""),
        ({}, ""),
    ],
    ids=["own address", "own domain", "only alike", "local"],
)
def test_the_base_path_is_what_the_address_has_before_the_route(
    context: dict[str, str], base: str
) -> None:
    assert base == _base_path(context)


PICTURE = b"\x89PNG\r\n\x1a\n"


class Pictures:
    """Answers every request with the beginning of a PNG."""

    def answer(self, request: Request) -> Response:
        """Answer with it."""
        del request
        return Response(status=200, headers={"Content-Type": "image/png"}, body=PICTURE)


@pytest.mark.parametrize(
    "accept",
    [
        pytest.param("image/avif,image/webp,image/apng,*/*;q=0.8", id="a browser's picture"),
        pytest.param("*/*", id="a browser's font"),
        pytest.param(None, id="whoever says nothing"),
    ],
)
def test_a_picture_is_handed_over_as_api_gateway_takes_it(accept: str | None) -> None:
    """API Gateway guide, "Return binary media from a Lambda proxy integration": as base64."""
    app = Chalice(app_name="goldenhour", configure_logs=False)
    app.api.binary_types[:] = deployed.api.binary_types
    app.register_blueprint(as_blueprint([("GET", "/icon", "icon")], Pictures))
    headers = {} if accept is None else {"Accept": accept}

    answer = app(event("GET", "/icon", headers=headers), None)

    assert (answer["statusCode"], answer["isBase64Encoded"]) == (200, True)
    assert base64.b64decode(answer["body"]) == PICTURE
    assert answer["headers"]["Content-Type"] == "image/png"
