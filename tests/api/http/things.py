"""An imaginary endpoint family for the pipeline's own tests: every kind of declaration once."""

from botocore.exceptions import ConnectionClosedError
from pydantic import Field

from chalicelib.api.http.answers import Out
from chalicelib.api.http.endpoint import AnyCall, Call, NoContent, Raw, Reply, endpoint
from chalicelib.api.http.fields import Id, In, Moment, Options, Query, QueryMoment, Text
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import NothingToCancel, PostNotFound
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject
from chalicelib.kit.asgi.messages import Response


class ThingIn(In):
    """A body with one field of each kind."""

    name: Text
    at: Moment | None = None
    parts: list[Id] = Field(default_factory=list, max_length=30)
    sizes: list[int] = Field(default_factory=list, max_length=1000)
    options: Options = Field(default_factory=dict)


class MomentIn(In):
    """A body that may be left out."""

    at: Moment | None = None


class ThingQuery(Query):
    """A query with a number and a time."""

    limit: int = Field(default=50, ge=1, le=200)
    since: QueryMoment | None = Field(default=None, alias="from")


class ThingOut(Out):
    """A thing is a text."""

    name: str

    @staticmethod
    def of(result: str, _call: AnyCall) -> JsonObject:
        return {"name": result}


@endpoint(
    summary="Make",
    scope=Scope.WRITE,
    body=ThingIn,
    returns=ThingOut,
    status=201,
    takes_idempotency_key=True,
)
def make(call: Call[ThingIn]) -> Reply[str]:
    if call.idempotency_key == "again":
        return Reply(result=call.body.name, status=200)
    return Reply(result=f"{call.body.name}/{call.body.at}")


@endpoint(summary="List", scope=Scope.READ, query=ThingQuery, returns=ThingOut)
def find(call: Call[None, ThingQuery]) -> str:
    return f"{call.query.limit}/{call.query.since}"


@endpoint(summary="Get", scope=None, returns=ThingOut)
def get(call: Call) -> str:
    return call.path["thing_id"]


@endpoint(
    summary="Delete",
    scope=Scope.DELETE_PUBLISHED,
    returns=NoContent,
    status=204,
)
def delete(_call: Call) -> None:
    return None


@endpoint(
    summary="Move",
    scope=Scope.PUBLISH,
    body=MomentIn,
    body_optional=True,
    returns=ThingOut,
)
def move(call: Call[MomentIn]) -> str:
    return str(call.body.at)


@endpoint(
    summary="Refuse",
    scope=Scope.PUBLISH,
    returns=ThingOut,
    raises=(PostNotFound, NothingToCancel),
)
def refuse(call: Call) -> str:
    refusals: dict[str, Exception] = {
        "lost": PostNotFound(),
        "still": NothingToCancel(field="targets[0]"),
        "shape": InvalidInput("Too much in all.", loc=("body", "targets")),
        "crash": RuntimeError("the secret inside"),
        "silence": ConnectionClosedError(endpoint_url="http://127.0.0.1"),
    }
    raise refusals[call.headers["x-refuse"]]


@endpoint(summary="Page", scope=None, returns=Raw, open_to_all=True, documented=False)
def page(_call: Call) -> Response:
    return Response(status=200, headers={"Content-Type": "text/html"}, body=b"<p>hi</p>")


THINGS = (
    make.at("POST", "/v1/things"),
    find.at("GET", "/v1/things"),
    get.at("GET", "/v1/things/{thing_id}"),
    delete.at("DELETE", "/v1/things/{thing_id}"),
    move.at("POST", "/v1/things/{thing_id}/move"),
    refuse.at("POST", "/v1/things/{thing_id}/refuse"),
    page.at("GET", "/v1/open"),
)
