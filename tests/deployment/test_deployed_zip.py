"""The deployed zip in an emulated cloud: uploaded, drafted, scheduled, published over HTTP.

The stack is what `make deploy` makes. Requests come through the emulator's API Gateway, the tick
through its rule and wake messages through its event source mapping. The libraries are the test's
own here; `make deploy-check` does the same with everything in the zip.
"""

import json
import time
from collections.abc import Iterator

import boto3
import pytest

from tests.api.http.endpoint_cases import a_photo
from tests.deployment.stage import PATIENCE_S, STAGE, Stage, a_stage, publish_a_photo


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with a_stage(tmp_path_factory.mktemp("build")) as made:
        yield made


def test_a_photo_is_uploaded_drafted_scheduled_and_published(stage: Stage) -> None:
    post = publish_a_photo(stage)

    assert post["targets"][0]["url"]


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
