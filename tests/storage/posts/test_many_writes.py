"""Posts that take more rows than a transaction has: refused in a sentence, and nothing is kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.posts.drafting import MOST_TARGETS
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.tables import Tables
from tests.support.builders import a_post, a_target
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON


def test_a_new_post_of_too_many_covers_and_times_is_refused_in_a_sentence(
    emulator: EmulatorProcess,
) -> None:
    """The composer makes and schedules a post at once, each account with its cover and its time."""
    settings = make_resources(emulator.endpoint)
    tables = Tables(
        posts=settings.posts_table,
        directory=settings.directory_table,
        media=settings.media_table,
    )
    posts = PostRepository(a_client("dynamodb", settings.dynamodb_url), tables)
    targets = tuple(
        replace(
            a_target(status=TargetStatus.SCHEDULED),
            id=f"{number:032x}",
            scheduled_at=NOON + timedelta(days=number),
            options={"cover_media_id": f"{number:032x}"},
        )
        for number in range(MOST_TARGETS)
    )

    with pytest.raises(InvalidInput, match="too many targets and times"):
        posts.add(replace(a_post(), targets=targets), events=())
