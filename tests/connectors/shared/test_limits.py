"""Accounts that post a lot: lists that lag, days that are full, answers that get lost. Seeded."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.every_rig import RIGS
from tests.connectors.support.fake_platform import FakePlatform
from tests.connectors.support.limits import Limits
from tests.connectors.support.rig import Rig

POSTS = 4
FULL_AFTER = 3
KIND = {Platform.TIKTOK: "video", Platform.YOUTUBE: "video"}
"""What is posted: a photo, where one can be found again."""


@pytest.fixture(params=list(Platform), ids=str)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    made = RIGS[request.param]()
    yield made
    made.platform.close()


def _post(rig: Rig, number: int) -> Done | Failed:
    """Publish one of several posts, each with a text and an id of its own."""
    shape = KIND.get(rig.account.platform, "photo")
    publication = rig.shapes[shape]
    rig.shapes = {
        **rig.shapes,
        shape: replace(
            publication,
            text=f"Rye number {number}",
            target_id=f"{number:032x}",
            due_at=rig.clock(),
        ),
    }
    end = rig.drive(shape).run()
    rig.shapes = {**rig.shapes, shape: publication}
    return end


def _limited(rig: Rig, seed: int) -> Limits:
    limits = Limits.of(rig.account.platform, seed=seed, posts=FULL_AFTER)
    rig.platform.limits = limits
    return limits


def _play(rig: Rig, seed: int) -> None:
    """Publish some posts, lose the answers that the seed says, and hold each end to the truth."""
    fake, chance, limits = rig.platform, Random(seed), _limited(rig, seed)
    for number in range(POSTS):
        before = set(fake.posts)
        fake.loses_next_post = chance.random() < 0.5

        end = _post(rig, number)

        _assert_true(fake, end, before, f"seed {seed}, post {number}")
        fake.loses_next_post = False
    assert limits.refusals > 0 or len(fake.posts) == POSTS


def _assert_true(fake: FakePlatform, end: Done | Failed, before: set[str], what: str) -> None:
    made = set(fake.posts) - before
    if isinstance(end, Done):
        assert made == {end.remote_id}, (what, end, made)
    elif end.code == FailureCode.OUTCOME_UNKNOWN:
        assert len(made) <= 1, (what, end, made)
    else:
        assert end.code == FailureCode.RATE_LIMITED, (what, end)
        assert made == set(), (what, end, made)


def test_a_full_day_is_told_as_a_limit_and_nothing_goes_out(rig: Rig) -> None:
    limits = Limits.of(rig.account.platform, seed=1, posts=0)
    rig.platform.limits = limits

    end = _post(rig, 1)

    assert isinstance(end, Failed)
    assert end.code == FailureCode.RATE_LIMITED, end
    assert (limits.refusals > 0, rig.platform.posts) == (True, {})


def test_posts_of_a_busy_account_go_out_once_or_are_refused(rig: Rig) -> None:
    _play(rig, seed=7)


@pytest.mark.parametrize("platform", [Platform.X, Platform.LINKEDIN], ids=str)
def test_the_same_text_is_refused_for_some_hours_and_then_taken(platform: Platform) -> None:
    rig = RIGS[platform]()
    first, again = rig.drive("text").run(), rig.drive("text").run()
    rig.clock.pass_time(timedelta(hours=25))
    later = rig.drive("text").run()

    rig.platform.close()
    assert isinstance(again, Failed)
    assert again.code == FailureCode.DUPLICATE_CONTENT
    assert (isinstance(first, Done), isinstance(later, Done)) == (True, True)
    assert len(rig.platform.posts) == 2


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(40))
def test_many_busy_accounts(rig: Rig, seed: int) -> None:
    _play(rig, seed)
