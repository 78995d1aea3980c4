"""target.at_risk: what will go wrong is told before its time, once; nothing is stopped."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import Health, SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import TickMark
from chalicelib.storage.engine.wake_queue import read_wake_message
from chalicelib.workers.dispatcher import Dispatcher
from tests.api.http_house import a_house
from tests.api.http_room import Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import Clip, encode, samples
from tests.workers.test_dispatcher import SpyQueue


def _told(room: Room, post: Document) -> list[tuple[str, str]]:
    """Return the target and the code of each event that tells of a risk."""
    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    risks = [event["detail"] for event in events if event["action"] == "target.at_risk"]
    return [(detail["target_id"], detail["code"]) for detail in risks]


def _long_video(room: Room) -> Document:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    return room.scheduled("x", at=room.in_(hours=1), media_ids=[video])


def _check(room: Room) -> list[int]:
    """Check all that the workspace has scheduled, as messages ask for it; return what each told."""
    refs = [
        replace(ref, is_check=True) for ref in room.waking(room.house.clock() + timedelta(days=1))
    ]
    return [room.house.deployment.risks.check(ref) for ref in refs]


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

    room.house.operator.connections.set_health(room.account("x"), Health.BROKEN)

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
    account = house.operator.connections.connect(room.workspace_id, sign_in)
    late = _scheduled_on(room, account.id, days=9)
    early = _scheduled_on(room, account.id, days=5)

    house.deployment.token_renewal.run()

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
    room.house.operator.connections.set_health(room.account("x"), Health.BROKEN)

    room.pass_time(timedelta(hours=1))

    assert ["published"] == room.statuses(post)


def test_a_file_that_goes_is_told_at_once(room: Room) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    post = room.scheduled("x", at=room.in_(days=3), media_ids=[photo])

    room.ask("DELETE", f"/v1/media/{photo}")

    assert [(post["targets"][0]["id"], "file_removed")] == _told(room, post)


def test_telling_of_a_risk_changes_nothing_of_the_post(room: Room) -> None:
    post = room.scheduled("x")
    tag = room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]

    room.house.operator.connections.set_health(room.account("x"), Health.BROKEN)

    assert tag == room.get(f"/v1/posts/{post['id']}").response.headers["ETag"]


def test_an_operator_sees_what_is_at_risk(room: Room) -> None:
    post = _long_video(room)

    found = list(room.house.operator.risks.at_risk(timedelta(hours=24)))

    mine = [one for one in found if one.post.id == post["id"]]
    assert [["video_too_long"]] == [[problem.code for problem in one.problems] for one in mine]


def _messages(room: Room) -> list[TargetRef]:
    """Take what waits in the slower queue and is for this workspace."""
    deployment = room.house.deployment
    url = deployment.sqs.get_queue_url(QueueName=deployment.settings.prepare_queue)["QueueUrl"]
    found = []
    while taken := deployment.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get(
        "Messages"
    ):
        for message in taken:
            deployment.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            found.append(read_wake_message(message["Body"]))
    return [ref for ref in found if ref.workspace_id == room.workspace_id]


def test_what_is_scheduled_for_soon_is_checked_at_once(room: Room) -> None:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    post = room.scheduled("x", at=room.in_(minutes=10), media_ids=[video])

    for ref in _messages(room):
        room.house.deployment.prepare_lane.run(ref)

    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


@pytest.mark.parametrize("seconds", [0, 19])
def test_what_goes_out_now_is_not_checked_first(room: Room, seconds: int) -> None:
    room.scheduled("x", at=room.in_(seconds=seconds))

    assert [] == [ref for ref in _messages(room) if ref.is_check]


def test_what_waits_for_an_approval_is_not_checked_at_once(house: House) -> None:
    room = house.room(approvals=True)
    room.account("x")

    room.member(Role.EDITOR).scheduled("x", at=room.in_(minutes=10))
    pending = room.member(Role.CONTRIBUTOR).draft("x")
    room.act(pending, "schedule", {"at": room.in_(minutes=10)})

    assert 1 == len([ref for ref in _messages(room) if ref.is_check])


def test_a_check_that_comes_too_early_tells_nothing(room: Room) -> None:
    post, risks = _long_video(room), room.house.deployment.risks
    ref = TargetRef(
        post["id"], post["targets"][0]["id"], room.workspace_id, room.house.clock(), is_check=True
    )

    early = risks.check(ref)
    room.house.clock.pass_time(timedelta(minutes=45))

    assert [0, 1] == [early, risks.check(ref)]


def test_a_check_of_a_post_that_is_gone_does_nothing(room: Room) -> None:
    post = room.scheduled("x", at=room.in_(minutes=14))
    room.delete(post)

    assert [0] == [room.house.deployment.risks.check(ref) for ref in _messages(room)]


class Count:
    """Stands where problems are told, and counts how often."""

    told = 0

    def tell(self, *_: object) -> int:
        self.told += 1
        return 1


def test_what_is_not_prepared_ahead_is_checked_once(room: Room) -> None:
    """The index does not say whether a target wakes to be prepared, so that two checks are sent."""
    post, count = room.scheduled("x", at=room.in_(minutes=15)), Count()
    now, target_id = room.house.clock(), post["targets"][0]["id"]
    risks = replace(room.house.deployment.risks, notices=count)  # type: ignore[arg-type]  # a spy
    first = TargetRef(post["id"], target_id, room.workspace_id, now, is_check=True)

    risks.check(first)
    room.house.clock.pass_time(timedelta(minutes=10))
    risks.check(replace(first, wake_at=room.house.clock()))

    assert count.told == 1


def test_what_is_prepared_ahead_is_checked_before_that(room: Room) -> None:
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    post = room.scheduled("x", at=room.in_(minutes=15, seconds=30), media_ids=[photo])
    deployment, slower = room.house.deployment, SpyQueue()
    dispatcher = Dispatcher(
        deployment.targets,
        SpyQueue(),  # type: ignore[arg-type]  # a spy
        room.house.clock,
        mark=TickMark(deployment.dynamodb, deployment.tables),
        slower_queue=slower,  # type: ignore[arg-type]  # a spy
    )

    dispatcher.tick()

    mine = [ref for ref in slower.sent if ref.post_id == post["id"]]
    assert [timedelta(seconds=30)] == [ref.wake_at - room.house.clock() for ref in mine]
