"""A stage in an emulated cloud, deployed as `make deploy` deploys, and a client of its API."""

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.settings import Settings
from infra.deploy import Plan as Deploying
from infra.deploy import prepare
from infra.packaging.package import Package
from tests.api.doors.forms import FORM_TYPE, part
from tests.api.http.endpoint_cases import a_photo
from tests.deployment.cloud import Cloud, a_cloud

PATIENCE_S = 400.0
"""On a busy machine a call of the emulator may be given up: its message comes back after 360 s."""
STAGE = "dev"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage that answers."""

    cloud: Cloud
    packaged: Package
    url: str
    settings: Settings
    key: str
    account_id: str

    def deploy(self, **given: str) -> Deploying:
        """Ask what deploying once more would change."""
        return propose(self.cloud, self.packaged, **given)

    def objects(self, prefix: str) -> list[bytes]:
        """Return the files of the stage whose names begin so."""
        s3, bucket = boto3.client("s3"), self.settings.media_bucket
        found = s3.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", [])
        return [s3.get_object(Bucket=bucket, Key=one["Key"])["Body"].read() for one in found]

    def call(
        self, method: str, path: str, body: object = None, *, key: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Send a request through API Gateway; return status and document."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 - our own emulator
            self.url + path,
            method=method,
            data=None if body is None else raw,
            headers={"Authorization": f"Bearer {key or self.key}", **headers},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)


def propose(cloud: Cloud, packaged: Package, **given: str) -> Deploying:
    """Ask what deploying would change."""
    return prepare(cloud.aws, STAGE, packaged, given=given, poll_s=0.1)


@contextmanager
def a_stage(packaged: Package, interpreter: str = sys.executable) -> Iterator[Stage]:
    """Yield a stage of what was packaged, in a cloud of its own whose functions run in a Python."""
    with a_cloud(interpreter) as cloud:
        plan = propose(cloud, packaged)
        plan.execute()
        outputs = plan.stack.outputs()
        settings = Settings.from_environment(
            {
                "GOLDENHOUR_RESOURCE_PREFIX": outputs["ResourcePrefix"],
                "GOLDENHOUR_MEDIA_BUCKET": outputs["MediaBucket"],
                "AWS_ENDPOINT_URL": cloud.endpoint,
            }
        )
        key, account_id = _people(settings)
        url = f"{cloud.endpoint}/restapis/{outputs['RestAPIId']}/api/_user_request_"
        yield Stage(
            cloud=cloud,
            packaged=packaged,
            url=url,
            settings=settings,
            key=key,
            account_id=account_id,
        )


def _people(settings: Settings) -> tuple[str, str]:
    """Make a workspace as the operator's commands do; return its key and a test account."""
    operator = Deployment(settings)
    workspace, owner = operator.people.administration.create_workspace(
        name="Lighthouse Bakery",
        plan=Plan.STUDIO,
        timezone="UTC",
        approvals=False,
        owner_name="Ada",
    )
    account = operator.people.connections.connect_test_account(
        workspace.id, platform=Platform.INSTAGRAM, handle="@lighthouse"
    )
    return operator.people.administration.create_key(owner.id).secret, account.id


def eventually(stage: Stage, post_id: str, status: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        _, post = stage.call("GET", f"/v1/posts/{post_id}")
        if post["status"] == status:
            return dict(post)
        time.sleep(0.5)
    pytest.fail(f"The post is {post['status']}, not {status}: {post}")


def publish_a_photo(stage: Stage) -> dict[str, Any]:
    """Upload, draft and schedule over HTTP; return the post once it is published."""
    form = part(a_photo(), 'name="file"; filename="bread.jpg"') + b"------one-of-a-kind--\r\n"
    uploaded, media = stage.call("POST", "/v1/media", form, **{"Content-Type": FORM_TYPE})
    assert uploaded == 201, media
    target = {"account_id": stage.account_id}
    draft = {"caption": "Fresh bread", "media_ids": [media["id"]], "targets": [target]}
    drafted, post = stage.call("POST", "/v1/posts", draft)
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))

    scheduled, _ = stage.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at})

    assert (uploaded, drafted, scheduled) == (201, 201, 200)
    return eventually(stage, post["id"], "published")
