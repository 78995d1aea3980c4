"""From the operator's command to Bluesky's own server and back: the whole product, nothing faked.

Only the video service and the public view are played (`server.py`): the server has none.
"""

import io
from datetime import timedelta

import pytest
from PIL import Image

from chalicelib.connectors.bluesky.account import BlueskyHosts
from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from tests.api.http_room import Document
from tests.connectors.bluesky.product import (
    ADDRESSES,
    Bluesky,
    make_app_password,
    run_typed,
)
from tests.connectors.bluesky.server import (
    HANDLE,
    PASSWORD,
    BlueskyRelay,
)
from tests.connectors.support.fake_platform import Fault
from tests.support.sample_media import samples

pytestmark = pytest.mark.node


def test_a_large_photo_is_made_as_small_as_a_server_of_ones_own_takes(bluesky: Bluesky) -> None:
    """@atproto/pds 0.4.217 refuses images above 1,000,000 bytes, Bluesky's own servers do not."""
    out = io.BytesIO()
    Image.effect_noise((1_000, 1_000), 200).convert("RGB").save(out, "JPEG", quality=99)
    photo = out.getvalue()
    assert 1_000_000 < len(photo) <= 2_000_000
    media = bluesky.room.upload(photo, "noise.jpg")

    post = bluesky.sent("Noise", media_ids=[media])
    assert post["status"] == "published", post["targets"]

    record = bluesky.record(post)
    assert record is not None
    (image,) = record["embed"]["images"]
    assert image["image"]["size"] <= 976 * 1024


def test_a_photo_goes_out_with_its_text_pointed_out(bluesky: Bluesky) -> None:
    media = bluesky.room.upload(samples()["plain.jpg"].data, "bread.jpg")

    post = bluesky.sent(
        f"Fresh 🥖 #bread by @{HANDLE}, see bakery.com/menu.",
        media_ids=[media],
        options={"alt": "a loaf", "langs": ["en"]},
    )

    assert post["status"] == "published", post["targets"]
    record = bluesky.record(post)
    assert record is not None
    assert record["embed"]["images"][0]["alt"] == "a loaf"
    text = record["text"].encode()
    shown = {
        text[facet["index"]["byteStart"] : facet["index"]["byteEnd"]].decode(): facet["features"]
        for facet in record["facets"]
    }
    kind = "app.bsky.richtext.facet"
    assert shown == {
        "#bread": [{"$type": f"{kind}#tag", "tag": "bread"}],
        f"@{HANDLE}": [{"$type": f"{kind}#mention", "did": bluesky.relay.server.did}],
        "bakery.com/menu": [{"$type": f"{kind}#link", "uri": "https://bakery.com/menu"}],
    }


def test_a_video_goes_out_through_the_video_service(bluesky: Bluesky) -> None:
    media = bluesky.room.upload(samples()["index_last.mp4"].data, "oven.mp4")

    post = bluesky.sent("Into the oven", media_ids=[media])

    assert post["status"] == "published", post["targets"]
    record = bluesky.record(post)
    assert record is not None
    assert record["embed"]["$type"] == "app.bsky.embed.video"
    assert record["embed"]["video"]["mimeType"] == "video/mp4"


def test_a_large_video_goes_to_the_service_in_parts(bluesky: Bluesky) -> None:
    """The bound is lowered, so that a small file is a large one."""
    deployment, oven = bluesky.room.house.deployment, samples()["index_last.mp4"].data
    hosts = BlueskyHosts(**dict.fromkeys(ADDRESSES, bluesky.relay.url))
    connector = BlueskyConnector(hosts, clock=deployment.clock, parts_from_bytes=1_000)
    deployment.connectors = Connectors(sandbox={}, real={Platform.BLUESKY: connector})
    bluesky.relay.videos.part_bytes = len(oven) // 3 + 1

    post = bluesky.sent("A long bake", media_ids=[bluesky.room.upload(oven, "film.mp4")])

    assert post["status"] == "published", post["targets"]
    record = bluesky.record(post)
    assert record is not None
    (upload,) = bluesky.relay.videos.uploads.values()
    assert list(upload.parts) == [1, 2, 3]
    assert record["embed"]["video"]["size"] == upload.size


