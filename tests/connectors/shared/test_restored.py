"""What a restored backup forgot is not sent again, and what did not go out is, on each platform."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from chalicelib.connectors.connector import ListsPosts, Posted, Publication
from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.engine.failures import UNACCOUNTED
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Reconciliation, Sent, Unknown, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.workers.publishing.reconciling import reconcile_restored
from tests.api.http_room import Document
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.shared.backups import Backup, pass_time
from tests.connectors.shared.every_platform import World, a_world
from tests.connectors.support.every_rig import RIGS
from tests.connectors.support.rig import Rig
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON

KIND = {Platform.YOUTUBE: "video"}
KINDS = ("photo", "video")
BY_OWN_KEY, UNLISTED = Platform.BLUESKY, Platform.TIKTOK
LISTED = [one for one in Platform if one not in (BY_OWN_KEY, UNLISTED)]
GAP = timedelta(hours=2)
"""From the backup at noon to the restore."""

SENT = Sent(text="Rye", media_ids=(), at=NOON, not_after=NOON + GAP)
BEFORE, MEANWHILE, AFTER = (NOON + timedelta(hours=hours) for hours in (-5, 1, 3))


@pytest.fixture(params=LISTED, ids=str)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    made = RIGS[request.param]()
    yield made
    made.platform.close()


def _listed(rig: Rig, shape: str, since: datetime) -> list[Posted] | None:
    assert isinstance(rig.connector, ListsPosts)
    account = rig.keeper.sign_in(rig.account, rig.connector)
    publication = replace(rig.shapes[shape], account=account, now=rig.clock())
    return rig.connector.list_posts(publication, since)


def test_an_account_s_list_shows_what_was_posted_and_when(rig: Rig) -> None:
    shape = KIND.get(rig.account.platform, "photo")
    began = rig.clock()
    end = rig.drive(shape).run()
    assert isinstance(end, Done)
    rig.clock.pass_time(timedelta(hours=1))

    found = _listed(rig, shape, began)

    assert found is not None
    (only,) = [post for post in found if end.remote_id in post.ids]
    assert only.live.url
    assert only.made is not None
    assert abs(only.made - began) < timedelta(minutes=10)


def test_these_platforms_list_what_an_account_has_posted() -> None:
    connectors = real_connectors({}, system_clock)

    assert LISTED == [one for one in Platform if isinstance(connectors[one], ListsPosts)]


def test_a_linkedin_member_s_posts_are_listed_to_nobody() -> None:
    member = a_linkedin_rig(MEMBER)

    found = _listed(member, "text", NOON)

    member.platform.close()
    assert found is None


@dataclass(frozen=True, slots=True)
class _Account:
    """What an account's list shows."""

    shown: list[Posted] | None

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return it."""
        del publication, since
        return self.shown


def _post(name: str, made: datetime | None) -> Posted:
    return Posted(live=Done(remote_id=name, url=None), made=made)


def _verdict(shown: list[Posted] | None, *known: str, hours: float = 4) -> Reconciliation:
    x = RIGS[Platform.X]()
    publication = replace(x.shapes["text"], now=NOON + timedelta(hours=hours))
    x.platform.close()

    def owners(platform: Platform, names: Sequence[str]) -> dict[str, str]:
        assert platform is Platform.X
        return {name: "another" for name in names if name in known} | {
            name: publication.target_id for name in names if name == "its own"
        }

    return reconcile_restored(_Account(shown), publication, Checkpoint("restored"), SENT, owners)


ACCOUNTS = {
    "no list": (None, Unknown()),
    "an empty list": ([], Unknown()),
    "only posts of others": ([_post("b", BEFORE)], Unknown()),
    "all known": ([_post("a", MEANWHILE), _post("b", BEFORE)], Absent()),
    "one unknown of that time": ([_post("a", AFTER), _post("c", MEANWHILE)], Unknown()),
    "one unknown without a time": ([_post("a", AFTER), _post("c", None)], Unknown()),
    "unknown ones of other times": ([_post("a", AFTER), _post("c", BEFORE)], Absent()),
    "the target's own": ([_post("its own", MEANWHILE)], Done(remote_id="its own", url=None)),
}


@pytest.mark.parametrize("case", ACCOUNTS)
def test_absence_is_believed_where_every_post_is_accounted_for(case: str) -> None:
    shown, expected = ACCOUNTS[case]

    assert _verdict(shown, "a") == expected


def test_a_list_without_a_newer_post_is_given_half_an_hour() -> None:
    old, newer = [_post("a", BEFORE)], [_post("a", NOON + GAP + timedelta(minutes=2))]

    early, late = _verdict(old, "a", hours=2.1), _verdict(old, "a", hours=2.6)

    assert isinstance(early, Wait)
    assert (late, _verdict(newer, "a", hours=2.1)) == (Absent(), Absent())


@pytest.fixture(scope="module")
def world(emulator: EmulatorProcess) -> Iterator[World]:
    made = a_world(emulator)
    yield made
    made.close()


SOME = [Platform.X, BY_OWN_KEY, UNLISTED]
on_platforms = pytest.mark.parametrize(
    "platforms",
    [
        pytest.param(SOME, id="one of each sort"),
        pytest.param(list(Platform), id="all", marks=pytest.mark.prove),
    ],
)


def _by_kind(platforms: list[Platform]) -> dict[str, list[Platform]]:
    """Return the platforms by what is posted to them."""
    kinds = {kind: [one for one in platforms if KIND.get(one, "photo") == kind] for kind in KINDS}
    return {kind: some for kind, some in kinds.items() if some}


def _publish(world: World, platforms: list[Platform]) -> None:
    for kind, some in _by_kind(platforms).items():
        assert world.publish(kind, *some)["status"] == "published"


def _scheduled(world: World, platforms: list[Platform]) -> list[Document]:
    posts = [world.draft(kind, *some) for kind, some in _by_kind(platforms).items()]
    for post in posts:
        at = world.room.in_(minutes=180)
        assert world.room.act(post, "schedule", {"at": at}).status == 200
    return posts


def _ends(world: World, posts: list[Document]) -> dict[str, str | None]:
    pass_time(world, timedelta(hours=4))
    targets = [target for post in posts for target in world.room.show(post)["targets"]]
    return {target["platform"]: target["error_code"] or target["status"] for target in targets}


@on_platforms
def test_what_was_edited_and_sent_after_the_backup_is_not_sent_again(
    world: World, platforms: list[Platform]
) -> None:
    _publish(world, platforms)
    posts, backup = _scheduled(world, platforms), Backup.of(world)
    for post in posts:
        assert world.room.patch(post, {"caption": "Better words"}).status == 200
        assert world.room.act(post, "publish-now").status == 200
    world.room.pass_time(timedelta(minutes=5))
    before = {platform: world.visible(platform) for platform in platforms}

    backup.restore()
    ends = _ends(world, posts)

    assert {platform: world.visible(platform) for platform in platforms} == before
    assert ends.pop(BY_OWN_KEY) == "published"
    assert set(ends.values()) == {"outcome_unknown"}
    told = {one["error_message"] for post in posts for one in world.room.show(post)["targets"]}
    assert told == {None, UNACCOUNTED.message}


@on_platforms
def test_what_did_not_go_out_goes_out_once_where_a_list_can_tell(
    world: World, platforms: list[Platform]
) -> None:
    _publish(world, platforms)
    posts, backup = _scheduled(world, platforms), Backup.of(world)
    before = {platform: len(world.visible(platform)) for platform in platforms}

    world.room.house.clock.pass_time(timedelta(hours=1))
    backup.restore()
    world.room.pass_time(timedelta(minutes=1))
    _publish(world, platforms)
    ends = _ends(world, posts)

    made = {platform: len(world.visible(platform)) - before[platform] for platform in platforms}
    assert ends.pop(UNLISTED) == "outcome_unknown"
    assert made.pop(UNLISTED) == 1
    assert {platform: end for platform, end in ends.items() if end != "published"} == {}
    assert set(made.values()) == {2}
