"""HEAD, links, other sites' pages and compression."""

import gzip
import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.http.response_headers import ResponseHeaders, compress
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import Unwritable
from chalicelib.http.errors import error_response
from chalicelib.http.messages import json_response
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dynamodb.table import Table
from chalicelib.services.health import Health
from tests.api.http.pipelines import a_request
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock

SITE = "https://tools.example"
LIST = Request(method="GET", path="/v1/posts")
LINKED = Response(status=200, headers={"Link": '</v1/posts?cursor=a%2B&limit=2>; rel="next"'})
LARGE = json_response(200, {"data": ["bread"] * 1_000})


@pytest.mark.parametrize(
    ("base_url", "place"),
    [
        (None, "/v1/posts"),
        ("", ""),
        ("https://x.example/api", "https://x.example/api/v1/posts"),
        ("https://x.example/", "https://x.example/v1/posts"),
    ],
)
def test_a_link_leads_back_behind_any_prefix(base_url: str | None, place: str) -> None:
    answer = ResponseHeaders(base_url=base_url).add_to(LIST, LINKED)

    assert f'<{place}?cursor=a%2B&limit=2>; rel="next"' == answer.headers["Link"]


def test_a_link_leads_on_from_a_path_with_a_slash_behind_it() -> None:
    asked = Request(method="GET", path="/v1/posts/")

    answer = ResponseHeaders(base_url="https://x.example").add_to(asked, LINKED)

    assert answer.headers["Link"].startswith("<https://x.example/v1/posts?cursor=")


@pytest.mark.parametrize(
    ("base_url", "place"),
    [
        (None, "/v1/docs/errors"),
        ("", "../docs/errors"),
        ("https://x.example/api", "https://x.example/api/v1/docs/errors"),
    ],
)
def test_a_refusal_leads_to_what_its_code_means(base_url: str | None, place: str) -> None:
    asked = Request(method="GET", path="/v1/posts/42")

    answer = ResponseHeaders(base_url=base_url).add_to(asked, error_response(Unwritable()))

    assert f'<{place}#unwritable>; rel="help"' == answer.headers["Link"]


@pytest.mark.parametrize(
    ("headers", "place"),
    [
        ({"host": "192.168.1.5:8000"}, "http://192.168.1.5:8000"),
        ({"host": "[fd00::1]:8000"}, "http://[fd00::1]:8000"),
        ({"host": "bread.lan"}, "http://bread.lan"),
        ({"host": "bread.lan", "x-forwarded-proto": "https"}, "https://bread.lan"),
        (
            {"host": "10.0.0.1:8000", "x-forwarded-host": "a.lan", "x-forwarded-proto": "https"},
            "https://a.lan",
        ),
        ({"host": "bread.lan", "x-forwarded-host": "a.lan, b.lan"}, "http://bread.lan"),
        ({"host": "bread.lan", "x-forwarded-proto": "javascript"}, "http://bread.lan"),
        ({}, "http://127.0.0.1:8000"),
        ({"host": ""}, "http://127.0.0.1:8000"),
        ({"host": "evil.example/?"}, "http://127.0.0.1:8000"),
        ({"host": "me@evil.example"}, "http://127.0.0.1:8000"),
        ({"host": "a, b"}, "http://127.0.0.1:8000"),
        ({"host": 'x">; rel="next'}, "http://127.0.0.1:8000"),
        ({"host": "x\r\nSet-Cookie: a"}, "http://127.0.0.1:8000"),
        ({"host": "bread.lan:99999999"}, "http://127.0.0.1:8000"),
        ({"host": "bread.lan:65536"}, "http://127.0.0.1:8000"),
        ({"host": "brot\u00e9.lan"}, "http://127.0.0.1:8000"),
    ],
)
def test_where_nobody_named_a_public_address_links_lead_to_the_one_that_was_asked(
    headers: dict[str, str], place: str
) -> None:
    known = ResponseHeaders(base_url="http://127.0.0.1:8000", follows_request=True)
    asked = replace(LIST, headers=headers)

    answer = known.add_to(asked, LINKED)

    assert place == known.service_address(asked)
    assert answer.headers["Link"].startswith(f"<{place}/v1/posts?cursor")


def test_links_stay_at_the_address_that_the_operator_named() -> None:
    known = ResponseHeaders(base_url="https://post.example")
    asked = replace(LIST, headers={"host": "evil.example", "x-forwarded-host": "evil.example"})

    assert "https://post.example" == known.service_address(asked)


def _from(origin: str) -> Request:
    return replace(LIST, headers={"origin": origin})


def test_no_site_may_call_unless_the_operator_named_it() -> None:
    closed, opened = ResponseHeaders(), ResponseHeaders(origins=frozenset({SITE}))

    assert "Access-Control-Allow-Origin" not in closed.add_to(_from(SITE), LINKED).headers
    assert "Access-Control-Allow-Origin" not in opened.add_to(_from("https://x"), LINKED).headers
    named = opened.add_to(_from(SITE), LINKED).headers
    assert (named["Access-Control-Allow-Origin"], named["Vary"]) == (
        SITE,
        "Accept-Encoding, Origin",
    )