def test_a_scheduled_post_goes_out_at_its_time_and_not_before(bluesky: Bluesky) -> None:
    room = bluesky.room
    targets = [{"account_id": bluesky.account_id}]
    made = room.post("/v1/posts", {"caption": "Closing soon", "targets": targets}).json
    room.act(made, "schedule", {"at": room.in_(minutes=15)})

    room.pass_time(timedelta(minutes=14))
    before = room.statuses(made)
    room.pass_time(timedelta(minutes=2))

    assert (before, room.statuses(made)) == (["scheduled"], ["published"])


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.ERROR_AFTER, Fault.DROP_BEFORE], ids=str)
@pytest.mark.parametrize("options", [{}, {"reply_settings": "nobody"}], ids=["alone", "gated"])
def test_a_lost_answer_makes_no_second_post(
    bluesky: Bluesky, fault: Fault, options: Document
) -> None:
    caption = f"Only once, {fault}, {len(options)}"
    bluesky.relay.strike(0, fault)

    post = bluesky.sent(caption, options=options)

    assert post["status"] == "published", post["targets"]
    assert [r["text"] for r in bluesky.relay.records()].count(caption) == 1


def test_gates_stand_beside_the_post_and_leave_with_it(bluesky: Bluesky) -> None:
    gates = {"reply_settings": "mentioned", "disable_quotes": True}
    post = bluesky.sent("Quiet please", options=gates)
    beside = [bluesky.relay.records(f"app.bsky.feed.{kind}") for kind in ("threadgate", "postgate")]

    bluesky.room.unpublish(post)

    assert [bool(found) for found in beside] == [True, True]
    rkey = post["targets"][0]["url"].rpartition("/")[2]
    for kind in ("post", "threadgate", "postgate"):
        place = f"at://{bluesky.relay.server.did}/app.bsky.feed.{kind}/{rkey}"
        assert bluesky.relay.record(place) is None


def test_an_unpublished_post_is_gone_from_the_server(bluesky: Bluesky) -> None:
    post = bluesky.sent("Sold out")
    assert bluesky.record(post) is not None

    answer = bluesky.room.unpublish(post)

    assert (answer.status, answer.json["targets"][0]["status"]) == (200, "removed")
    assert bluesky.record(post) is None


def test_what_the_server_refuses_ends_with_a_code(bluesky: Bluesky) -> None:
    """A label is at most 128 bytes there, 128 characters here."""
    post = bluesky.sent("Seen by nobody", options={"labels": ["é" * 100]})

    target = post["targets"][0]
    assert (post["status"], target["error_code"]) == ("failed", "invalid_options")


def test_a_session_is_renewed_before_it_ends(bluesky: Bluesky) -> None:
    bluesky.room.house.clock.pass_time(timedelta(minutes=110))

    post = bluesky.sent("Good morning again")

    assert post["status"] == "published"
    names = [call.name.rpartition(".")[2] for call in bluesky.relay.calls]
    assert names.count("refreshSession") == 1
    assert bluesky.health() == ("ok", None)


def test_a_session_that_its_owner_ended_breaks_the_account_until_it_is_connected_again(
    bluesky: Bluesky,
) -> None:
    session = next(c for c in bluesky.relay.calls if c.path.endswith("createSession"))
    assert session is not None
    _revoke_app_passwords(bluesky.relay)
    bluesky.room.house.clock.pass_time(timedelta(hours=3))

    failed = bluesky.sent("Anybody there?")

    assert failed["targets"][0]["error_code"] == "auth_expired"
    assert bluesky.health()[0] == "broken"

    run_typed(
        bluesky.operator,
        make_app_password(bluesky.relay),
        *("account", "reconnect", bluesky.account_id),
    )
    assert bluesky.health() == ("ok", None)
    bluesky.room.act(failed, "retry")
    bluesky.room.pass_time(timedelta(minutes=1))
    assert bluesky.room.statuses(failed) == ["published"]


def _revoke_app_passwords(relay: BlueskyRelay) -> None:
    login = {"identifier": HANDLE, "password": PASSWORD}
    token = relay.ask("com.atproto.server.createSession", login)["accessJwt"]
    name = {"name": f"goldenhour {relay.url[-5:]}"}
    relay.ask("com.atproto.server.revokeAppPassword", name, token)
