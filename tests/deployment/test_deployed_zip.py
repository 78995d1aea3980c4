"""The deployed zip in an emulated cloud: uploaded, drafted, scheduled, published over HTTP.

The stack is what `make deploy` makes. Requests come through the emulator's API Gateway, the tick
through its rule and wake messages through its event source mapping. The libraries are the test's
own here; `make deploy-check` does the same with everything in the zip.
"""

import json
import time
import urllib.request
import zipfile
from dataclasses import replace
from pathlib import Path

import boto3
import pytest

from chalicelib.web.rendering import serve
from infra.packaging.package import Package
from infra.releases import NoReleaseError, Releases
from infra.stack import Stack
from tests.api.http.endpoint_cases import a_photo
from tests.deployment.policies.journey import FUNCTIONS
from tests.deployment.stage import PATIENCE_S, STAGE, Stage, propose, publish_a_photo

pytestmark = pytest.mark.deploy


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


@pytest.mark.parametrize(
    ("name", "accept"),
    [
        ("icon-180.png", "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"),
        ("instrument-sans.woff2", "*/*"),
        ("app.css", "text/css,*/*;q=0.1"),
    ],
)
def test_a_browser_gets_the_app_s_pictures_fonts_and_styles(
    stage: Stage, name: str, accept: str
) -> None:
    """With what Chrome says that it accepts."""
    asked = urllib.request.Request(f"{stage.url}/app/static/{name}", headers={"Accept": accept})  # noqa: S310 - our own emulator
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310
        body = answer.read()

    assert body == serve(name).body


def _path(url: str) -> str:
    return "incoming/" + url.partition("/incoming/")[2]


@pytest.mark.usefixtures("stage")
@pytest.mark.parametrize("name", ["Tick", "Collect", "Notify", "Review"])
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


def test_the_links_of_a_stage_keep_the_base_path_of_its_address(stage: Stage) -> None:
    """API Gateway's own address ends in its stage, `/api`."""
    _, described = stage.call("GET", "/v1/openapi.json")

    assert described["servers"] == [{"url": "/api/"}]


def test_deploying_the_same_again_changes_nothing(stage: Stage) -> None:
    assert stage.deploy().change_set.changes == ()


def test_a_parameter_that_is_given_once_stays(stage: Stage) -> None:
    plan = stage.deploy(PublicUrl="https://post.example")
    plan.stack.execute(plan.change_set)

    assert plan.change_set.changes
    assert not any(change.endangers_data for change in plan.change_set.changes)
    assert stage.deploy().change_set.changes == ()
    assert plan.stack.outputs()["PublicUrl"] == "https://post.example"


def _broken(packaged: Package, folder: Path) -> Package:
    """Return the same package, but that no function of it starts."""
    archive = folder / "broken.zip"
    with zipfile.ZipFile(packaged.archive) as good, zipfile.ZipFile(archive, "w") as bad:
        # Bytecode would be taken whatever the source says.
        sources = [one for one in good.infolist() if "__pycache__/app." not in one.filename]
        for entry in sources:
            data = b"raise SystemError" if entry.filename == "app.py" else good.read(entry)
            bad.writestr(entry, data)
    return replace(packaged, archive=archive)


def test_a_bad_release_is_rolled_back_by_one_call(stage: Stage, tmp_path: Path) -> None:
    releases = Releases(
        functions=stage.cloud.aws.functions,
        stack=Stack(stage.cloud.aws.formation, f"goldenhour-{STAGE}"),
    )
    good = releases.current()
    bad = propose(stage.cloud, _broken(stage.packaged, tmp_path))
    bad.stack.execute(bad.change_set)
    assert stage.call("GET", "/v1/health")[0] >= 500

    turned = releases.roll_back()

    assert len(turned) == len(FUNCTIONS)
    assert {turn.to.release for turn in turned if turn.to} == {good} == {releases.current()}
    assert stage.call("GET", "/v1/health")[0] == 200
    with pytest.raises(NoReleaseError, match=good):
        releases.roll_back("nothing")
