"""The deployed zip in an emulated cloud: uploaded, drafted, scheduled, published over HTTP.

The stack is what `make deploy` makes. Requests come through the emulator's API Gateway, the tick
through its rule and hints through its event source mapping. The libraries are the test's own here;
`make deploy-check` does the same with everything in the zip.
"""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest

from chalicelib.bootstrap import Deployment
from chalicelib.bootstrap_operator import operator_services
from chalicelib.domain.access import Plan
from chalicelib.domain.platforms import Platform
from chalicelib.settings import Settings
from infra.deploy import Plan as Deploying
from infra.deploy import prepare
from tests.api.endpoint_cases import a_photo
from tests.api.forms import FORM_TYPE, part
from tests.deployment.cloud import Cloud, a_cloud

PATIENCE_S = 60.0
STAGE = "dev"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage that answers."""

    cloud: Cloud
    folder: Path
    url: str
    settings: Settings
    key: str
    account_id: str

    def deploy(self, **given: str) -> Deploying:
        """Ask what deploying once more would change."""
        return propose(self.cloud, self.folder, **given)

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
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.load(refusal)


def propose(cloud: Cloud, folder: Path, **given: str) -> Deploying:
    return prepare(cloud.aws, STAGE, requirements="", given=given, folder=folder, poll_s=0.1)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("build")
    with a_cloud() as cloud:
        plan = propose(cloud, folder)
        plan.stack.execute(plan.change_set)
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
            folder=folder,
            url=url,
            settings=settings,
            key=key,
            account_id=account_id,
        )


def _people(settings: Settings) -> tuple[str, str]:
    """Make a workspace as the operator's commands do; return its key and a test account."""
    operator = operator_services(Deployment(settings))
    workspace, owner = operator.directory.create_workspace(
        name="Lighthouse Bakery",
        plan=Plan.STUDIO,
        timezone="UTC",
        approvals=False,
        owner_name="Ada",
    )
    account = operator.connections.connect_test_account(
        workspace.id, platform=Platform.INSTAGRAM, handle="@lighthouse"
    )
    return operator.directory.create_key(owner.id).secret, account.id


def _eventually(stage: Stage, post_id: str, status: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        _, post = stage.call("GET", f"/v1/posts/{post_id}")
        if post["status"] == status:
            return dict(post)
        time.sleep(0.5)
    pytest.fail(f"The post is {post['status']}, not {status}: {post}")


def test_a_photo_is_uploaded_drafted_scheduled_and_published(stage: Stage) -> None:
    form = part(a_photo(), 'name="file"; filename="bread.jpg"') + b"------one-of-a-kind--\r\n"
    uploaded, media = stage.call("POST", "/v1/media", form, **{"Content-Type": FORM_TYPE})
    assert uploaded == 201, media
    target = {"account_id": stage.account_id}
    draft = {"caption": "Fresh bread", "media_ids": [media["id"]], "targets": [target]}
    drafted, post = stage.call("POST", "/v1/posts", draft)
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))

    scheduled, _ = stage.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": at})

    assert (uploaded, drafted, scheduled) == (201, 201, 200)
    published = _eventually(stage, post["id"], "published")
    assert published["targets"][0]["url"]


def test_a_direct_upload_is_taken_in_by_the_bucket_s_event(stage: Stage) -> None:
    photo = a_photo()
    _, begun = stage.call(
        "POST", "/v1/media/uploads", {"filename": "bread.jpg", "size_bytes": len(photo)}
    )
    boto3.client("s3").put_object(
        Bucket=stage.settings.media_bucket,
        Key=next(iter(_path(begun["url"]).split("?"))),
        Body=photo,
    )

    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        status, media = stage.call("GET", f"/v1/media/{begun['media_id']}")
        if status == 200:
            break
        time.sleep(0.3)

    assert (status, media["filename"]) == (200, "bread.jpg")


def _path(url: str) -> str:
    return "incoming/" + url.partition("/incoming/")[2]


@pytest.mark.usefixtures("stage")
@pytest.mark.parametrize("name", ["Tick", "Collect", "Review"])
def test_a_scheduled_function_runs_in_its_zip(name: str) -> None:
    functions = boto3.client("lambda")
    found = [one["FunctionName"] for one in functions.list_functions()["Functions"]]
    (deployed,) = [one for one in found if one.startswith(f"goldenhour-{STAGE}-{name}-")]
    event = {
        "version": "0",
        "id": "1",
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": "2026-11-20T12:00:00Z",
        "region": "us-east-1",
        "resources": [],
        "detail": {},
    }

    answer = functions.invoke(FunctionName=deployed, Payload=json.dumps(event).encode())

    assert "FunctionError" not in answer, answer["Payload"].read()


def test_an_unknown_path_and_a_missing_key_have_the_apis_error_shape(stage: Stage) -> None:
    assert stage.call("GET", "/v1/nothing")[1]["error"]["code"] == "not_found"
    assert stage.call("GET", "/v1/posts", key="wrong")[1]["error"]["code"] == "bad_api_key"


def test_deploying_the_same_again_changes_nothing(stage: Stage) -> None:
    assert stage.deploy().change_set.changes == ()


def test_a_parameter_that_is_given_once_stays(stage: Stage) -> None:
    plan = stage.deploy(PublicUrl="https://post.example")
    plan.stack.execute(plan.change_set)

    assert plan.change_set.changes
    assert not any(change.endangers_data for change in plan.change_set.changes)
    assert stage.deploy().change_set.changes == ()
    assert plan.stack.outputs()["PublicUrl"] == "https://post.example"
