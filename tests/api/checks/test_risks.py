"""target.at_risk: what will go wrong is told before its time, once; nothing is stopped."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.target import CHECK_AHEAD
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import Health, SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.wake_queue import read_wake_message
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.workers.dispatcher import EVERY, Dispatcher
from tests.api.http_house import a_house
from tests.api.http_room import Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import Clip, encode, samples
from tests.workers.test_dispatcher import Mark, SpyQueue


def _told(room: Room, post: Document) -> list[tuple[str, str]]:
    """Return the target and the code of each event that tells of a risk."""
    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    risks = [event["detail"] for event in events if event["action"] == "target.at_risk"]
    return [(detail["target_id"], detail["code"]) for detail in risks]


def _long_video(room: Room) -> Document:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    return room.scheduled("x", at=room.in_(hours=1), media_ids=[video])


def _checks(room: Room) -> list[TargetRef]:
    """Return the check of each target that the workspace has scheduled, as a tick sends it."""
    return [
        replace(ref, wake_at=ref.wake_at - CHECK_AHEAD, kind=MessageKind.TICK_CHECK)
        for ref in room.waking(room.house.clock() + timedelta(days=1))
    ]


def _check(room: Room) -> list[int]:
    """Check all that the workspace has scheduled, as messages ask for it; return what each told."""
    return [room.house.deployment.checking.risks.check(ref) for ref in _checks(room)]


@contextmanager
def _readings(room: Room) -> Iterator[list[bool]]:
    """Note of each reading of rows whether it was consistent."""
    consistent: list[bool] = []

    def note(params: Mapping[str, Any], model: object, **_: object) -> None:
        if getattr(model, "name", "") in {"GetItem", "Query", "BatchGetItem"}:
            asked = params.get("RequestItems", {"": params})
            consistent.extend(bool(one.get("ConsistentRead")) for one in asked.values())

    events = room.house.deployment.clients.dynamodb.meta.events
    events.register("before-parameter-build.dynamodb", note)
    try:
        yield consistent
    finally:
        events.unregister("before-parameter-build.dynamodb", note)


def test_what_will_fail_is_told_a_quarter_of_an_hour_ahead(room: Room) -> None:
    post = _long_video(room)

    _check(room)
    before = _told(room, post)
    room.house.clock.pass_time(timedelta(minutes=45))
    _check(room)

    assert [] == before
    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


def test_a_problem_is_told_once(room: Room) -> None:
    post = _long_video(room)
    room.house.clock.pass_time(timedelta(minutes=45))

    told = [_check(room), _check(room)]

    assert [[1], [0]] == told
    assert 1 == len(_told(room, post))


def test_a_post_without_a_problem_is_not_at_risk(room: Room) -> None:
    post = room.scheduled("x", at=room.in_(minutes=10))

    _check(room)

    assert [] == _told(room, post)


def test_a_sign_in_that_breaks_is_told_at_once_for_all_that_is_scheduled(room: Room) -> None:
    far = room.scheduled("x", "linkedin", at=room.in_(days=20))
    draft = room.draft("x")

    room.house.operator.people.connections.set_health(room.account("x"), Health.BROKEN)

    assert [(far["targets"][0]["id"], "auth_expired")] == _told(room, far)
    assert [] == _told(room, draft)


def test_a_sign_in_that_ends_before_a_post_is_told_a_week_ahead(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    """LinkedIn's ends a year after it began: its tokens can be renewed until then, not beyond."""
    house = a_house(emulator, tmp_path)
    real = real_connectors({}, house.clock)
    house.deployment.connectors = Connectors(sandbox=house.deployment.connectors.sandbox, real=real)
    room, now = house.room(), house.clock()
    tokens = Tokens(
        access="AT1",
        refresh="RT1",
        expires_at=now + timedelta(days=6),
        ends_at=now + timedelta(days=6),
    )
    sign_in = SignIn(
        platform=Platform.LINKEDIN, handle="Nora", remote_identity="urn:li:person:1", tokens=tokens
    )
    account = house.operator.people.connections.connect(room.workspace_id, sign_in)
    late = _scheduled_on(room, account.id, days=9)
    early = _scheduled_on(room, account.id, days=5)

    house.deployment.upkeep.token_renewal.run()

    (problem,) = room.post(f"/v1/posts/{late['id']}/check").json["data"]
    assert [] == _told(room, early)
    assert [(late["targets"][0]["id"], "auth_expired")] == _told(room, late)
    assert room.get("/v1/accounts").json["data"][0]["health"] == "warn"
    assert ("error", "auth_expired") == (problem["level"], problem["code"])


