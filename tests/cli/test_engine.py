"""Operators' commands on posts and the engine, with posts that really go out."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chalicelib.doctor.examination import Doctor, Verdict
from chalicelib.doctor.zone_checks import ZoneChecks
from chalicelib.domain.workspace.access import Caller, Role
from tests.cli.operator import Operator
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.people import a_key, a_member, the_caller
from tests.support.ruins import empty_queue


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    """Return an engine with a workspace of its own."""
    return an_engine_room(emulator, tmp_path)


@pytest.fixture
def operator(room: EngineRoom) -> Operator:
    """Return the operator of that engine."""
    return Operator(room.deployment)


def _a_contributor(operator: Operator, room: EngineRoom) -> Caller:
    """Make the workspace use approvals; return a contributor's caller."""
    workspace_id = room.caller.workspace_id
    operator.ask("workspace", "update", workspace_id, "--approvals", "on")
    workspace = room.people.workspaces.get(workspace_id)
    assert workspace is not None
    member = a_member(workspace, role=Role.CONTRIBUTOR)
    room.people.members.add(member)
    return the_caller(room.people, a_key(room.people, member)[1])


def test_an_approved_post_goes_out(operator: Operator, room: EngineRoom) -> None:
    owner, contributor = room.caller, _a_contributor(operator, room)
    room.caller = contributor
    post = room.draft("Fresh bread")
    room.caller = owner
    at = room.clock() + timedelta(minutes=5)
    room.deployment.posting.scheduling.schedule(owner, post.id, at=at)
    room.pass_time(timedelta(minutes=10))
    before = room.target(post).status

    approved = operator.ask("post", "approve", post.id, "--workspace", post.workspace_id)
    room.pass_time(timedelta(minutes=1))

    assert before == "scheduled"
    assert (approved["id"], approved["approval"]) == (post.id, "approved")
    assert room.target(post).status == "published"


def test_a_rejected_post_does_not_go_out(operator: Operator, room: EngineRoom) -> None:
    owner, contributor = room.caller, _a_contributor(operator, room)
    room.caller = contributor
    post = room.draft("Fresh bread")
    at = room.clock() + timedelta(minutes=5)
    room.deployment.posting.scheduling.schedule(owner, post.id, at=at)

    rejected = operator.ask("post", "reject", post.id, "--workspace", post.workspace_id)
    room.pass_time(timedelta(hours=1))

    assert (rejected["approval"], rejected["status"]) == ("rejected", "cancelled")
    assert room.taken(post) == []


def test_without_approvals_there_is_nothing_to_approve(
    operator: Operator, room: EngineRoom
) -> None:
    post = room.draft("Fresh bread")

    result = operator.run("post", "approve", post.id, "--workspace", post.workspace_id)

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: The workspace does not use approvals.")


def test_a_post_of_another_workspace_is_not_approved(operator: Operator, room: EngineRoom) -> None:
    post = room.draft("Fresh bread")
    other = operator.text(
        *("workspace", "create", "--name", "Other", "--plan", "studio", "--timezone", "UTC"),
        *("--owner-name", "Bob", "--approvals"),
        field="workspace_id",
    )

    result = operator.run("post", "approve", post.id, "--workspace", other)

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: There is no such post")


