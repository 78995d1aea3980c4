"""A collector gets a span for each request and attempt, and figures; nothing that is a secret."""

import gzip
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request
from chalicelib.local.telemetry import start_telemetry
from tests.api.http.test_response_headers import StubServices
from tests.support.frozen_clock import FrozenClock

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SECRET = "gh_live_0123456789abcdef"
CAPTION = "Rye at eight"
PATIENT_S = 120


@dataclass
class Collector:
    """What an OTLP collector on loopback was sent."""

    address: str = ""
    bodies: dict[str, list[bytes]] = field(default_factory=dict)

    def spans(self) -> list[Span]:
        read = [ExportTraceServiceRequest.FromString(one) for one in self.bodies["/v1/traces"]]
        return [
            span
            for sent in read
            for resource in sent.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def instances(self) -> set[str]:
        traces = [ExportTraceServiceRequest.FromString(one) for one in self.bodies["/v1/traces"]]
        figures = [
            ExportMetricsServiceRequest.FromString(one) for one in self.bodies["/v1/metrics"]
        ]
        resources = [one.resource for sent in traces for one in sent.resource_spans]
        resources += [one.resource for sent in figures for one in sent.resource_metrics]
        return {
            fact.value.string_value
            for resource in resources
            for fact in resource.attributes
            if fact.key == "service.instance.id"
        }

    def figures(self) -> dict[str, Metric]:
        read = [ExportMetricsServiceRequest.FromString(one) for one in self.bodies["/v1/metrics"]]
        return {
            metric.name: metric
            for sent in read
            for resource in sent.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


@contextmanager
def collecting() -> Iterator[Collector]:
    """Play a collector on loopback."""
    collector = Collector()

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            plain = gzip.decompress(body) if is_packed else body
            collector.bodies.setdefault(self.path, []).append(plain)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        collector.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()


def _ask(*, method: str = "GET", writable: bool = True, traceparent: str | None = None) -> None:
    services = StubServices(writable=writable)
    gatekeeper = KeyGatekeeper(services, every_endpoint(), clock=FrozenClock())  # type: ignore[arg-type]
    headers = {
        "authorization": f"Bearer {SECRET}",
        "x-request-id": "nightly-import.42",
        **({} if traceparent is None else {"traceparent": traceparent}),
    }
    asked = Request(
        method=method,
        path="/v1/health",
        headers=headers,
        body=CAPTION.encode(),
        client="203.0.113.7",
    )
    Pipeline(gatekeeper).answer(asked)


def _attempt(*, ok: bool, code: str | None = None) -> None:
    facts = {
        "action": "attempt",
        "workspace_id": "w1",
        "post_id": "p1",
        "target_id": "t1",
        "ok": ok,
        "error_code": code,
        "lateness_s": 0.2,
        "platform_message": CAPTION,
    }
    logging.getLogger("chalicelib.test").info("Posted %s", CAPTION, extra=facts)


@pytest.fixture
def collector(caplog: pytest.LogCaptureFixture) -> Iterator[Collector]:
    """Return a collector that was sent two requests and two attempts."""
    caplog.set_level(logging.INFO)
    with collecting() as found:
        end = start_telemetry("front", found.address, PATIENT_S, scheme="https")
        _ask(traceparent=f"00-{TRACE}-{PARENT}-01")
        _ask(writable=False)
        _ask(traceparent=f"00-{TRACE}-{PARENT}-00")
        _attempt(ok=True)
        _attempt(ok=False, code="rate_limited")
        end()
        _ask()
        yield found


def test_a_span_is_sent_for_each_request_in_its_callers_trace(collector: Collector) -> None:
    ours, refused = (span for span in collector.spans() if span.name == "GET /v1/health")

    assert (TRACE, PARENT) == (ours.trace_id.hex(), ours.parent_span_id.hex())
    assert (b"", True) == (refused.parent_span_id, refused.trace_id != ours.trace_id)
    told = {one.key: one.value for one in ours.attributes}
    assert "nightly-import.42" == told["goldenhour.request_id"].string_value
    assert 200 == told["http.response.status_code"].int_value
    assert ours.start_time_unix_nano < ours.end_time_unix_nano
    assert (0, 2) == (ours.status.code, refused.status.code)


def test_processes_of_two_servers_are_two_instances(collector: Collector) -> None:
    """What tells them apart in Prometheus must be unique among the instances of a service.

    https://opentelemetry.io/docs/specs/semconv/resource/service/
    """
    assert {f"front@{socket.gethostname()}"} == collector.instances()


def test_a_span_is_sent_for_each_attempt(collector: Collector) -> None:
    done, failed = (span for span in collector.spans() if span.name == "attempt")

    assert (0, 2) == (done.status.code, failed.status.code)
    told = {one.key: one.value.string_value for one in failed.attributes}
    assert ("p1", "t1", "rate_limited") == (
        told["goldenhour.post_id"],
        told["goldenhour.target_id"],
        told["error.type"],
    )


def test_figures_count_what_a_trace_leaves_out(collector: Collector) -> None:
    figures = collector.figures()

    durations = figures["http.server.request.duration"].histogram.data_points
    assert 3 == sum(point.count for point in durations)
    outcomes = {
        point.attributes[0].value.string_value: point.as_int
        for point in figures["goldenhour.attempts"].sum.data_points
    }
    assert {"ok": 1, "rate_limited": 1} == outcomes
    (lateness,) = figures["goldenhour.lateness"].histogram.data_points
    assert 1 == lateness.count


def test_seconds_are_told_apart_below_one(collector: Collector) -> None:
    """Semantic conventions for HTTP metrics; the SDK's own first bound above none is five."""
    figures = collector.figures()

    (answered, *_) = figures["http.server.request.duration"].histogram.data_points
    (lateness,) = figures["goldenhour.lateness"].histogram.data_points

    assert 0.005 == answered.explicit_bounds[0]
    assert (0.1, 0.25) == tuple(lateness.explicit_bounds[1:3])
    assert 1 == lateness.bucket_counts[2]  # of the 0.2 s


def test_a_failure_says_its_status_as_the_type_of_its_error(collector: Collector) -> None:
    """Semantic conventions for HTTP metrics: `error.type`, if a request ended with an error."""
    points = collector.figures()["http.server.request.duration"].histogram.data_points

    told = [{one.key: one.value.string_value for one in point.attributes} for point in points]

    assert {None, "503"} == {one.get("error.type") for one in told}


def test_how_clients_reach_the_service_is_told(collector: Collector) -> None:
    """OpenTelemetry, "Semantic conventions for HTTP metrics" and "for HTTP spans": `url.scheme`."""
    points = collector.figures()["http.server.request.duration"].histogram.data_points
    spans = [span for span in collector.spans() if span.name == "GET /v1/health"]

    told = [{one.key: one.value.string_value for one in x.attributes} for x in (*points, *spans)]

    assert {"https"} == {one["url.scheme"] for one in told}


def test_methods_that_strangers_make_up_are_one(caplog: pytest.LogCaptureFixture) -> None:
    """The SDK keeps 2,000 series of a metric, and counts what comes later as one more."""
    caplog.set_level(logging.INFO)
    with collecting() as collector:
        end = start_telemetry("front", collector.address, PATIENT_S)
        for number in range(10):
            _ask(method=f"BREW{number}")
        end()

    (point,) = collector.figures()["http.server.request.duration"].histogram.data_points
    told = {one.key: one.value.string_value for one in point.attributes}
    assert (10, "_OTHER") == (point.count, told["http.request.method"])
    assert {"HTTP /v1/health"} == {span.name for span in collector.spans()}


@pytest.mark.parametrize("secret", [SECRET, CAPTION, "203.0.113.7"], ids=["key", "text", "address"])
def test_nothing_that_is_a_secret_is_sent(collector: Collector, secret: str) -> None:
    sent = b"".join(body for bodies in collector.bodies.values() for body in bodies)

    assert b"goldenhour" in sent
    assert secret.encode() not in sent


def test_nothing_is_imported_where_nobody_wants_it() -> None:
    program = (
        "import sys\n"
        "import chalicelib.local.front.program, chalicelib.local.triggers.runner\n"
        "from chalicelib.local.telemetry import start_telemetry\n"
        "start_telemetry('front', None)()\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "[]" == done.stdout.strip()


def test_where_the_packages_are_missing_it_is_said_what_to_install() -> None:
    program = (
        "import sys\n"
        "sys.modules['opentelemetry.sdk'] = None\n"
        "from chalicelib.local.telemetry import start_telemetry\n"
        "start_telemetry('front', 'http://127.0.0.1:9')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert 1 == done.returncode
    assert "requirements-telemetry.lock" in done.stderr
