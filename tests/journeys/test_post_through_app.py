"""A post's whole way through `app.py`, driven by Chalice's own test client."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.domain.platforms.platform import Platform
from tests.api.http.endpoint_cases import a_photo
from tests.journeys.chalice_stage import ChaliceStage, chalice_stage
from tests.support.emulator import EmulatorProcess, make_resources

PREPARED_AHEAD = timedelta(minutes=10)
"""How long before its second a file goes to the platform (docs/engine.md)."""


@pytest.fixture
def stage(emulator: EmulatorProcess, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChaliceStage]:
    with chalice_stage(make_resources(emulator.endpoint), monkeypatch) as made:
        yield made


def test_a_scheduled_photo_is_sent_by_the_tick_and_read_back(stage: ChaliceStage) -> None:
    account = stage.connect(Platform.LINKEDIN)
    at = stage.clock() + timedelta(hours=1)
    photo = stage.upload(a_photo(), "bread.jpg")
    draft = stage.ask(
        "POST",
        "/v1/posts",
        {"caption": "Fresh bread", "media_ids": [photo], "targets": [{"account_id": account}]},
    )
    path = f"/v1/posts/{draft['id']}"

    scheduled = stage.ask("POST", f"{path}/schedule", {"at": at.isoformat()})
    too_early = stage.work()
    woken = []
    for left in (PREPARED_AHEAD, timedelta(0)):
        stage.clock.now = at - left
        stage.tick()
        woken.append(set(stage.work()))
    published = stage.ask("GET", path)
    listed = stage.ask("GET", "/v1/posts?status=published")
    history = stage.ask("GET", f"{path}/history")

    assert [draft["status"], scheduled["status"]] == ["draft", "scheduled"]
    # A bucket that tells its queue of new files, as AWS's does, wakes who finishes uploads.
    assert set(too_early) <= {"finish_uploads"}
    assert "prepare" in woken[0]
    assert "publish" in woken[1]
    assert [one["status"] for one in published["targets"]] == ["published"]
    assert [one["id"] for one in listed["data"]] == [draft["id"]]
    assert history["events"][-1]["action"] == "target.published"
    target = stage.deployment.stores.posts.get_any(draft["id"]).targets[0]
    sent = stage.deployment.sandbox_store.get(Platform.LINKEDIN, str(target.remote_id))
    assert sent is not None
    assert (sent.caption, sent.media_id) == ("Fresh bread", photo)