def _scheduled_on(room: Room, account_id: str, *, days: int) -> Document:
    made = room.post("/v1/posts", {"caption": "Bread", "targets": [{"account_id": account_id}]})
    return room.act(made.json, "schedule", {"at": room.in_(days=days)}).json


def test_a_target_at_risk_still_goes_out_if_it_can(room: Room) -> None:
    post = room.scheduled("x")
    room.house.operator.people.connections.set_health(room.account("x"), Health.BROKEN)

    room.pass_time(timedelta(hours=1))

    assert ["published"] == room.statuses(post)


def test_a_file_that_goes_is_told_at_once(room: Room) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    post = room.scheduled("x", at=room.in_(days=3), media_ids=[photo])

    room.ask("DELETE", f"/v1/media/{photo}")

    assert [(post["targets"][0]["id"], "file_removed")] == _told(room, post)


def test_a_file_that_goes_while_a_post_takes_it_is_told_at_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    media_id = room.upload(samples()["plain.jpg"].data, "a.jpg")
    posts, mark = list[Document](), MediaRepository.mark_removed

    def be_taken_and_mark(files: MediaRepository, media_id: str, *, review_at: datetime) -> None:
        posts.append(room.scheduled("x", media_ids=[media_id]))
        mark(files, media_id, review_at=review_at)

    monkeypatch.setattr(MediaRepository, "mark_removed", be_taken_and_mark)
    room.ask("DELETE", f"/v1/media/{media_id}")

    assert [(posts[0]["targets"][0]["id"], "file_removed")] == _told(room, posts[0])


def test_telling_of_a_risk_changes_nothing_of_the_post(room: Room) -> None:
    post = room.scheduled("x")
    tag = room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]

    room.house.operator.people.connections.set_health(room.account("x"), Health.BROKEN)

    assert tag == room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]


def test_an_operator_sees_what_is_at_risk(room: Room) -> None:
    post = _long_video(room)

    found = list(room.house.operator.checking.risks.at_risk(timedelta(hours=24)))

    mine = [one for one in found if one.post.id == post["id"]]
    assert [["video_too_long"]] == [[problem.code for problem in one.problems] for one in mine]


def _messages(room: Room) -> list[TargetRef]:
    """Take what waits in the slower queue and is for this workspace."""
    deployment = room.house.deployment
    url = deployment.clients.sqs.get_queue_url(QueueName=deployment.settings.prepare_queue)[
        "QueueUrl"
    ]
    found = []
    while taken := deployment.clients.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get(
        "Messages"
    ):
        for message in taken:
            deployment.clients.sqs.delete_message(
                QueueUrl=url, ReceiptHandle=message["ReceiptHandle"]
            )
            found.append(read_wake_message(message["Body"]))
    return [ref for ref in found if ref.workspace_id == room.workspace_id]


def _sending(room: Room) -> list[TargetRef]:
    """Return what the deployment sends from now on, as it sends it."""
    sent: list[TargetRef] = []

    def note(params: Mapping[str, Any], **_: object) -> None:
        sent.extend(read_wake_message(one["MessageBody"]) for one in params["Entries"])

    room.house.deployment.clients.sqs.meta.events.register(
        "before-parameter-build.sqs.SendMessageBatch", note
    )
    return sent


def test_what_is_scheduled_for_soon_is_checked_at_once(room: Room) -> None:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    post = room.scheduled("x", at=room.in_(minutes=10), media_ids=[video])

    for ref in _messages(room):
        room.house.deployment.engine.prepare_lane.run(ref)

    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


