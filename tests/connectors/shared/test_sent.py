"""What the sandbox says a platform would have received, held against what its fake did receive.

The same publication goes two ways: by the real connector to the platform's fake, over HTTP, and to
the sandbox as a test account's. Both must leave with the same contents but for the ids and
addresses that only the platform gives, and with the same bytes.
"""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.outcome import Checkpoint, Done, Outcome, Wait
from chalicelib.domain.platforms.alt_texts import alt_text_of
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.local.sandbox_sent import find_file, sent_json
from chalicelib.storage.sandbox_here import SandboxHere
from tests.connectors.shared.test_every_option import WORLDS
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.fake_platform import Received
from tests.connectors.support.rig import Rig
from tests.connectors.tiktok.fake import FakeTikTok
from tests.support.closed_at_end import closed_at_end

_STAND_INS = ("stand-in", ".invalid")
_FILE = "{file in base64}"
_DRAFTED = {"tiktok draft video"}
"""A draft of a video leaves without its text: TikTok lets its creator write it."""

COMMENTS = {
    Platform.X: "photo",
    Platform.BLUESKY: "photo",
    Platform.FACEBOOK: "photo",
    Platform.INSTAGRAM: "photo",
    Platform.THREADS: "photo",
    Platform.LINKEDIN: "photo",
    Platform.PINTEREST: "photo",
    Platform.REDDIT: "photo",
    Platform.TIKTOK: "photo",
    Platform.YOUTUBE: "video",
    Platform.GOOGLE_BUSINESS_PROFILE: "photo",
}


def play(rig: Rig, shape: str, store: SandboxHere) -> SandboxEntry:
    """Publish the same as a test account's; return what the sandbox took."""
    publication = rig.shapes[shape]
    account = replace(rig.keeper.sign_in(rig.account, rig.connector), test=True)
    sandbox = SandboxConnector(rig.connector.platform, store, "http://h", rules=rig.connector)
    as_test = replace(publication, account=account, now=rig.clock())
    # From its upload on: boards and communities of a fake are not the sandbox's own.
    outcome: Outcome = Wait(Checkpoint("upload", {"until": rig.clock().isoformat()}))
    while isinstance(outcome, Wait):
        outcome = sandbox.advance(as_test, outcome.checkpoint)
    assert isinstance(outcome, Done), outcome
    entry = store.get(rig.connector.platform, outcome.remote_id)
    assert entry is not None
    return entry


@pytest.fixture
def store(tmp_path: Path) -> SandboxHere:
    return closed_at_end(SandboxHere(tmp_path))


@pytest.mark.parametrize("name", WORLDS)
def test_sent_is_what_the_platform_receives(name: str, store: SandboxHere) -> None:
    world = WORLDS[name]
    rig = world.make()
    if isinstance(rig.platform, FakeTikTok):
        rig.platform.settings["stitch_disabled"] = False  # a test account's creator allows all
    publication = rig.shapes[world.shape]

    end = rig.drive(world.shape).run()
    rig.platform.close()
    sent: Any = sent_json(play(rig, world.shape, store))

    assert isinstance(end, Done), end
    received = [body for call in rig.platform.calls for body in _contents(call)]
    expected = _with_bytes(sent["body"], publication.media)
    assert any(_is_same(expected, body) for body in received), (sent["body"], received)
    if publication.text and name not in _DRAFTED and "story" not in name:
        assert sent["text"]


@pytest.mark.parametrize("platform", sorted(COMMENTS))
def test_a_first_comment_and_a_description_leave_as_sent_says(
    platform: Platform, store: SandboxHere
) -> None:
    """Where they go by calls of their own, and where they are in the same call."""
    shape = COMMENTS[platform]
    rig = a_rig_for(platform, shape)
    alt = {"alt": "A rye loaf", "alt_text": "A rye loaf"}
    asked = {**rig.shapes[shape].options, **alt, "first_comment": "Open from seven"}
    rig.shapes = {shape: replace(rig.shapes[shape], options=asked)}

    rig.drive(shape).run()
    rig.platform.close()
    sent: Any = sent_json(play(rig, shape, store))

    left = b"".join(unquote_to_bytes(call.body.replace(b"+", b" ")) for call in rig.platform.calls)
    for said, which in (("A rye loaf", "alt_text"), ("Open from seven", "first_comment")):
        assert sent[which] == (said if said.encode() in left else None), which


@pytest.mark.parametrize("name", [name for name in WORLDS if "text" not in name])
def test_the_librarys_words_leave_where_a_preview_shows_them(name: str) -> None:
    world = WORLDS[name]
    rig = world.make()
    publication = rig.shapes[world.shape]
    if publication.media is None:
        rig.platform.close()
        pytest.skip("It has no file.")
    described = replace(publication.media, alt_text="A rye loaf")
    options = {key: of for key, of in publication.options.items() if not key.startswith("alt")}
    rig.shapes = {world.shape: replace(publication, media=described, options=options)}

    rig.drive(world.shape).run()
    rig.platform.close()

    left = b"".join(unquote_to_bytes(call.body.replace(b"+", b" ")) for call in rig.platform.calls)
    shown = alt_text_of(rig.connector.platform, options, described.kind, described.alt_text)
    assert shown == ("A rye loaf" if b"A rye loaf" in left else "")


@pytest.mark.parametrize("name", [name for name in WORLDS if "text" not in name])
def test_the_bytes_kept_are_those_that_would_leave(name: str, store: SandboxHere) -> None:
    world = WORLDS[name]
    rig = world.make()
    media = rig.shapes[world.shape].media
    rig.platform.close()
    if media is None:
        pytest.skip("It has no file.")

    entry = play(rig, world.shape, store)

    kept = find_file(entry, "file", store.files)
    assert kept is not None
    assert kept.place.read_bytes() == media.source.read(0, media.size_bytes)
    assert kept.mime == media.mime
    sent: Any = sent_json(entry)
    assert sent["file"]["url"] == f"/sandbox/posts/{entry.remote_id}/file"
    assert sent["file"]["size_bytes"] == media.size_bytes


def _contents(call: Received) -> Iterator[object]:
    try:
        yield json.loads(call.body)
    except ValueError:
        yield call.form if call.body.isascii() else None


def _with_bytes(body: object, media: MediaFile | None) -> object:
    if media is None or not isinstance(body, dict):
        return body
    encoded = base64.b64encode(media.source.read(0, media.size_bytes)).decode()
    return json.loads(json.dumps(body).replace(_FILE, encoded))


def _is_same(sent: object, received: object) -> bool:
    """Compare two bodies; where the sandbox has a stand-in, the platform's own may stand."""
    match sent, received:
        case dict(), dict():
            same_names = sent.keys() == received.keys()
            return same_names and all(_is_same(sent[key], received[key]) for key in sent)
        case list(), list():
            return len(sent) == len(received) and all(map(_is_same, sent, received))
        case str(), str() if any(sign in sent for sign in _STAND_INS):
            return True
    return sent == received
