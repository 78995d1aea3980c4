"""An edge for tests: stub services, a frozen clock and requests that are short to write.

Tests of parsing, order and error shapes need no database: services here are plain objects that
answer or raise what the test says.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.domain.errors import BadApiKey
from chalicelib.domain.workspace.access import Caller, Plan, Role, Scope
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.services.repeats import Repeats
from chalicelib.storage.repeats import RepeatRepository

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

NOW = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)
KEY = "gh_live_good"
POST_ID = "0192f0c1a7b87c3d9e5f60718293a4b5"

OWNER = Caller(
    workspace_id="1" * 32,
    member_id="2" * 32,
    member_name="Ada",
    role=Role.OWNER,
    scopes=frozenset(Scope),
    key_id="3" * 32,
    plan=Plan.STUDIO,
    trial_ends_at=None,
    workspace_created_at=NOW,
    timezone="UTC",
    member_timezone="UTC",
    approvals=False,
    accounts={},
)


@dataclass(frozen=True, slots=True)
class OneKey:
    """Authentication that knows one key and who it is."""

    caller: Caller = OWNER

    def authenticate(self, authorization: str | None, client: str = "") -> Caller:
        del client
        if authorization != f"Bearer {KEY}":
            raise BadApiKey
        return self.caller


class NothingMade(RepeatRepository):
    """Keys that have made nothing yet."""

    def __init__(self) -> None:
        pass

    def find(self, workspace_id: str, verb: str, key: str, now: datetime) -> None:
        del workspace_id, verb, key, now


def _repeats() -> Repeats:
    return Repeats(rows=NothingMade(), clock=lambda: NOW)


GROUPS = frozenset({"checking", "media", "people", "posting", "stores", "workspace"})


@dataclass(frozen=True, slots=True)
class StubServices:
    """Just enough of Deployment for the endpoint under test."""

    authentication: OneKey = field(default_factory=OneKey)
    parts: Mapping[str, object] = field(default_factory=dict)
    repeats: Repeats = field(default_factory=_repeats)

    def __getattr__(self, name: str) -> object:
        return self if name in GROUPS else self.parts[name]


def a_pipeline(
    *endpoints: Endpoint, caller: Caller = OWNER, parts: Mapping[str, object] | None = None
) -> Pipeline:
    services = StubServices(OneKey(caller), parts or {})
    return Pipeline(KeyGatekeeper(cast("Deployment", services), endpoints, clock=lambda: NOW))


def a_caller(
    *,
    plan: Plan = Plan.STUDIO,
    role: Role = Role.OWNER,
    scopes: Iterable[Scope] = Scope,
    trial_ends_at: datetime | None = None,
    accounts: Iterable[str] = (),
) -> Caller:
    return replace(
        OWNER,
        plan=plan,
        role=role,
        scopes=frozenset(scopes),
        trial_ends_at=trial_ends_at,
        accounts=dict.fromkeys(accounts, ()),
    )


def a_request(  # noqa: PLR0913 - a request has many sides
    method: str = "GET",
    path: str = "/v1/things",
    *,
    body: object = None,
    raw: bytes = b"",
    query: Mapping[str, list[str]] | None = None,
    headers: Mapping[str, str] | None = None,
    key: str | None = KEY,
) -> Request:
    authorization = {} if key is None else {"authorization": f"Bearer {key}"}
    return Request(
        method=method,
        path=path,
        query=query or {},
        headers={**authorization, **(headers or {})},
        body=raw if body is None else json.dumps(body).encode(),
    )


def error_code(response: Response) -> str:
    """Return the code of an answer in the `error` shape, which must have nothing else."""
    error = json.loads(response.body)["error"]
    assert set(error) <= {"code", "message", "field"}
    assert error["message"]
    return str(error["code"])


def problems(response: Response) -> list[tuple[str, list[str | int]]]:
    """Return type and place of every problem of a 422 `detail`."""
    detail = json.loads(response.body)["detail"]
    return [(problem["type"], problem["loc"]) for problem in detail]