def test_the_inside_of_a_deleted_post_can_be_seen(operator: Operator, room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread")
    room.pass_time(timedelta(minutes=6))
    room.deployment.posting.drafts.delete(room.caller, post.id)

    shown = operator.ask("post", "show", post.id)
    text = operator.run("post", "show", post.id).stdout

    events, attempts = shown["events"], shown["attempts"]
    assert isinstance(events, list)
    assert isinstance(attempts, list)
    assert shown["deleted_at"] is not None
    assert [event["action"] for event in events][-1] == "post.deleted"
    assert [(attempt["ok"], attempt["status"]) for attempt in attempts] == [(True, "published")]
    assert "deleted" in text.splitlines()[0]


def test_what_is_overdue_is_stuck(operator: Operator, room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread", in_=timedelta(minutes=5))
    before = operator.ask("post", "stuck")["data"]
    room.clock.pass_time(timedelta(minutes=20))

    stuck = operator.ask("post", "stuck")["data"]

    assert before == []
    assert isinstance(stuck, list)
    assert [(one["post_id"], one["overdue"], one["in_doubt"]) for one in stuck] == [
        (post.id, True, False)
    ]
    assert post.id in operator.run("post", "stuck").stdout


def test_doctor_says_that_something_overdue_waits(room: EngineRoom) -> None:
    doctor = Doctor(
        checks=(),
        sign_ins=ZoneChecks(clock=room.clock),
        switch=room.deployment.stores.engine_switch,
        targets=room.deployment.engine_stores.targets,
        public_url=None,
        clock=room.clock,
    )
    room.scheduled("Fresh bread", in_=timedelta(minutes=5))
    healthy = doctor.examine()[0]
    room.clock.pass_time(timedelta(minutes=20))

    found = doctor.examine()[0]

    assert (healthy.subject, healthy.verdict) == ("engine", Verdict.OK)
    assert (found.subject, found.verdict, found.stops_posts) == ("engine", Verdict.WARNING, True)
    assert found.message.startswith("What was due at ")


def test_the_engines_status_names_the_oldest_overdue(operator: Operator, room: EngineRoom) -> None:
    room.scheduled("Fresh bread", in_=timedelta(minutes=5))
    healthy = operator.ask("engine", "status")["oldest_overdue"]
    room.clock.pass_time(timedelta(minutes=20))

    status = operator.ask("engine", "status")

    assert healthy is None
    assert status["oldest_overdue"] is not None
    assert status["paused"] is False
    assert isinstance(status["queue"], dict)
    assert list(status["queue"]) == ["waiting", "working", "delayed", "dead"]


def test_the_engine_pauses_and_goes_on(operator: Operator) -> None:
    paused = operator.ask("engine", "pause")
    resumed = operator.ask("engine", "resume")

    assert paused == {
        "paused": True,
        "confirm_since": None,
        "may_have_gone_out": 0,
        "being_sent": 0,
    }
    assert resumed == {"paused": False, "confirm_since": None}


def test_what_is_due_soon_after_a_pause_is_sent_at_once(
    operator: Operator, room: EngineRoom
) -> None:
    operator.ask("engine", "pause")
    room.scheduled("Overdue", in_=timedelta(seconds=1))
    room.scheduled("In a moment", in_=timedelta(seconds=20))
    room.scheduled("Tomorrow", in_=timedelta(days=1))
    purge(room)
    room.clock.pass_time(timedelta(seconds=5))

    operator.ask("engine", "resume")

    waiting, _working, delayed = room.deployment.stores.lanes.fire.depth()
    assert 2 == waiting + delayed


def purge(room: EngineRoom) -> None:
    """Take away what was sent so far, as workers do while the engine is paused."""
    empty_queue(room.deployment.settings, room.deployment.settings.publish_queue)


def test_a_pause_waits_for_what_is_armed_and_says_so(room: EngineRoom) -> None:
    room.scheduled("Armed by now", in_=timedelta(seconds=8))
    room.scheduled("Not armed yet", in_=timedelta(minutes=2))
    control = replace(room.deployment.people.engine_control, wait=room.sleep)

    pause = control.pause()

    assert (pause.may_have_gone_out, pause.being_sent) == (1, 0)
    assert room.waited == [17.0]


def test_after_a_restore_the_engine_confirms_first(operator: Operator) -> None:
    resumed = operator.ask("engine", "resume", "--confirm-since", "2026-01-05T09:30:00+02:00")

    assert resumed == {"paused": False, "confirm_since": "2026-01-05T07:30:00+00:00"}


def test_dead_letters_go_back_to_the_queue(operator: Operator, room: EngineRoom) -> None:
    queues, settings = room.deployment.clients.sqs, room.deployment.settings
    dead = queues.get_queue_url(QueueName=settings.publish_dead_queue)["QueueUrl"]
    for body in ("{}", "[]"):
        queues.send_message(QueueUrl=dead, MessageBody=body)

    redriven = operator.ask("queue", "redrive")

    assert redriven == {"redriven": 2}
    assert operator.ask("engine", "status")["queue"] == {
        "waiting": 2,
        "working": 0,
        "delayed": 0,
        "dead": 0,
    }


def test_a_workspaces_posts_are_listed(operator: Operator, room: EngineRoom) -> None:
    post = room.scheduled("Fresh bread")

    listed = operator.ask("post", "list", room.caller.workspace_id, "--status", "scheduled")
    none = operator.ask("post", "list", room.caller.workspace_id, "--status", "failed")

    assert isinstance(listed["data"], list)
    assert [post.id] == [one["id"] for one in listed["data"]]
    assert none["data"] == []
