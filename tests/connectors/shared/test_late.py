"""What a snapshot forgot is looked for before it is sent late: where it is found, where not.

A new platform says its answer in `SENT_AGAIN`; docs/server.md says it to people.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.domain.platforms.platform import Platform
from tests.api.http_room import Document
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.shared.backups import Backup, pass_time
from tests.connectors.shared.every_platform import World, a_world
from tests.support.emulator import EmulatorProcess

TEXT = " Rye & spelt, cafe\u0301 \u2764\ufe0f #bread @nora\n\nBaked today\u2026  \n"
"""With what platforms may spell otherwise when they show it: spaces, signs of HTML, an emoji."""

PHOTO, VIDEO, BOTH = frozenset({"photo"}), frozenset({"video"}), frozenset({"photo", "video"})
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Again:
    """Which kinds of posts are sent a second time, by what the snapshot has of them.

    That is a text, no text, or no text but what was uploaded for it.
    """

    with_text: frozenset[str] = NOTHING
    without_text: frozenset[str] = NOTHING
    uploaded: frozenset[str] = NOTHING


SENT_AGAIN: Mapping[Platform, Again] = {
    # Its record has a key that is the target's own.
    Platform.BLUESKY: Again(),
    # A title is taken from the text, or must be given.
    Platform.REDDIT: Again(),
    # Its list does not show photos.
    Platform.TIKTOK: Again(with_text=PHOTO, without_text=BOTH, uploaded=PHOTO),
    # It fetches the photo itself, so that nothing of it is uploaded.
    Platform.GOOGLE_BUSINESS_PROFILE: Again(without_text=PHOTO, uploaded=PHOTO),
    Platform.YOUTUBE: Again(without_text=VIDEO),
    Platform.FACEBOOK: Again(without_text=BOTH),
    Platform.INSTAGRAM: Again(without_text=BOTH),
    Platform.LINKEDIN: Again(without_text=BOTH),
    # Its lists do not tell from which upload a pin was made.
    Platform.PINTEREST: Again(without_text=BOTH, uploaded=BOTH),
    Platform.THREADS: Again(without_text=BOTH),
    Platform.X: Again(without_text=BOTH),
}
NEEDS_WORDS = {Platform.REDDIT}
REFUSE_TWINS = {Platform.X}
KINDS = {
    Platform.GOOGLE_BUSINESS_PROFILE: ("text", "photo"),
    Platform.INSTAGRAM: ("photo", "video"),
    Platform.PINTEREST: ("photo", "video"),
    Platform.TIKTOK: ("photo", "video"),
    Platform.YOUTUBE: ("video",),
}
EVERY_KIND = ("text", "photo", "video")


@pytest.fixture
def world(emulator: EmulatorProcess) -> Iterator[World]:
    made = a_world(emulator)
    yield made
    made.close()


Sent = Mapping[tuple[Platform, str], Document]


def _scheduled(world: World, text: str, platforms: Iterable[Platform] = Platform) -> Sent:
    """Schedule a post of each kind that a platform takes, in an hour."""
    kinds = [(one, kind) for one in platforms for kind in KINDS.get(one, EVERY_KIND)]
    takes = [one for one in kinds if text or (one[1] != "text" and one[0] not in NEEDS_WORDS)]
    return {(one, kind): _one(world, one, kind, text) for one, kind in takes}


def _one(world: World, platform: Platform, kind: str, text: str, minutes: int = 60) -> Document:
    post = world.draft(kind, platform, caption=text and f"A {kind}. {text}")
    answer = world.room.act(post, "schedule", {"at": world.room.in_(minutes=minutes)})
    assert answer.status == 200, answer
    return post


def _sent_again(world: World, posts: Sent, backup: Backup) -> Mapping[Platform, set[str]]:
    """Let them go out, put the rows back, and return what then goes out once more."""
    pass_time(world, timedelta(hours=2))
    assert {world.room.show(post)["status"] for post in posts.values()} == {"published"}
    before = {platform: set(world.visible(platform)) for platform, _ in posts}

    backup.put_back()
    pass_time(world, timedelta(hours=4))

    made = {platform: set(world.visible(platform)) - ids for platform, ids in before.items()}
    again: dict[Platform, set[str]] = {platform: set() for platform, _ in posts}
    for (platform, kind), post in posts.items():
        if _remote_id(world, post) in made[platform]:
            again[platform].add(kind)
    assert sum(map(len, made.values())) == sum(map(len, again.values()))
    return again


def _remote_id(world: World, post: Document) -> str | None:
    kept = world.room.house.deployment.stores.posts.get_any(post["id"])
    return kept.targets[0].remote_id


def test_every_platform_says_what_is_sent_again() -> None:
    assert set(SENT_AGAIN) == set(Platform), 'step 5 of "Adding a platform" in CONTRIBUTING.md'


@pytest.mark.costly
@pytest.mark.parametrize("minutes", [0, 55], ids=["not begun", "uploaded"])
def test_a_late_post_with_a_text_is_found(world: World, minutes: int) -> None:
    posts = _scheduled(world, TEXT)
    pass_time(world, timedelta(minutes=minutes))

    again = _sent_again(world, posts, Backup.of(world))

    assert again == {one: SENT_AGAIN[one].with_text for one in Platform}


@pytest.mark.costly
def test_a_late_post_without_a_text_is_not_looked_for_among_others(world: World) -> None:
    posts = _scheduled(world, "")

    again = _sent_again(world, posts, Backup.of(world))

    assert again == {one: SENT_AGAIN[one].without_text for one, _ in posts}


@pytest.mark.costly
def test_a_late_post_without_a_text_is_found_by_what_was_uploaded_for_it(world: World) -> None:
    posts = _scheduled(world, "")
    pass_time(world, timedelta(minutes=55))

    again = _sent_again(world, posts, Backup.of(world))

    assert again == {one: SENT_AGAIN[one].uploaded for one, _ in posts}


@pytest.mark.costly
@pytest.mark.parametrize("text", ["", TEXT], ids=["without a text", "with another text"])
def test_nobody_else_s_post_is_taken_for_a_late_one(world: World, text: str) -> None:
    """Somebody posts in the app in the hours of the outage; here it is a post of no backup."""
    posts = _scheduled(world, text)
    backup = Backup.of(world)
    for post in posts.values():
        assert world.room.act(post, "cancel").status == 200
    world.room.house.clock.pass_time(timedelta(minutes=65))
    for platform, kind in posts:
        others = world.publish(kind, platform, caption=text and f"No {kind}")
        assert others["status"] == "published", (platform, others)
    theirs = {platform: set(world.visible(platform)) for platform, _ in posts}

    backup.put_back()
    pass_time(world, timedelta(hours=4))

    sent = {world.room.show(post)["status"] for post in posts.values()}
    taken = [key for key, post in posts.items() if _remote_id(world, post) in theirs[key[0]]]
    assert (sent, taken) == ({"published"}, [])


@pytest.mark.costly
def test_late_posts_with_one_text_are_told_apart_by_their_times(world: World) -> None:
    """A series says the same every day, and a snapshot may be older than a day."""
    kinds = {one: KINDS.get(one, EVERY_KIND)[-1] for one in Platform if one not in REFUSE_TWINS}
    twins = {
        (platform, minutes): _one(world, platform, kind, TEXT, minutes)
        for platform, kind in kinds.items()
        for minutes in (60, 180)
    }
    backup = Backup.of(world)
    pass_time(world, timedelta(hours=4))
    before = {key: _remote_id(world, post) for key, post in twins.items()}

    backup.put_back()
    pass_time(world, timedelta(hours=4))

    assert {key: _remote_id(world, post) for key, post in twins.items()} == before


@pytest.mark.costly
def test_a_linkedin_member_s_late_post_is_found_only_as_a_duplicate(
    emulator: EmulatorProcess,
) -> None:
    """Nobody lists a member's posts: LinkedIn refuses the same text, and the same uploaded file."""
    world = a_world(emulator, {Platform.LINKEDIN: a_linkedin_rig(MEMBER)})
    posts = _scheduled(world, TEXT, [Platform.LINKEDIN])

    again = _sent_again(world, posts, Backup.of(world))

    world.close()
    assert again == {Platform.LINKEDIN: BOTH}
