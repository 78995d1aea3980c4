"""How long tokens last is what each platform says, and nothing that it says may lose the tokens."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import RefreshesTokens, as_connected
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.every_rig import RIGS
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received
from tests.connectors.support.rig import Rig

HOSTILE: tuple[object, ...] = (
    *(10**30, 10**12, -(10**12), -1, True, None, [], {}, "", "²", "soon"),
    *("9" * 5000, 1e30, float("nan"), float("inf"), float("-inf")),
)
LIVES = frozenset({"expires_in", "refresh_token_expires_in", "refresh_expires_in"})
BY_ITSELF = {Platform.BLUESKY, Platform.FACEBOOK}
"""A session's token itself says when it ends, and a Page's has no end."""

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("told", "unit", "read"),
    [
        (90, timedelta(seconds=1), timedelta(seconds=90)),
        ("90", MINUTE, timedelta(minutes=90)),
        (1.5, MINUTE, timedelta(seconds=90)),
        (0, MINUTE, timedelta(0)),
        (10**9 - 1, timedelta(seconds=1), timedelta(seconds=10**9 - 1)),
        (10**9 - 1, MINUTE, None),
        *((told, MINUTE, None) for told in HOSTILE),
    ],
)
def test_a_time_is_read_from_an_answer(
    told: object, unit: timedelta, read: timedelta | None
) -> None:
    assert span(told, unit) == read


@dataclass(slots=True)
class Speech:
    """What a platform says of how long tokens last, and how often it was said."""

    life: object = None
    times: int = 0

    def put_into(self, platform: FakePlatform) -> None:
        """Let each answer tell this wherever it tells how long tokens last."""
        answer = platform.answer

        def altered(call: Received) -> Answer:
            given = answer(call)
            if not isinstance(given.body, dict) or not LIVES & set(given.body):
                return given
            self.times += 1
            told = dict.fromkeys(LIVES & set(given.body), self.life)
            return Answer(given.status, json.dumps({**given.body, **told}).encode(), given.headers)

        platform.answer = altered  # type: ignore[method-assign]


@pytest.fixture(params=[one for one in Platform if one not in BY_ITSELF], ids=str)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    made = RIGS[request.param]()
    yield made
    made.platform.close()


def test_a_life_that_is_no_time_loses_no_token(rig: Rig) -> None:
    assert isinstance(rig.connector, RefreshesTokens)
    account, tokens, speech = as_connected(rig.account), rig.tokens, Speech()
    speech.put_into(rig.platform)

    for life in HOSTILE:
        speech.life = life
        tokens = rig.connector.refresh(account, tokens, rig.clock())

        assert tokens.access
        assert tokens.expires_at is None

    assert speech.times == len(HOSTILE)
