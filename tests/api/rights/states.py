"""Posts on X and Bluesky in the six states of the table of edits (`tests/support/rights`)."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.verbs import Update
from tests.api.http_room import Document, Room

FAILS = "Bread sandbox:fail:media_rejected"


def half_scheduled(room: Room) -> Document:
    """Schedule one target of two, as when the account of the other was away for a while."""
    post = room.draft("x", "bluesky")
    deployment = room.house.deployment
    owner = deployment.workspace.authentication.authenticate(f"Bearer {room.key}")
    now = room.house.clock()

    def schedule_first(before: Post) -> Update:
        first = before.targets[0].schedule(now + timedelta(hours=1), now=now, lead=timedelta(0))
        return Update(after=before.with_targets([first]))

    deployment.posting.updates.carry_out(owner, post["id"], schedule_first)
    return room.show(post)


def live_and_scheduled(room: Room) -> Document:
    post = room.sent("x")
    room.patch(post, {"add": [{"account_id": room.account("bluesky")}]})
    return room.act(post, "schedule", {"at": room.in_(hours=1)}).json


def cancelled(room: Room) -> Document:
    return room.act(room.scheduled("x", "bluesky"), "cancel").json


MAKE: Mapping[str, Callable[[Room], Document]] = {
    "draft": lambda room: room.draft("x", "bluesky"),
    "scheduled": lambda room: room.scheduled("x", "bluesky"),
    "half": half_scheduled,
    "live": live_and_scheduled,
    "cancelled": cancelled,
    "failed": lambda room: room.sent("x", "bluesky", caption=FAILS),
}
STATUSES = {
    "draft": ["draft", "draft"],
    "scheduled": ["scheduled", "scheduled"],
    "half": ["scheduled", "draft"],
    "live": ["published", "scheduled"],
    "cancelled": ["cancelled", "cancelled"],
    "failed": ["failed", "failed"],
}
