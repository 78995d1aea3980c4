"""Endpoints that tell how posts do (SPEC "Results")."""

from chalicelib.api.endpoint import Call, endpoint
from chalicelib.api.schemas_results import MetricsOut, SummaryOut, SummaryQuery
from chalicelib.domain.access import Scope
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.results import PostMetrics, Summary


@endpoint(
    "GET",
    "/v1/posts/{post_id}/metrics",
    summary="A post's figures on each of its platforms",
    scope=Scope.READ,
    returns=MetricsOut,
    raises=(PostNotFound,),
)
def get_metrics(call: Call) -> PostMetrics:
    """Answer what platforms reported last."""
    return call.services.results.metrics(call.caller, call.path["post_id"])


@endpoint(
    "GET",
    "/v1/analytics/summary",
    summary="What went live in the last days, and how it does",
    scope=Scope.READ,
    query=SummaryQuery,
    returns=SummaryOut,
)
def get_summary(call: Call[None, SummaryQuery]) -> Summary:
    """Answer the workspace's figures."""
    return call.services.results.summary(call.caller, days=call.query.days)
