"""The functions of `app.py` as Lambda loads them: each in a module of its own, under its policy.

    tick = a_function("tick", settings, clock)
    tick.fire()
    assert tick.needed            # what it asked of AWS, in IAM's words

Hooks in the function's own boto3 session note every call and refuse what its policy does not
allow, as IAM would.
"""

import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from botocore.model import OperationModel

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.clock import Clock
from chalicelib.http.pipeline import Pipeline
from chalicelib.local.triggers.handlers import scheduled_event
from chalicelib.settings import Settings
from infra.packaging.libraries import PROJECT
from tests.deployment.policies.iam import (
    Arns,
    Grant,
    Need,
    grants,
    missing_object_need,
    needs,
    policy_file,
)

_NOT_FOUND = 404


@dataclass(slots=True)
class Function:
    """One loaded function."""

    name: str
    module: ModuleType
    arns: Arns
    allowed: list[Grant]
    needed: set[Need] = field(default_factory=set)
    refused: list[Need] = field(default_factory=list)

    @property
    def deployment(self) -> Deployment:
        return cast("Deployment", self.module.deployment())

    @property
    def pipeline(self) -> Pipeline:
        return cast("Pipeline", self.module.pipeline())

    def fire(self) -> None:
        """Invoke it as its rule would."""
        event = scheduled_event(self.name, datetime.now(UTC), self.arns.settings.region)
        getattr(self.module, self.name)(event, None)

    def work(self, bodies: Iterable[Mapping[str, Any]]) -> list[str]:
        """Invoke it with messages of its queue; return the ids of those that failed."""
        records = [
            {"messageId": str(place), "body": json.dumps(body), "receiptHandle": ""}
            for place, body in enumerate(bodies)
        ]
        answer = getattr(self.module, self.name)({"Records": records}, None)
        return [one["itemIdentifier"] for one in answer["batchItemFailures"]]

    def _watch(self) -> None:
        events = self.deployment.clients.session.get_component("event_emitter")
        events.register("before-parameter-build", self._before)
        events.register("after-call.s3", self._after_s3)

    def _before(self, params: dict[str, Any], model: OperationModel, **_: object) -> None:
        service = model.service_model.service_name
        for need in needs(service, model.name, params, self.arns):
            self._require(need, model.name)

    def _after_s3(self, parsed: Mapping[str, Any], model: OperationModel, **_: object) -> None:
        is_read = model.name in ("GetObject", "HeadObject")
        if is_read and parsed["ResponseMetadata"]["HTTPStatusCode"] == _NOT_FOUND:
            bucket = {"Bucket": self.arns.settings.media_bucket}
            self._require(missing_object_need(bucket), model.name)

    def _require(self, need: Need, operation: str) -> None:
        self.needed.add(need)
        if not any(grant.covers(need) for grant in self.allowed):
            self.refused.append(need)
            problem = {"Code": "AccessDeniedException", "Message": need.action}
            raise ClientError({"Error": problem}, operation)  # type: ignore[typeddict-item]


def a_function(
    name: str, settings: Settings, clock: Clock, environment: pytest.MonkeyPatch
) -> Function:
    """Load `app.py` anew for one function of a stage, under the policy of that function."""
    arns = Arns(settings)
    return under(grants(policy_file(name), arns), name, arns, clock, environment)


def under(
    allowed: list[Grant], name: str, arns: Arns, clock: Clock, environment: pytest.MonkeyPatch
) -> Function:
    """Load `app.py` anew, allowed only what is given."""
    settings = arns.settings
    environment.setenv("GOLDENHOUR_RESOURCE_PREFIX", settings.resource_prefix)
    environment.setenv("AWS_ENDPOINT_URL", str(settings.endpoint_url))
    environment.delenv("GOLDENHOUR_DATA_DIR", raising=False)
    environment.setenv("GOLDENHOUR_NOTICES_SENDER", settings.notices_sender or "")
    spec = importlib.util.spec_from_file_location(f"app_of_{name}", PROJECT / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = Function(name, module, arns, allowed)
    function.deployment.clock = function.deployment.wall = clock
    function._watch()
    return function
