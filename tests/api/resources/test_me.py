"""GET /v1/me: who a key is and what is left. GET /v1/ready: whether anything is sent."""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.storage.engine.switch import TickMark
from tests.api.http_room import Room
from tests.support.sample_media import samples

A_WHILE = timedelta(seconds=6)
"""Longer than what was looked up is told again."""


def test_a_key_learns_who_it_is_and_what_is_left(room: Room) -> None:
    photo = samples()["plain.jpg"].data
    room.upload(photo, "bread.jpg")
    room.scheduled("x")

    me = room.get("/v1/me").json

    assert 1 == me["month"]["x_posts"] < me["month"]["x_allowance"]
    assert len(photo) == me["storage"]["used_bytes"] < me["storage"]["allowed_bytes"]
    assert {"owner", 32} == {me["role"], len(me["workspace_id"])}
    assert {str(scope) for scope in Scope} == set(me["scopes"])
    assert {"workspace", "plan", "timezone", "member", "trial_ends_at"} <= me.keys()


def test_the_scopes_are_those_that_key_and_role_both_allow(room: Room) -> None:
    contributor = room.member(Role.CONTRIBUTOR, name="Grace")

    me = contributor.get("/v1/me").json

    assert ("Grace", "contributor") == (me["member"], me["role"])
    assert ["post.read", "post.write"] == sorted(me["scopes"])


def test_a_service_that_sends_nothing_is_not_ready(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    house = room.house
    deployment = house.deployment
    mark = TickMark(deployment.clients.dynamodb, deployment.tables)
    mark.forget()
    house.clock.pass_time(A_WHILE)
    before = room.get("/v1/ready")
    mark.write(house.clock())
    house.clock.pass_time(A_WHILE)

    after = room.get("/v1/ready")

    assert (503, "not_ready") == before.refusal
    assert (200, {"ready": True}) == (after.status, after.json)
    assert ["GET /v1/ready 503", "GET /v1/ready 200"] == caplog.messages
    assert {"INFO"} == {record.levelname for record in caplog.records}
