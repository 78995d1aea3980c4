"""The Bluesky connector over a strict fake; `test_server.py` has the real server."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import pytest

from chalicelib.connectors.bluesky.media import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.connectors.bluesky.post import record_key
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, FailureCode, Sent, Wait
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.json_value import Json
from tests.connectors.bluesky.fake import (
    DID,
    HANDLE,
    PASSWORD,
    POST,
    SERVER_DID,
)
from tests.connectors.bluesky.rig import BlueskyRig, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import (
    a_photo,
)
from tests.support.frozen_clock import NOON


@pytest.fixture
def rig() -> Iterator[BlueskyRig]:
    made = a_rig()
    yield made
    made.platform.close()


class TestBluesky(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> BlueskyRig:
        return a_rig()


def test_a_photo_is_uploaded_and_then_embedded_as_the_server_described_it(rig: BlueskyRig) -> None:
    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    upload, put = rig.platform.calls
    assert upload.name == "POST /xrpc/com.atproto.repo.uploadBlob"
    assert (upload.headers["content-type"], upload.size) == ("image/jpeg", 3_000)
    key = end.remote_id.rpartition("/")[2]
    assert put.json == {
        "repo": DID,
        "collection": POST,
        "rkey": key,
        "validate": True,
        "swapRecord": None,
        "record": {
            "$type": POST,
            "text": "Launch day",
            "createdAt": "2026-11-20T12:00:00.000Z",
            "embed": {
                "$type": "app.bsky.embed.images",
                "images": [
                    {
                        "image": next(iter(rig.platform.blobs.values())),
                        "alt": "rocket",
                        "aspectRatio": {"width": 1200, "height": 800},
                    }
                ],
            },
        },
    }
    assert end.url == f"https://bsky.app/profile/{DID}/post/{key}"


def test_gates_become_visible_together_with_the_post(rig: BlueskyRig) -> None:
    end = rig.drive("gated").run()

    assert isinstance(end, Done)
    key = end.remote_id.rpartition("/")[2]
    records = rig.platform.records
    assert records["app.bsky.feed.threadgate", key]["allow"] == [
        {"$type": "app.bsky.feed.threadgate#mentionRule"}
    ]
    assert records["app.bsky.feed.postgate", key]["embeddingRules"] == [
        {"$type": "app.bsky.feed.postgate#disableRule"}
    ]
    assert [call.name.rpartition(".")[2] for call in rig.platform.calls] == ["applyWrites"]


def test_a_deleted_post_takes_its_gates_along(rig: BlueskyRig) -> None:
    end = rig.drive("gated").run()
    assert isinstance(end, Done)

    rig.connector.delete(rig.live(end))

    assert rig.platform.records == {}


@pytest.mark.parametrize(
    ("setting", "allow"),
    [
        ("nobody", []),
        ("followers", ["app.bsky.feed.threadgate#followerRule"]),
        ("following", ["app.bsky.feed.threadgate#followingRule"]),
    ],
)
def test_who_may_reply_is_a_rule_of_the_threadgate(
    rig: BlueskyRig, setting: str, allow: list[str]
) -> None:
    rig.shapes = {"text": replace(rig.shapes["text"], options={"reply_settings": setting})}

    rig.drive("text").run()

    gate = next(r for (kind, _), r in rig.platform.records.items() if kind.endswith("threadgate"))
    assert [rule["$type"] for rule in gate["allow"]] == allow


def test_options_stand_in_the_record(rig: BlueskyRig) -> None:
    options: dict[str, Json] = {
        "langs": ["en", "de"],
        "tags": ["bakery"],
        "labels": ["graphic-media"],
        "reply_settings": "everyone",
    }
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    rig.drive("text").run()

    (record,) = rig.platform.posts.values()
    assert (record["langs"], record["tags"]) == (["en", "de"], ["bakery"])
    assert record["labels"] == {
        "$type": "com.atproto.label.defs#selfLabels",
        "values": [{"val": "graphic-media"}],
    }
    assert len(rig.platform.records) == 1


def test_a_file_that_is_too_large_is_refused_without_a_call(rig: BlueskyRig) -> None:
    photo = a_photo(LARGEST_PHOTO + 1)
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.MEDIA_TOO_LARGE
    assert rig.platform.calls == []


def test_a_swept_blob_is_uploaded_once_more(rig: BlueskyRig) -> None:
    drive = rig.drive("photo")
    while drive.checkpoint is None or drive.checkpoint.step != "publish":
        drive._step()
    rig.platform.blobs.clear()

    end = drive.run()

    assert isinstance(end, Done)
    uploads = [call for call in rig.platform.calls if call.path.endswith("uploadBlob")]
    assert (len(uploads), len(rig.platform.posts)) == (2, 1)


def test_a_post_of_somebody_else_under_the_key_is_never_overwritten(rig: BlueskyRig) -> None:
    key = record_key(rig.shapes["text"])
    others = {"$type": POST, "text": "Something else", "createdAt": "2026-11-20T12:00:00.000Z"}
    rig.platform.records[POST, key] = others

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.DUPLICATE_CONTENT
    assert rig.platform.records[POST, key] == others


def test_a_key_is_the_target_s_alone_whatever_its_time(rig: BlueskyRig) -> None:
    """After a restore it may have another time than the one at which it went out."""
    one, later = rig.shapes["text"], NOON + timedelta(days=7)
    other = replace(one, target_id="0193491b0c4a7b2e9f3a5d6c7e8f9a0c")

    assert record_key(one) != record_key(other)
    assert record_key(one) == record_key(replace(one, now=later, due_at=later))


def _confirm(rig: BlueskyRig, after: timedelta, checkpoint: Checkpoint) -> Done | Wait | Absent:
    publication = replace(rig.shapes["text"], now=NOON + after)
    sent = Sent(text=publication.text, media_ids=(), at=NOON)
    account = rig.keeper.sign_in(rig.account, rig.connector)
    found = rig.connector.reconcile(replace(publication, account=account), checkpoint, sent)
    assert isinstance(found, Done | Wait | Absent)
    return found


def test_what_is_not_under_the_key_may_be_written_again_at_once(rig: BlueskyRig) -> None:
    """The same record under the same key twice is one record, so no call need be waited out."""
    checkpoint = Checkpoint("publish", {"key": record_key(rig.shapes["text"])})

    assert isinstance(_confirm(rig, timedelta(seconds=1), checkpoint), Absent)


def test_a_call_that_never_arrived_is_repeated_within_seconds(rig: BlueskyRig) -> None:
    began = rig.clock()
    drive = rig.drive("text")
    while drive.checkpoint is None or drive.checkpoint.step != "publish":
        assert drive._step() is None
    rig.platform.strike(0, Fault.DROP_BEFORE)

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - began < timedelta(seconds=5)
    assert len(rig.platform.posts) == 1


def test_a_look_after_a_restore_finds_the_post_without_a_checkpoint(rig: BlueskyRig) -> None:
    end = rig.drive("text").run()

    assert _confirm(rig, timedelta(seconds=1), Checkpoint("restored")) == end


def test_metrics_are_those_of_the_public_view(rig: BlueskyRig) -> None:
    end = rig.drive("text").run()
    assert isinstance(end, Done)
    live = rig.live(end)
    unseen = replace(live, remote_id=f"at://{DID}/{POST}/3n2rjqtd4f42l")
    gone = replace(unseen, published_at=NOON - timedelta(hours=1))

    asked = (live, unseen, gone)
    metrics = [rig.connector.metrics([one]) for one in asked]

    assert metrics == [[Metrics(likes=9, comments=1, shares=3)], [Metrics()], [None]]


def test_signing_in_finds_the_accounts_own_server(rig: BlueskyRig) -> None:
    identity = rig.connector.sign_in(f"@{HANDLE}", PASSWORD, NOON)

    assert (identity.remote_identity, identity.handle) == (DID, HANDLE)
    assert identity.settings == {"pds": rig.platform.url, "pds_did": SERVER_DID}
    assert identity.tokens.expires_at == NOON + timedelta(hours=2)


@pytest.mark.parametrize("end", [10**12, -(10**20), float("inf"), "soon", "²", [[]], None])
def test_a_session_that_names_no_time_has_no_end(rig: BlueskyRig, end: Json) -> None:
    rig.platform.claims = {"exp": end}

    assert rig.connector.sign_in(f"@{HANDLE}", PASSWORD, NOON).tokens.expires_at is None


@pytest.mark.parametrize(("handle", "password"), [(HANDLE, "wrong"), ("nobody.test", PASSWORD)])
def test_a_wrong_handle_or_password_signs_nobody_in(
    rig: BlueskyRig, handle: str, password: str
) -> None:
    with pytest.raises(TokenRejectedError):
        rig.connector.sign_in(handle, password, NOON)


def test_a_session_that_was_ended_breaks_the_account(rig: BlueskyRig) -> None:
    rig.platform.revoked = True
    rig.clock.pass_time(timedelta(hours=3))

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN
    assert rig.platform.posts == {}


def test_tokens_are_renewed_ahead_of_their_end_and_kept_before_use(rig: BlueskyRig) -> None:
    rig.clock.pass_time(timedelta(minutes=110))

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == [rig.platform.access(2)]
    put = rig.platform.calls[-1]
    assert put.headers["authorization"] == f"Bearer {rig.platform.access(2)}"
