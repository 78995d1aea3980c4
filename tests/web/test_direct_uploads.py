"""Large files of the app go straight to the storage where browsers reach it."""

import json
from copy import copy

import boto3
import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.storage.media.store import S3MediaStore, media_client_config
from tests.api.http_room import House, Room
from tests.web.browser import Browser, both

STORAGE = "https://loaf-media.s3.eu-west-1.amazonaws.com"
FILM = {"filename": "oven.mp4", "size_bytes": "9000000"}


@pytest.fixture
def in_aws(house: House, room: Room) -> Browser:
    """Sign in where links name a bucket in AWS; nothing is ever sent there."""
    client = boto3.client(
        "s3",
        region_name="eu-west-1",
        aws_access_key_id="id",
        aws_secret_access_key="secret",
        config=media_client_config(None),
    )
    deployment = copy(house.deployment)
    deployment.media = copy(deployment.media)
    deployment.media.direct_uploads = DirectUploads(
        uploads=deployment.media.uploads,
        store=S3MediaStore(client, "loaf-media"),
        clock=house.clock,
    )
    return Browser(room, both(deployment)).signed_in()


def test_a_form_sends_large_files_straight_only_where_browsers_reach_the_storage(
    browser: Browser, in_aws: Browser
) -> None:
    here, there = browser.open("/app/posts/new"), in_aws.open("/app/posts/new")

    policies = [page.response.headers["Content-Security-Policy"] for page in (here, there)]
    assert [False, True] == ["data-straight" in page.text for page in (here, there)]
    assert "connect-src 'self';" in policies[0]
    assert f"connect-src 'self' {STORAGE};" in policies[1]


def test_no_other_page_may_send_anything_to_the_storage(in_aws: Browser) -> None:
    page = in_aws.open("/app/posts")

    assert STORAGE not in page.response.headers["Content-Security-Policy"]


def test_a_script_is_told_where_the_file_goes_and_how_it_stands(in_aws: Browser) -> None:
    begun = json.loads(in_aws.send("/app/media/uploads", FILM).text)

    state = json.loads(in_aws.open(f"/app/media/uploads/{begun['media_id']}").text)

    assert begun["url"].startswith(f"{STORAGE}/incoming/")
    assert {"id": begun["media_id"], "filename": "oven.mp4", "state": "waiting"} == {
        name: state[name] for name in ("id", "filename", "state")
    }


@pytest.mark.parametrize("size", ["", "0", "-1", "1e9", "٣", "9" * 13, str(2**40)])
def test_a_size_that_is_none_is_refused(in_aws: Browser, size: str) -> None:
    answer = in_aws.send("/app/media/uploads", {**FILM, "size_bytes": size})

    assert answer.status in {413, 422}
    assert answer.problem


def test_a_form_of_another_site_begins_no_upload(in_aws: Browser) -> None:
    answer = in_aws.send("/app/media/uploads", FILM, token="another")

    assert 403 == answer.status


def test_a_viewer_begins_no_upload(in_aws: Browser) -> None:
    answer = in_aws.as_role(Role.VIEWER).send("/app/media/uploads", FILM)

    assert 403 == answer.status


def test_an_upload_of_another_workspace_is_not_found(in_aws: Browser, house: House) -> None:
    begun = json.loads(in_aws.send("/app/media/uploads", FILM).text)
    stranger = Browser.of(house.room()).signed_in()

    assert 404 == stranger.open(f"/app/media/uploads/{begun['media_id']}").status
