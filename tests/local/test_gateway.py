"""What a local server answers in a gateway's place."""

import json

import pytest

from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.local.front.gateway import Gateway
from tests.api.doors.test_mounting import AUTHORIZED, EDGE, an_app


@pytest.mark.parametrize("method", ["QUERY", "PROPFIND", "TRACE", "BREW"])
@pytest.mark.parametrize("path", ["/v1/things", "/v1/things/1"])
def test_a_method_that_no_path_has_is_refused_as_any_other(method: str, path: str) -> None:
    """CONTRACT 3: every error has one shape, and names the methods that there are (RFC 9110)."""
    gateway = Gateway(an_app(), EDGE)

    strange, common = (
        gateway(Request(method=one, path=path, query={}, headers=AUTHORIZED, body=b"", client=""))
        for one in (method, "PUT")
    )

    assert strange.status == common.status == 405
    assert _code(strange) == _code(common)
    assert strange.headers["Allow"] == common.headers["Allow"]


@pytest.mark.parametrize(
    "path", ["/v1/things;x", "/v1/things;", "/v1/things#x", "//elsewhere/v1/things", "///v1/things"]
)
def test_nothing_of_a_path_is_dropped(path: str) -> None:
    gateway = Gateway(an_app(), EDGE)

    whole, known = (
        gateway(Request(method="GET", path=one, query={}, headers=AUTHORIZED, body=b"", client=""))
        for one in (path, "/v1/things")
    )

    assert (404, 200) == (whole.status, known.status)
    assert "not_found" == _code(whole)


def _code(answer: Response) -> object:
    return json.loads(answer.body)["error"]["code"]
