"""Refusals played to the sandbox, as each platform spells them: `sandbox:answer` in a caption."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import cast

from chalicelib.connectors.sandbox.connector import SandboxConnector, SandboxStore
from chalicelib.domain.outcome import Checkpoint, Outcome, Unanswered, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.error_mapping import answer_of
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.rig import Rig
from tests.support.asked_answers import answered

SHAPES = {Platform.YOUTUBE: "video", Platform.REDDIT: "text"}
SAID_LATER = 200
"""With this status a sample is what is said of a post later: its visible call was fine."""

_MOST_PLAYS = 60


@cache
def closed_rig(platform: Platform) -> Rig:
    """Return a platform's rig to read from; nobody calls its platform."""
    rig = a_rig_for(platform, SHAPES.get(platform, "photo"))
    rig.platform.close()
    return rig


def answering(status: int, body: bytes, headers: Mapping[str, str] | None = None) -> str:
    """Return a caption that asks for an answer."""
    return answered(status, body, (headers or {}).get("Retry-After", ""))


def play(platform: Platform, caption: str) -> Outcome:
    """Play the answer until it ends, some dozens of times at most; return that, or the doubt."""
    rig = closed_rig(platform)
    store = cast("SandboxStore", None)  # an answer that is played takes nothing
    sandbox = SandboxConnector(platform, store, "http://h", rules=rig.connector)
    publication = rig.shapes[SHAPES.get(platform, "photo")]
    asked = replace(publication, text=caption, now=rig.clock())
    outcome: Outcome = Wait(Checkpoint("publish"))
    for _ in range(_MOST_PLAYS):
        if not isinstance(outcome, Wait | Unanswered):
            break
        doubt = outcome.checkpoint
        outcome = answer_of(lambda at=doubt: sandbox.advance(asked, at), doubt=doubt)  # type: ignore[misc]  # at once
    return outcome
