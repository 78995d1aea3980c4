"""A network on the way answers in a platform's place while a post that is out is looked for.

The post's answer was lost, and the platform shows the post: whoever takes the network's answer for
an empty list, or for a refusal of the platform's own, sends it a second time.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.shared.calls.stand_ins import answer_calls
from chalicelib.domain.engine.verdicts import DOUBT_TIMEOUT
from chalicelib.domain.outcome import Checkpoint, Failed, Reconciliation, Sent, Unanswered, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import PlatformResponse
from chalicelib.workers.publishing.error_mapping import answer_of
from tests.connectors.support.driving import Drive
from tests.connectors.support.every_rig import RIGS
from tests.connectors.support.rig import Rig

PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome.</body></html>"
FOREIGN = json.dumps({"login": "required", "url": "https://portal.test"}).encode()
STATED = json.dumps({"status": 403, "reason": "blocked by policy"}).encode()
TO_THE_PORTAL = {"Location": "https://portal.test/"}
BETWEEN = {
    "a sign-in page": PlatformResponse(status=200, headers={}, body=PAGE),
    "nothing": PlatformResponse(status=200, headers={}, body=b""),
    "nothing, and so it says": PlatformResponse(status=204, headers={}, body=b""),
    "JSON of another kind": PlatformResponse(status=200, headers={}, body=FOREIGN),
    "a list": PlatformResponse(status=200, headers={}, body=b"[]"),
    **{
        f"a redirect with {status}": PlatformResponse(
            status=status, headers=TO_THE_PORTAL, body=body
        )
        for status, body in ((302, b""), (303, PAGE), (307, b""), (308, b""))
    },
    **{
        f"{what} with {status}": PlatformResponse(status=status, headers={}, body=body)
        for status in (400, 401, 403, 404, 410, 503, 511)
        for what, body in (("a page", PAGE), ("nothing", b""), ("words", b"Blocked"))
    },
    "JSON of another kind with 403": PlatformResponse(status=403, headers={}, body=FOREIGN),
    "JSON of another kind with 404": PlatformResponse(status=404, headers={}, body=FOREIGN),
    "JSON with its status": PlatformResponse(status=403, headers={}, body=STATED),
}
SHAPES = {Platform.YOUTUBE: ("video",), Platform.LINKEDIN: ("text", "photo")}
CASES = [(platform, shape) for platform in Platform for shape in SHAPES.get(platform, ("photo",))]


def _lose_answer(rig: Rig, shape: str) -> Drive:
    """Return a target whose post is out, while nobody here knows."""
    rig.platform.loses_next_post = True
    drive = rig.drive(shape)
    while not (drive.unanswered and rig.platform.posts):
        assert drive.step() is None
    return drive


def _looks(
    rig: Rig, drive: Drive, checkpoint: Checkpoint, sent: Sent, between: PlatformResponse
) -> Iterator[Reconciliation | Failed | Unanswered]:
    """Yield what each look says, as long as the engine looks and a look says that one follows."""
    began = rig.clock()
    while rig.clock() <= began + DOUBT_TIMEOUT:
        asked = replace(drive.publication, now=rig.clock())
        with answer_calls(lambda _: between):
            finding = answer_of(
                lambda asked=asked, at=checkpoint: drive.connector.reconcile(asked, at, sent)  # type: ignore[misc]  # at once
            )
        yield finding
        pause = timedelta(seconds=30)
        if isinstance(finding, Wait):
            checkpoint, pause = finding.checkpoint, finding.delay
        rig.clock.pass_time(max(pause, timedelta(seconds=1)))


@pytest.mark.costly
@pytest.mark.parametrize(("platform", "shape"), CASES, ids=[f"{p}-{s}" for p, s in CASES])
def test_what_a_network_says_in_a_platforms_place_proves_nothing_of_a_post(
    platform: Platform, shape: str
) -> None:
    rig = RIGS[platform]()
    drive = _lose_answer(rig, shape)
    rig.platform.close()
    lost_at, checkpoint, sent = rig.clock(), drive.checkpoint, drive.sent
    assert checkpoint is not None
    assert sent is not None

    said = {}
    for what, between in BETWEEN.items():
        rig.clock.now = lost_at
        said[what] = {type(one).__name__ for one in _looks(rig, drive, checkpoint, sent, between)}

    proving = {"Absent", "Unknown", "Done"}
    assert {what: kinds & proving for what, kinds in said.items() if kinds & proving} == {}
