"""target.at_risk: what will go wrong is told before its time, once; nothing is stopped."""

from datetime import timedelta

from chalicelib.domain.workspace.accounts import Health
from tests.api.http_room import Document, Room
from tests.support.sample_media import Clip, encode, samples


def _told(room: Room, post: Document) -> list[tuple[str, str]]:
    """Return the target and the code of each event that tells of a risk."""
    events = room.get(f"/v1/posts/{post['id']}/history").json["events"]
    risks = [event["detail"] for event in events if event["action"] == "target.at_risk"]
    return [(detail["target_id"], detail["code"]) for detail in risks]


def _long_video(room: Room) -> Document:
    video = room.upload(encode(Clip(seconds=150, fps=1, size=(64, 48), with_sound=False)))
    return room.scheduled("x", at=room.in_(hours=1), media_ids=[video])


def test_what_will_fail_is_told_a_quarter_of_an_hour_ahead(room: Room) -> None:
    post, risks = _long_video(room), room.house.deployment.risks

    risks.look_ahead()
    before = _told(room, post)
    room.house.clock.pass_time(timedelta(minutes=45))
    risks.look_ahead()

    assert [] == before
    assert [(post["targets"][0]["id"], "video_too_long")] == _told(room, post)


def test_a_problem_is_told_once(room: Room) -> None:
    post, risks = _long_video(room), room.house.deployment.risks
    room.house.clock.pass_time(timedelta(minutes=45))

    told = [risks.look_ahead(), risks.look_ahead()]

    assert [1, 0] == told
    assert 1 == len(_told(room, post))


def test_a_post_without_a_problem_is_not_at_risk(room: Room) -> None:
    post = room.scheduled("x", at=room.in_(minutes=10))

    room.house.deployment.risks.look_ahead()

    assert [] == _told(room, post)


def test_a_sign_in_that_breaks_is_told_at_once_for_all_that_is_scheduled(room: Room) -> None:
    far = room.scheduled("x", "linkedin", at=room.in_(days=20))
    draft = room.draft("x")

    room.house.operator.connections.set_health(room.account("x"), Health.BROKEN)

    assert [(far["targets"][0]["id"], "auth_expired")] == _told(room, far)
    assert [] == _told(room, draft)


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