def test_every_site_may_call_where_the_operator_says_so() -> None:
    opened = ResponseHeaders(origins=frozenset({"*"}))

    assert opened.add_to(_from(SITE), LINKED).headers["Access-Control-Allow-Origin"] == "*"


def test_a_browser_that_asks_first_is_told_methods_and_headers() -> None:
    asks = Request(
        method="OPTIONS",
        path="/v1/posts",
        headers={"origin": SITE, "access-control-request-method": "POST"},
    )
    opened = ResponseHeaders(origins=frozenset({SITE}))

    told = opened.preflight(asks, ("GET", "HEAD", "POST"))

    assert told is not None
    assert told.status == 204
    assert told.headers["Access-Control-Allow-Methods"] == "GET, HEAD, POST"
    assert "Authorization" in told.headers["Access-Control-Allow-Headers"]
    assert ResponseHeaders().preflight(asks, ("GET",)) is None
    assert opened.preflight(replace(asks, headers={"origin": SITE}), ("GET",)) is None


@pytest.mark.parametrize(
    ("accepted", "is_gzip"),
    [
        ("gzip", True),
        ("deflate, gzip;q=0.5", True),
        ("GZIP", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("gzip;q=bread", False),
        ("br", False),
    ],
)
def test_an_answer_is_compressed_for_whoever_takes_it(accepted: str, *, is_gzip: bool) -> None:
    request = replace(LIST, headers={"accept-encoding": accepted})

    answer = compress(request, LARGE)

    assert answer.headers["Vary"] == "Accept-Encoding"
    assert ("Content-Encoding" in answer.headers) is is_gzip
    body = gzip.decompress(answer.body) if is_gzip else answer.body
    assert len(json.loads(body)["data"]) == 1_000


def test_what_everybody_may_keep_is_compressed_once_and_nothing_else() -> None:
    """Anybody may ask for the API's description, which takes ten milliseconds to compress."""
    request = replace(LIST, headers={"accept-encoding": "gzip"})
    for_all = replace(LARGE, headers={**LARGE.headers, "Cache-Control": "public, max-age=3600"})

    kept = [compress(request, for_all).body for _ in range(2)]
    one_callers = [compress(request, LARGE).body for _ in range(2)]

    assert kept[0] is kept[1]
    assert one_callers[0] is not one_callers[1]


def test_what_is_small_or_compressed_already_goes_as_it_is() -> None:
    request = replace(LIST, headers={"accept-encoding": "gzip"})
    done = replace(LARGE, headers={**LARGE.headers, "Content-Encoding": "br"})

    assert compress(request, LINKED) is LINKED
    assert compress(request, done) is done


class StubServices:
    """A store that can or cannot be written."""

    def __init__(self, *, writable: bool) -> None:
        self.workspace = self.health = self
        self._writable = writable

    def is_writable(self) -> bool:
        return self._writable


def _health(*, writable: bool, method: str = "GET") -> Response:
    services = StubServices(writable=writable)
    pipeline = Pipeline(KeyGatekeeper(services, every_endpoint(), clock=FrozenClock()))  # type: ignore[arg-type]
    return pipeline.answer(a_request(method, "/v1/health", key=None))


def test_head_works_where_get_does_and_has_no_body() -> None:
    got, head = _health(writable=True), _health(writable=True, method="HEAD")

    assert (head.status, head.body) == (200, b"")
    assert set(head.headers) == set(got.headers)
    assert _health(writable=True, method="PUT").headers["Allow"] == "GET, HEAD"


def test_health_says_when_nothing_can_be_stored() -> None:
    answer = _health(writable=False)

    assert answer.status == 503
    assert json.loads(answer.body)["error"]["code"] == Unwritable.code
    assert answer.headers["Retry-After"] == "5"


def test_the_store_is_tried_now_and_then_and_what_it_says_is_told(
    emulator: EmulatorProcess,
) -> None:
    deployment, clock = Deployment(make_resources(emulator.endpoint)), FrozenClock()
    good = Table(deployment.clients.quick_dynamodb, deployment.tables.directory)
    bad = Table(deployment.clients.quick_dynamodb, "no-such-table")

    assert Health(good, clock, clock).is_writable()
    assert not Health(bad, clock, clock).is_writable()


def test_the_service_is_ready_once_something_wakes_what_is_due(emulator: EmulatorProcess) -> None:
    deployment, clock = Deployment(make_resources(emulator.endpoint)), FrozenClock()
    table = Table(deployment.clients.quick_dynamodb, deployment.tables.directory)
    ticks: list[datetime] = []
    health = Health(table, clock, lambda: ticks[-1] if ticks else None)

    told = [health.is_publishing()]
    for minutes in (1, 2, 4):
        ticks += [clock()] if minutes == 1 else []
        clock.pass_time(timedelta(minutes=minutes))
        told.append(health.is_publishing())

    assert [False, True, True, False] == told
