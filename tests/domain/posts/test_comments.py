"""Comments: threads with replies, what reviewers see, who is mentioned and told."""

from datetime import timedelta

import pytest

from chalicelib.domain.posts.comments import (
    MOST_COMMENTS,
    CommentNotFound,
    comments_of,
    mentioned_names,
    open_thread,
    recipients,
    require_room,
    shared_comments,
)
from chalicelib.domain.posts.history import Action, Event, event
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.workspaces import Member
from tests.support.frozen_clock import NOON


def a_member(name: str) -> Member:
    return Member(
        id=name.lower(),
        workspace_id="w",
        name=name,
        role=Role.EDITOR,
        timezone="UTC",
        created_at=NOON,
    )


ADA, GRACE, HOPPER = a_member("Ada"), a_member("Grace"), a_member("Grace Hopper")
EVERYBODY = (ADA, GRACE, HOPPER)


def said(text: str, by: str = "Ada", *, minute: int = 0, **detail: object) -> Event:
    at = NOON + timedelta(minutes=minute)
    return event(Action.COMMENTED, by, at, {"comment": text, **detail})  # type: ignore[dict-item]


def test_replies_stand_under_what_they_answer() -> None:
    first, other = said("Rye?"), said("Spelt?", minute=1)
    reply = said("Rye.", "Grace", minute=2, reply_to=first.id)

    threads = comments_of([first, other, reply])

    assert [(one.text, [each.text for each in one.replies]) for one in threads] == [
        ("Rye?", ["Rye."]),
        ("Spelt?", []),
    ]


def test_a_thread_is_open_until_it_is_resolved() -> None:
    first = said("Rye?")
    reply = said("Rye.", reply_to=first.id)
    resolved = event(Action.RESOLVED, "Ada", NOON, {"comment_id": first.id})

    assert open_thread(comments_of([first, reply]), first.id).text == "Rye?"
    for events, name in (([first, reply], reply.id), ([first, resolved], first.id), ([], "")):
        with pytest.raises(CommentNotFound):
            open_thread(comments_of(events), name)


def test_reviewers_see_what_is_shared_and_open() -> None:
    ours, shared, settled = said("Ours"), said("Yours", shared=True), said("Past", shared=True)
    resolved = event(Action.RESOLVED, "Ada", NOON, {"comment_id": settled.id})

    seen = shared_comments(comments_of([ours, shared, settled, resolved]))

    assert [one.text for one in seen] == ["Yours"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Ada please", {"Ada"}),
        ("please @ada.", {"Ada"}),
        ("@Grace Hopper and @Ada", {"Grace Hopper", "Ada"}),
        ("@Grace and @Grace Hopper", {"Grace", "Grace Hopper"}),
        ("ada@Ada.example", set()),
        ("@Adam", set()),
        ("Ada", set()),
        ("@" * 2_000, set()),
    ],
)
def test_who_is_mentioned(text: str, expected: set[str]) -> None:
    assert mentioned_names(text, [one.name for one in EVERYBODY]) == expected


def test_author_mentioned_and_who_spoke_before_are_told_and_never_who_speaks() -> None:
    first = said("Rye?", "Grace")
    (thread,) = comments_of([first])

    assert recipients("Good", None, author="Ada", by="Grace", members=EVERYBODY) == ["ada"]
    assert recipients("Good", thread, author="Ada", by="Ada", members=EVERYBODY) == ["grace"]
    assert recipients("@Ada", None, author="Ada", by="Ada", members=EVERYBODY) == []
    assert recipients(
        "@Grace Hopper", None, author="x", by="Client (review link)", members=EVERYBODY
    ) == ["grace hopper"]


def test_replies_count_among_a_posts_comments() -> None:
    first = said("Rye?")
    replies = [said("Rye.", reply_to=first.id) for _ in range(MOST_COMMENTS - 1)]

    require_room(comments_of([first, *replies[1:]]))
    with pytest.raises(Exception, match="at most 200"):
        require_room(comments_of([first, *replies]))