@pytest.mark.parametrize("seconds", [0, 19])
def test_what_goes_out_now_is_not_checked_first(room: Room, seconds: int) -> None:
    room.scheduled("x", at=room.in_(seconds=seconds))

    assert [] == [ref for ref in _messages(room) if ref.kind.is_check]


def test_what_waits_for_an_approval_is_not_checked_at_once(house: House) -> None:
    room = house.room(approvals=True)
    room.account("x")

    room.member(Role.EDITOR).scheduled("x", at=room.in_(minutes=10))
    pending = room.member(Role.CONTRIBUTOR).draft("x")
    room.act(pending, "schedule", {"at": room.in_(minutes=10)})

    assert 1 == len([ref for ref in _messages(room) if ref.kind.is_check])


def test_a_check_that_comes_too_early_tells_nothing(room: Room) -> None:
    post, risks = _long_video(room), room.house.deployment.checking.risks
    ref = TargetRef(
        post["id"],
        post["targets"][0]["id"],
        room.workspace_id,
        room.house.clock(),
        MessageKind.CHECK,
    )

    early = risks.check(ref)
    room.house.clock.pass_time(timedelta(minutes=45))

    assert [0, 1] == [early, risks.check(ref)]


def test_a_check_of_a_post_that_is_gone_does_nothing(room: Room) -> None:
    post = room.scheduled("x", at=room.in_(minutes=14))
    room.delete(post)

    assert [0] == [room.house.deployment.checking.risks.check(ref) for ref in _messages(room)]


def test_a_routine_check_of_what_is_fine_reads_everything_at_half_the_price(room: Room) -> None:
    room.scheduled("x", at=room.in_(minutes=15))

    with _readings(room) as consistent:
        told = _check(room)

    assert ([0], [False, False]) == (told, consistent[-2:])


def test_a_routine_check_tells_what_a_consistent_reading_finds(room: Room) -> None:
    post, (ref,) = _long_video(room), _checks(room)
    room.house.clock.pass_time(timedelta(minutes=45))

    with _readings(room) as consistent:
        told = room.house.deployment.checking.risks.check(ref)

    cheap = 1 + len(["the account", "the file"])
    assert (1, {False}, {True}) == (told, set(consistent[:cheap]), set(consistent[cheap:]))
    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


def test_a_routine_check_tells_nothing_that_is_no_longer_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, deployment = _long_video(room), room.house.deployment
    room.house.clock.pass_time(timedelta(minutes=45))
    moment_ago = deployment.stores.posts.get_any(post["id"])
    room.patch(post, {"media_ids": []})
    monkeypatch.setattr(PostRepository, "recent", lambda *_: moment_ago)

    assert [0] == _check(room)
    assert [] == _told(room, post)


