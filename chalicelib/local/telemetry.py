"""Sends one server's traces and metrics to an OpenTelemetry collector, if one is named.

A process logs one line for each request that it answered and each attempt that it made. If
`GOLDENHOUR_OTLP_ENDPOINT` names a collector, each such line becomes a span and metrics, from the
fields named here and no others: no key, caption, path or address of a person is among them. A
request with `traceparent` becomes part of its caller's trace, and is left out if the caller does
not record it. The packages (`requirements-telemetry.txt`) are imported only if a collector is
named.
"""

import logging
import socket
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from chalicelib.domain.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Tracer

_NANOSECONDS: Final = 1_000_000_000
_WAIT_S: Final = 1
"""How long a collector that does not answer may delay the end of a process."""

LATENESS_BUCKETS_S: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300)
_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
"""Those of "Semantic conventions for HTTP metrics"; the SDK's own are made for milliseconds."""
_METHODS: Final = frozenset(
    {"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"}
)
_OTHER: Final = "_OTHER"
"""What the conventions call any other method: strangers make up so many that the SDK, which keeps
2,000 series of a metric, would count no others."""
_OF_REQUESTS: Final[Mapping[str, str]] = {
    "method": "http.request.method",
    "scheme": "url.scheme",
    "route": "http.route",
    "status": "http.response.status_code",
    "error_type": "error.type",
}
_OF_ONE_REQUEST: Final[Mapping[str, str]] = {
    **_OF_REQUESTS,
    "request_id": "goldenhour.request_id",
    "workspace_id": "goldenhour.workspace_id",
}
_OF_ONE_ATTEMPT: Final[Mapping[str, str]] = {
    "workspace_id": "goldenhour.workspace_id",
    "post_id": "goldenhour.post_id",
    "target_id": "goldenhour.target_id",
    "error_code": "error.type",
    "lateness_s": "goldenhour.lateness_s",
}
_SERVER_ERROR: Final = 500

Value = str | int | float


class MissingPackages(Exception):
    """A collector is named, but the packages that send to it are not installed."""

    def __init__(self) -> None:
        super().__init__(
            "GOLDENHOUR_OTLP_ENDPOINT is set, but OpenTelemetry is not installed. Install it by"
            " requirements-telemetry.lock, or as goldenhour-server[telemetry], or unset it."
        )


def start_telemetry(
    process: str, endpoint: str | None, wait_s: int = _WAIT_S, *, scheme: str = "http"
) -> Callable[[], None]:
    """Send this process's log lines to a collector from now on; return what sends the rest.

    `scheme` is how clients reach the service: a proxy before it may speak another one with it.
    Does nothing without a collector. Raises MissingPackages.
    """
    if endpoint is None:
        return lambda: None
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import (  # noqa: PLC0415 - seldom
            OTLPMetricExporter,
        )
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - seldom
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415 - seldom
        from opentelemetry.sdk.metrics.export import (  # noqa: PLC0415 - seldom
            PeriodicExportingMetricReader,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - seldom
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - seldom
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - seldom
    except ImportError as missing:
        raise MissingPackages from missing
    resource = Resource.create(
        {
            "service.name": "goldenhour",
            "service.version": VERSION,
            "service.instance.id": f"{process}@{socket.gethostname()}",
        }
    )
    base = endpoint.rstrip("/")
    spans = TracerProvider(resource=resource, shutdown_on_exit=False)
    spans.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{base}/v1/traces", timeout=wait_s))
    )
    exporter = OTLPMetricExporter(endpoint=f"{base}/v1/metrics", timeout=wait_s)
    figures = MeterProvider(
        [PeriodicExportingMetricReader(exporter)], resource=resource, shutdown_on_exit=False
    )
    handler = LinesAsSpans(spans.get_tracer("goldenhour"), figures.get_meter("goldenhour"), scheme)
    logging.getLogger().addHandler(handler)

    def end() -> None:
        logging.getLogger().removeHandler(handler)
        spans.shutdown()
        figures.shutdown(wait_s * 1_000)

    return end


class LinesAsSpans(logging.Handler):
    """Makes a span and metrics of each log line about a request or an attempt."""

    def __init__(self, tracer: "Tracer", meter: "Meter", scheme: str) -> None:
        super().__init__()
        self._tracer = tracer
        self._scheme = scheme
        self._durations = meter.create_histogram(
            "http.server.request.duration",
            unit="s",
            description="Time to answer a request",
            explicit_bucket_boundaries_advisory=_BUCKETS_S,
        )
        self._attempts = meter.create_counter(
            "goldenhour.attempts", description="Attempts to post, by outcome"
        )
        self._lateness = meter.create_histogram(
            "goldenhour.lateness",
            unit="s",
            description="How late a first success was",
            explicit_bucket_boundaries_advisory=LATENESS_BUCKETS_S,
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line's span and metrics if it is about a request or an attempt."""
        facts = vars(record)
        took_ms = facts.get("ms")
        if facts.get("action") == "attempt":
            self._tell_attempt(record.created, facts)
        elif isinstance(took_ms, int | float) and "route" in facts:
            told = _request_facts(facts, self._scheme)
            self._tell_request(record.created, took_ms / 1_000, told)

    def _tell_request(self, ended: float, took_s: float, facts: Mapping[str, object]) -> None:
        from opentelemetry.trace import SpanKind, Status, StatusCode  # noqa: PLC0415 - seldom
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - seldom
            TraceContextTextMapPropagator,
        )

        self._durations.record(took_s, _told_facts(facts, _OF_REQUESTS))
        brought = facts.get("traceparent")
        carrier = {"traceparent": brought} if isinstance(brought, str) else {}
        span = self._tracer.start_span(
            f"{'HTTP' if facts['method'] == _OTHER else facts['method']} {facts.get('route')}",
            context=TraceContextTextMapPropagator().extract(carrier),
            kind=SpanKind.SERVER,
            attributes=_told_facts(facts, _OF_ONE_REQUEST),
            start_time=round((ended - took_s) * _NANOSECONDS),
        )
        if facts["error_type"]:
            span.set_status(Status(StatusCode.ERROR))
        span.end(round(ended * _NANOSECONDS))

    def _tell_attempt(self, at: float, facts: Mapping[str, object]) -> None:
        from opentelemetry.trace import Status, StatusCode  # noqa: PLC0415 - seldom

        is_ok, late_s = bool(facts.get("ok")), facts.get("lateness_s")
        outcome = "ok" if is_ok else str(facts.get("error_code"))
        self._attempts.add(1, {"goldenhour.outcome": outcome})
        if is_ok and isinstance(late_s, int | float):
            self._lateness.record(max(0.0, late_s))
        moment = round(at * _NANOSECONDS)
        span = self._tracer.start_span(
            "attempt", attributes=_told_facts(facts, _OF_ONE_ATTEMPT), start_time=moment
        )
        if not is_ok:
            span.set_status(Status(StatusCode.ERROR))
        span.end(moment)


def _request_facts(facts: Mapping[str, object], scheme: str) -> Mapping[str, object]:
    """Return a request's fields with what the conventions want beside them, in their words."""
    method, status = facts.get("method"), facts.get("status")
    failed = isinstance(status, int) and status >= _SERVER_ERROR
    return {
        **facts,
        "scheme": scheme,
        "method": method if method in _METHODS else _OTHER,
        "error_type": str(status) if failed else None,
    }


def _told_facts(facts: Mapping[str, object], names: Mapping[str, str]) -> dict[str, Value]:
    """Return the fields of a line that are sent, by their names in the conventions."""
    found = {name: facts.get(field) for field, name in names.items()}
    return {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in found.items()
        if value is not None
    }
