"""A deleted workspace is gone: tables, files and the sandbox are searched for it afterwards."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.activity import ActorKind
from chalicelib.domain.workspace.deletion import AGAIN_AFTER, Step
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.domain.workspace.sessions import LinkKind
from chalicelib.kit.dynamodb.table import Table, setting
from chalicelib.services.operator.deletion import StillScheduledError
from chalicelib.storage.deletion.search import is_of
from chalicelib.storage.tables import post_key, target_key
from chalicelib.workers.publishing.worker import PublishWorker
from tests.api.http_house import a_house
from tests.api.http_room import Document, House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.engines import costly_elsewhere
from tests.support.kept_texts import every_row, rows_with
from tests.support.sample_media import samples
from tests.workers.publishing.failures.faults import FaultPlan, KilledError, Strike

pytestmark = costly_elsewhere

CAPTION, HANDLE, MEMBER = "Rye loaf of the harvest", "@harvestrye", "Wilhelmina Ashdown"
FILE, LABEL, ADDRESS = "grandmother.jpg", "Harvest mornings", "wilhelmina@bakery.example"
WORDS = ("rye loaf", "harvestrye", "wilhelmina", "grandmother", "harvest mornings")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Full:
    """A workspace with something of nearly every kind, and what its rows are found by."""

    room: Room
    ids: tuple[str, ...]
    scheduled: Document

    @property
    def house(self) -> House:
        return self.room.house


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path: Path) -> House:
    return _a_house(emulator, tmp_path)


def _a_house(emulator: EmulatorProcess, folder: Path) -> House:
    made = a_house(emulator, folder)
    deletion = replace(
        made.deployment.whole_workspace.deletion, forget_at_sandbox=made.sandbox.forget
    )
    made.deployment.whole_workspace.deletion = deletion
    return made


def _full(house: House) -> Full:
    room = house.room()
    plain = house.deployment
    room.accounts["instagram"] = room.connect("instagram", HANDLE)
    room.accounts["x"] = room.connect("x", HANDLE)
    photo = room.upload(samples()["plain.png"].data, FILE)
    plain.people.pictures.rows.put(room.workspace_id, samples()["plain.png"].data)
    sent = room.sent("instagram", caption=CAPTION, media_ids=[photo])
    room.pass_time(MINUTE)
    refused = room.sent("x", caption=f"{CAPTION} sandbox:ambiguous")
    room.pass_time(HOUR)
    draft = room.create("x", caption=CAPTION).json
    keyed = room.post(
        "/v1/posts",
        {"caption": CAPTION, "targets": [{"account_id": room.account("x")}]},
        key="order-1",
    ).json
    deleted = room.draft("x", caption=CAPTION)
    assert room.delete(deleted).status == 204
    (owner, *_) = plain.people.administration.list_members(room.workspace_id)
    plain.whole_workspace.export_requests.ask(room.workspace_id, owner.id)
    plain.whole_workspace.export_requests.run()
    plain.upkeep.metrics_worker.run()
    room.post("/v1/queue-slots", {"weekdays": [1], "time": "08:15", "label": LABEL})
    room.post("/v1/media/uploads", {"filename": FILE, "size_bytes": 5})
    member = plain.people.administration.add_member(
        room.workspace_id, name=MEMBER, role=Role.EDITOR
    )
    plain.people.administration.create_key(member.id, name=LABEL)
    revoked = plain.people.administration.create_key(member.id, name=LABEL)
    plain.people.administration.revoke_key(revoked.key.id)
    person = plain.people.persons.join(room.workspace_id, member.id, None, house.clock())
    plain.people.administration.ask_address(member.id, email=ADDRESS, notices=frozenset())
    plain.stores.members.prove_address(room.workspace_id, member.id, ADDRESS, house.clock())
    plain.people.sign_in_links.make(member.id)
    room.disconnect(room.connect("threads", HANDLE))
    scheduled = room.scheduled("x", caption=CAPTION)
    posts = [sent, refused, draft, keyed, deleted, scheduled]
    ids = (room.workspace_id, photo, member.id, person.id, *(post["id"] for post in posts))
    return Full(room, (*ids, *room.accounts.values()), scheduled)


def _delete(full: Full) -> None:
    deletion = full.house.deployment.whole_workspace.deletion
    for _ in deletion.steps(deletion.begin(full.room.workspace_id, even_scheduled=True)):
        pass


def _end(full: Full) -> None:
    """Let the time go by after which it is done once more, and do that."""
    full.house.clock.pass_time(AGAIN_AFTER)
    full.house.deployment.whole_workspace.deletion.run()


def _assert_gone(full: Full, folder: Path) -> None:
    house, tombstone = full.house, ("DELETED", full.room.workspace_id)
    assert rows_with(house.deployment, *full.ids, *WORDS) == [tombstone]
    store = house.deployment.media.store
    for kind in ("media", "incoming", "prepared", "exports"):
        assert list(store.keys(f"{kind}/{full.room.workspace_id}/")) == []
        assert list(store._uploads_under(f"{kind}/{full.room.workspace_id}/")) == []
    assert house.sandbox.newest() == []
    for sandbox in folder.rglob("sandbox*"):
        for file in sandbox.rglob("*"):
            assert not file.is_file() or CAPTION.encode() not in file.read_bytes(), file


def test_nothing_of_it_is_left(house: House, tmp_path: Path) -> None:
    full = _full(house)
    assert rows_with(house.deployment, CAPTION), "there was something to find"
    assert house.sandbox.newest()

    _delete(full)
    _end(full)

    _assert_gone(full, tmp_path)
    stayed = house.deployment.whole_workspace.deletion.rows.tombstone(full.room.workspace_id)
    assert stayed is not None
    assert (stayed.by, stayed.ended_at) == (ActorKind.OPERATOR, house.clock())
    assert full.room.get("/v1/posts").status == 401


def test_a_neighbour_keeps_everything(house: House) -> None:
    """Also what names the workspace in its words, and a person who is in both."""
    full, neighbour = _full(house), house.room()
    post = neighbour.draft("x", caption=f"We come from {full.room.workspace_id}")
    named = {"caption": "By its key", "targets": [{"account_id": neighbour.account("x")}]}
    neighbour.post("/v1/posts", named, key=full.room.workspace_id)
    plain = house.deployment
    (owner,) = plain.people.administration.list_members(neighbour.workspace_id)
    (person_id,) = (pk[7:] for pk, sk in rows_with(plain, "memberships") if sk == "PERSON")
    plain.people.persons.join(neighbour.workspace_id, owner.id, person_id, house.clock())
    before = _rows_of(house, neighbour)

    _delete(full)
    _end(full)

    assert _rows_of(house, neighbour) == before
    assert neighbour.show(post)["caption"] == f"We come from {full.room.workspace_id}"
    person = plain.people.persons.find(person_id)
    assert person is not None
    assert [one.workspace_id for one in person.memberships] == [neighbour.workspace_id]


def _rows_of(house: House, room: Room) -> list[tuple[str, str]]:
    found = [row for row in every_row(house.deployment) if is_of(row, room.workspace_id)]
    return sorted((row["pk"], row["sk"]) for row in found if row["sk"] != "PERSON")


def _spoil(house: House, post: Document, name: str, value: object) -> None:
    table = Table(house.deployment.clients.dynamodb, house.deployment.tables.posts)
    for key in (post_key(post["id"]), target_key(post["id"], post["targets"][0]["id"])):
        table.update(key, setting({name: value}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("published_at", "never"),
        ("version", "many"),
        ("status", "sold"),
        ("created_at", 7),
        ("remote_id", 5),
        ("idempotency_key", 5),
    ],
)
def test_a_row_that_nobody_can_read_stops_nothing(
    house: House, tmp_path: Path, name: str, value: object
) -> None:
    full = _full(house)
    _spoil(house, full.scheduled, name, value)

    _delete(full)
    _end(full)

    _assert_gone(full, tmp_path)


def test_a_post_that_was_deleted_before_there_were_lists_goes(house: House, tmp_path: Path) -> None:
    full = _full(house)
    _spoil(house, full.scheduled, "list_workspace", None)
    _spoil(house, full.scheduled, "list_status", None)

    _delete(full)
    _end(full)

    _assert_gone(full, tmp_path)


def test_while_something_is_scheduled_it_must_be_said(house: House) -> None:
    full = _full(house)

    with pytest.raises(StillScheduledError):
        house.deployment.whole_workspace.deletion.begin(full.room.workspace_id)

    assert full.room.statuses(full.scheduled) == ["scheduled"]
    assert house.deployment.whole_workspace.deletion.rows.find(full.room.workspace_id) is None


def test_what_is_not_there_is_not_deleted(house: House) -> None:
    with pytest.raises(UnknownWorkspaceError):
        house.deployment.whole_workspace.deletion.begin(new_id(house.clock()))


@pytest.mark.parametrize("seconds", [-20, -5, -1, 0, 1])
def test_nothing_is_sent_once_it_has_begun(house: House, seconds: int) -> None:
    """However near its second a post was when somebody began, and whatever was read of it."""
    full = _full(house)
    worker, refs = _worker(house), full.room.waking(house.clock() + 2 * HOUR)
    house.clock.pass_time(HOUR + timedelta(seconds=seconds))
    house.sandbox.forget(full.room.accounts.values())

    house.deployment.whole_workspace.deletion.begin(full.room.workspace_id, even_scheduled=True)
    for ref in refs:
        worker.run(ref)
    house.clock.pass_time(HOUR)
    for ref in refs:
        worker.run(ref)

    assert house.sandbox.newest() == []


def _worker(house: House) -> PublishWorker:
    """Return a worker that waits by moving the clock."""

    def wait(seconds: float) -> None:
        house.clock.pass_time(timedelta(seconds=seconds))

    return replace(house.deployment.engine.publish_worker, wait=wait)


def test_a_worker_that_holds_a_post_sends_nothing_more(house: House) -> None:
    """It goes on between the deletion and the visible call: its next write is refused."""
    full, plain = _full(house), house.deployment
    (ref,) = full.room.waking(house.clock() + HOUR)
    house.clock.pass_time(HOUR)
    house.sandbox.forget(full.room.accounts.values())
    preflight = plain.engine.publish_worker.preflight

    class Meanwhile:
        """The accounts, during whose reading somebody deletes the workspace."""

        def get(self, workspace_id: str, account_id: str) -> object:
            found = plain.stores.account_repository.get(workspace_id, account_id)
            plain.whole_workspace.deletion.begin(workspace_id, even_scheduled=True)
            return found

    late = replace(preflight, accounts=Meanwhile())  # type: ignore[arg-type]
    replace(_worker(house), preflight=late).run(ref)

    assert plain.whole_workspace.deletion.rows.tombstone(full.room.workspace_id) is not None
    assert house.sandbox.newest() == []


def test_what_a_late_request_wrote_goes_with_the_second_round(house: House, tmp_path: Path) -> None:
    full = _full(house)
    caller = house.deployment.workspace.authentication.authenticate(f"Bearer {full.room.key}")
    _delete(full)

    house.deployment.media.library.upload(caller, FILE, samples()["plain.png"].data)

    assert rows_with(house.deployment, FILE)
    _end(full)
    _assert_gone(full, tmp_path)


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("strike", "first", "step"),
    [
        (Strike.KILL_BEFORE, 1, 11),
        (Strike.DROP_ANSWER, 3, 13),
        pytest.param(Strike.KILL_BEFORE, 0, 1, marks=pytest.mark.prove),
        pytest.param(Strike.DROP_ANSWER, 0, 1, marks=pytest.mark.prove),
    ],
)
def test_a_deletion_that_is_killed_anywhere_goes_on_by_itself(
    house: House, tmp_path: Path, strike: Strike, first: int, step: int
) -> None:
    """At one call after another: the review finds what is left. In full with `make prove`."""
    plan, struck, deletion = FaultPlan(), first, house.deployment.whole_workspace.deletion
    plan.watch(house.deployment.clients.dynamodb, "dynamodb")
    plan.watch(house.deployment.clients.s3, "s3")
    while True:
        full = _small(house)
        plan.arm(strike, struck)
        with suppress(KilledError, ReadTimeoutError):
            _delete(full)
        plan.disarm()

        if deletion.rows.find(full.room.workspace_id) is None:
            assert struck < 8, "it is kept before anything goes that it was begun"
            _delete(full)
        deletion.run()
        _end(full)

        _assert_gone(full, tmp_path)
        if len(plan.calls) <= struck:
            break
        struck += step
    assert struck > 60


def _small(house: House) -> Full:
    """Make a workspace with a post that waits, one that is live, a file and a person."""
    room, plain = house.room(), house.deployment
    room.accounts["x"] = room.connect("x", HANDLE)
    photo = room.upload(samples()["plain.jpg"].data, FILE)
    sent = room.sent("x", caption=CAPTION)
    scheduled = room.scheduled("x", caption=CAPTION, media_ids=[photo])
    (owner,) = plain.people.administration.list_members(room.workspace_id)
    person = plain.people.persons.join(room.workspace_id, owner.id, None, house.clock())
    ids = (room.workspace_id, photo, owner.id, person.id, sent["id"], scheduled["id"])
    return Full(room, (*ids, *room.accounts.values()), scheduled)


def test_the_steps_are_those_that_are_told(house: House) -> None:
    full = _full(house)
    deletion = house.deployment.whole_workspace.deletion
    begun = deletion.begin(full.room.workspace_id, even_scheduled=True)

    told = [begun.step, *(after.step for after in deletion.steps(begun))]

    assert list(dict.fromkeys(told)) == [*[*Step][1:], Step.STOP]
    (left,) = deletion.rows.under_way()
    assert (left.round, left.posts, left.members) == (2, 6, 2)
    assert LinkKind.SIGN_IN not in {row.get("kind") for row in every_row(house.deployment)}