def test_a_change_right_before_a_routine_check_is_checked_by_its_own(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However old the routine check's reading is, the change's own reads what was written."""
    post, deployment = room.scheduled("x", at=room.in_(minutes=16)), room.house.deployment
    sent = _sending(room)
    moment_ago = deployment.stores.posts.get_any(post["id"])
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    room.patch(post, {"media_ids": [video]})
    room.house.clock.pass_time(timedelta(minutes=1))
    monkeypatch.setattr(PostRepository, "recent", lambda *_: moment_ago)

    with _readings(room) as consistent:
        for ref in sent:
            if ref.kind.is_check:
                deployment.engine.prepare_lane.run(ref)

    assert [0] == _check(room)
    assert {True} == set(consistent)
    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


class Keeper:
    """Stands where sign-ins are renewed, and counts how often."""

    asked = 0

    def sign_in(self, *_: object) -> None:
        self.asked += 1


@pytest.mark.parametrize(("minutes", "asked"), [(20, 1), (60, 0)])
def test_a_routine_check_renews_a_sign_in_that_ends_soon(
    emulator: EmulatorProcess, tmp_path: Path, minutes: int, asked: int
) -> None:
    house = a_house(emulator, tmp_path)
    sandbox = house.deployment.connectors.sandbox
    house.deployment.connectors = Connectors(sandbox=sandbox, real=sandbox)
    room, now, keeper = house.room(), house.clock(), Keeper()
    tokens = Tokens(access="AT1", refresh="RT1", expires_at=now + timedelta(minutes=minutes))
    sign_in = SignIn(
        platform=Platform.LINKEDIN, handle="Nora", remote_identity="urn:li:person:1", tokens=tokens
    )
    account = house.operator.people.connections.connect(room.workspace_id, sign_in)
    made = room.post("/v1/posts", {"caption": "Bread", "targets": [{"account_id": account.id}]})
    room.act(made.json, "schedule", {"at": room.in_(minutes=15)})
    risks = replace(house.deployment.checking.risks, tokens=keeper)  # type: ignore[arg-type]  # a spy

    for ref in _checks(room):
        risks.check(ref)

    assert asked == keeper.asked


def test_what_is_prepared_ahead_has_its_check_passed_on_to_its_time(room: Room) -> None:
    """The tick knows when it wakes, ten minutes before it is due."""
    post = _long_video(room)
    (ref,), sent = _checks(room), _sending(room)
    room.house.clock.pass_time(timedelta(minutes=35))

    early = room.house.deployment.checking.risks.check(ref)
    (later,) = sent
    room.house.clock.pass_time(timedelta(minutes=10))

    assert (0, replace(ref, wake_at=room.house.clock())) == (early, later)
    assert 1 == room.house.deployment.checking.risks.check(later)
    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


def test_a_check_is_not_passed_on_for_what_has_another_time_since(room: Room) -> None:
    post = _long_video(room)
    (ref,) = _checks(room)
    room.act(post, "cancel")
    room.act(post, "schedule", {"at": room.in_(hours=2)})
    sent = _sending(room)
    room.house.clock.pass_time(timedelta(minutes=35))

    room.house.deployment.checking.risks.check(ref)

    assert [] == sent


class Ticks:
    """Lets a tick look every minute, and notes the checks that it sends."""

    def __init__(self, room: Room) -> None:
        self.room, self.slower = room, SpyQueue()
        deployment = room.house.deployment
        self._dispatcher = Dispatcher(
            deployment.stores.targets,
            SpyQueue(),  # type: ignore[arg-type]  # a spy
            room.house.clock,
            mark=Mark(),
            slower_queues=(self.slower,),  # type: ignore[arg-type]  # a spy
        )

    def tick(self) -> None:
        self._dispatcher.tick()

    def checks_of(self, post: Document) -> list[TargetRef]:
        return [ref for ref in self.slower.sent if ref.post_id == post["id"] and ref.kind.is_check]


@pytest.mark.parametrize("lead", [timedelta(seconds=40), timedelta(minutes=10, seconds=40)])
@pytest.mark.parametrize("is_prepared", [False, True], ids=["text", "photo"])
def test_what_is_scheduled_right_after_a_tick_is_checked(
    room: Room, lead: timedelta, *, is_prepared: bool
) -> None:
    """The tick before has looked already, and the next one looks further ahead."""
    photos = [room.upload(samples()["plain.jpg"].data, "bread.jpg")] if is_prepared else []
    ticks, clock, own = Ticks(room), room.house.clock, _sending(room)
    ticks.tick()
    clock.pass_time(timedelta(seconds=10))
    check_at = clock() + lead

    at = (check_at + CHECK_AHEAD).isoformat()
    post = room.scheduled("x", at=at, media_ids=photos)
    for _ in range(11):
        clock.pass_time(EVERY)
        ticks.tick()

    checks = [*ticks.checks_of(post), *(ref for ref in own if ref.kind.is_check)]
    assert check_at in {ref.wake_at for ref in checks}


def test_what_gets_a_file_after_its_tick_is_checked(room: Room) -> None:
    """It wakes earlier than it did, at a time that the ticks have looked at already."""
    post = room.scheduled("x", at=room.in_(minutes=20))
    photo, sent = room.upload(samples()["plain.jpg"].data, "bread.jpg"), _sending(room)

    room.patch(post, {"media_ids": [photo]})

    (check,) = sent
    assert check.kind is MessageKind.CHECK
    assert timedelta(minutes=5) == check.wake_at - room.house.clock()
