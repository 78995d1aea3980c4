"""Moving a workspace: nothing lost, nothing twice, nothing early, wherever the command ends."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.services.operator.moving.move import (
    Move,
    MovedAwayError,
    NotThereError,
    OtherMoveError,
    SamePlaceError,
)
from chalicelib.storage.moving.copies import table_of
from chalicelib.storage.moving.marks import MoveTakenOverError
from chalicelib.storage.row_kinds import Moved
from chalicelib.storage.sandbox_here import SandboxHere
from tests.api.http_room import Document, House, Room
from tests.services.operator.moving_rooms import (
    Killed,
    Line,
    Power,
    TwoHouses,
    keep_tokens,
    two_houses,
)
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import samples

Posts = tuple[Document, Document]


@pytest.fixture(scope="module")
def houses(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> TwoHouses:
    return two_houses(emulator, tmp_path_factory.mktemp("houses"))


@pytest.fixture
def room(houses: TwoHouses) -> Room:
    return houses.here.room()


def _lived_in(room: Room) -> tuple[Document, Document]:
    """Give a workspace a past, a file and a post in an hour; return what is live and what waits."""
    photo = room.upload(samples()["plain.jpg"].data, "bread.jpg")
    live = room.sent("x", media_ids=[photo], caption="Live")
    room.delete(room.draft("linkedin", caption="Deleted"))
    room.draft("linkedin", caption="Draft")
    waiting = room.scheduled("linkedin", "x", caption="Waiting", media_ids=[photo])
    keep_tokens(room, "at-first")
    pictures = room.house.deployment.people.pictures
    pictures.rows.put(room.workspace_id, samples()["plain.jpg"].data)
    return live, waiting


def _rows(room: Room, houses: TwoHouses) -> dict[tuple[str, str], Document]:
    """Return all rows of a workspace that come along, as far as a move leaves them as they are."""
    side = houses.move().source if room.house is houses.here else houses.move().target
    kept = [one for one in side.rows.rows.of(room.workspace_id) if one.kind.moved is Moved.AS_IT_IS]
    loose = {"version", "wake_at", "person_id", "used_bytes"}
    return {
        (one.row["pk"], one.row["sk"]): {
            name: value for name, value in one.row.items() if name not in loose
        }
        for one in kept
    }


def test_everything_comes_along_and_goes_out_there(room: Room, houses: TwoHouses) -> None:
    live, waiting = _lived_in(room)
    history = room.get(f"/v1/posts/{waiting['id']}/history").json
    shown = [room.show(post) for post in (live, waiting)]
    before = _rows(room, houses)

    houses.move().carry_out(room.workspace_id)

    there = houses.room_there(room)
    assert shown == [there.show(post) for post in (live, waiting)]
    assert history == there.get(f"/v1/posts/{waiting['id']}/history").json
    assert before == _rows(there, houses)
    media = there.get("/v1/media").json["data"][0]
    assert there.get(f"/v1/media/{media['id']}/file").status in {200, 302, 307}
    there.pass_time(timedelta(hours=1))
    assert ["published", "published"] == there.statuses(waiting)
    assert 1 == len(_taken(houses.there.sandbox, waiting, 0))
    assert [] == _taken(houses.here.sandbox, waiting, 0)


def _taken(sandbox: SandboxHere, post: Document, place: int) -> list[object]:
    target = post["targets"][place]
    return [*sandbox.find(target["account_id"], target["id"])]


def _posted(house: House, room: Room) -> list[str]:
    """Return the captions that a side's sandbox has of a workspace."""
    ids = set(room.accounts.values())
    entries = house.sandbox.entries()
    return sorted(entry.caption for entry in entries if entry.account_id in ids)


def test_what_was_left_has_nothing_but_the_way_on(room: Room, houses: TwoHouses) -> None:
    _, waiting = _lived_in(room)
    given = room.house.deployment
    owner = given.people.administration.list_members(room.workspace_id)[0]
    given.whole_workspace.export_requests.ask(room.workspace_id, owner.id)
    assert given.whole_workspace.export_requests.run()

    houses.move().carry_out(room.workspace_id)

    gone = room.get("/v1/posts")
    assert (421, "workspace_moved") == gone.refusal
    assert "127.0.0.1" in gone.json["error"]["message"]
    deployment = room.house.deployment
    tables = deployment.tables
    left = [
        row
        for table in (tables.posts, tables.directory, tables.media)
        for row in deployment.clients.dynamodb.scan(TableName=table)["Items"]
        if room.workspace_id in str(row) or waiting["id"] in str(row)
    ]
    assert {"KEY", "MOVED"} == {row["sk"]["S"] for row in left}
    assert [] == [row for row in left if "Ada" in str(row) or "lighthouse" in str(row)]
    assert [] == _posted(houses.here, room)
    bucket = deployment.settings.media_bucket
    found = deployment.clients.s3.list_objects_v2(Bucket=bucket).get("Contents", [])
    assert [] == [one for one in found if room.workspace_id in one["Key"]]


def test_tokens_open_there_and_are_sealed_with_the_key_of_that_side(
    room: Room, houses: TwoHouses
) -> None:
    account_id = keep_tokens(room, "a-token")
    sealed = _token_row(houses.here, room, account_id)

    houses.move().carry_out(room.workspace_id)

    store = houses.there.deployment.stores.token_store
    accounts = houses.there.deployment.stores.account_repository.list(room.workspace_id)
    account = next(one for one in accounts if one.id == account_id)
    kept = store.read(account)
    assert kept is not None
    assert "a-token" == kept.tokens.access
    assert sealed["secret"] != _token_row(houses.there, room, account_id)["secret"]
    assert store.lock(account, kept.version, now=houses.there.clock())


def _token_row(house: House, room: Room, account_id: str) -> Document:
    rows = house.deployment.whole_workspace.moving_side.rows.rows.of(room.workspace_id)
    row: Document = next(
        one.row for one in rows if one.name == "tokens" and account_id in one.row["sk"]
    )
    return row


def test_a_post_that_falls_due_meanwhile_is_sent_by_the_other_side_alone(
    room: Room, houses: TwoHouses
) -> None:
    soon = room.scheduled("x", at=room.in_(seconds=20))

    with pytest.raises(Killed):
        houses.move(power=Power(left=8)).carry_out(room.workspace_id)
    room.pass_time(timedelta(minutes=5))
    assert [] == _taken(houses.here.sandbox, soon, 0)
    houses.move().carry_out(room.workspace_id)

    there = houses.room_there(room)
    there.pass_time(timedelta(minutes=1))
    assert ["published"] == there.statuses(soon)
    assert 1 == len(_taken(houses.there.sandbox, soon, 0))
    assert [] == _taken(houses.here.sandbox, soon, 0)


def test_while_it_is_shut_its_keys_are_asked_to_come_again(room: Room, houses: TwoHouses) -> None:
    _lived_in(room)

    for left in itertools.count(1):
        with pytest.raises(Killed):
            houses.move(power=Power(left)).carry_out(room.workspace_id)
        if not houses.move().source.doors.is_open(room.workspace_id):
            break

    assert (503, "workspace_moving") == room.get("/v1/posts").refusal
    assert "5" == room.get("/v1/posts").response.headers["Retry-After"]
    assert 401 == houses.room_there(room).get("/v1/posts").status
    houses.move().give_up(room.workspace_id)


def _ended_at(
    houses: TwoHouses, room: Room, move: Move, ended: type[BaseException], posts: Posts
) -> bool:
    """Let a move end too early, look at both sides, and let another go on; tell whether it did."""
    try:
        move.carry_out(room.workspace_id)
    except ended:
        was_ended = True
    else:
        was_ended = False
    open_sides = [
        house.deployment.whole_workspace.moving_side.doors.is_open(room.workspace_id)
        for house in (houses.here, houses.there)
    ]
    assert open_sides != [True, True]
    if was_ended:
        houses.move().carry_out(room.workspace_id)
    there = houses.room_there(room)
    live, waiting = posts
    assert ["published"] == there.statuses(live)
    assert ["scheduled", "scheduled"] == there.statuses(waiting)
    assert 421 == room.get("/v1/posts").status
    return was_ended


def _goes_on_from(
    houses: TwoHouses,
    moments: range,
    ending: Callable[[int], Move],
    ended: type[BaseException],
) -> int:
    """Move a workspace for each moment, let what waits in each go out; return how many."""
    moved = []
    for left in moments:
        room = houses.here.room()
        posts = _lived_in(room)
        before, posted = _rows(room, houses), _posted(houses.here, room)
        assert posted
        did_end = _ended_at(houses, room, ending(left), ended, posts)
        assert before == _rows(houses.room_there(room), houses)
        assert posted == _posted(houses.there, room)
        assert [] == _posted(houses.here, room)
        moved.append((room, posts[1]))
        if not did_end:
            break
    houses.here.clock.pass_time(timedelta(hours=1))
    for room, waiting in moved:
        there = houses.room_there(room)
        there.pass_time(timedelta(minutes=10))
        assert ["published", "published"] == there.statuses(waiting)
        assert [1, 1] == [len(_taken(houses.there.sandbox, waiting, n)) for n in (0, 1)]
        assert [[], []] == [_taken(houses.here.sandbox, waiting, n) for n in (0, 1)]
    return len(moved)


def _killed(houses: TwoHouses, moments: range) -> int:
    def killed(left: int) -> Move:
        return houses.move(power=Power(left, is_late=bool(left % 2)))

    return _goes_on_from(houses, moments, killed, Killed)


def _unanswered(houses: TwoHouses, moments: range) -> int:
    def unanswered(left: int) -> Move:
        return houses.move_while_it_answers(Line(left))

    return _goes_on_from(houses, moments, unanswered, EndpointConnectionError)


def test_a_move_goes_on_after_a_kill(houses: TwoHouses) -> None:
    assert _killed(houses, range(2, 60, 7)) > 3


@pytest.mark.prove
def test_a_move_goes_on_after_a_kill_at_each_write(houses: TwoHouses) -> None:
    assert _killed(houses, range(1, 1_000)) > 20


@pytest.mark.costly
def test_a_move_goes_on_once_a_side_answers_that_was_down(houses: TwoHouses) -> None:
    assert _unanswered(houses, range(0, 300, 13)) > 5


@pytest.mark.prove
def test_a_move_goes_on_wherever_the_other_side_was_down(houses: TwoHouses) -> None:
    assert _unanswered(houses, range(1_000)) > 50


def test_a_move_that_is_given_up_while_the_other_side_is_down_leaves_no_copy_later(
    room: Room, houses: TwoHouses
) -> None:
    _, waiting = _lived_in(room)
    with pytest.raises(EndpointConnectionError):
        houses.move_while_it_answers(Line(70)).carry_out(room.workspace_id)
    assert [*houses.move().target.rows.rows.of(room.workspace_id)]

    with pytest.raises(EndpointConnectionError):
        houses.move_while_it_answers(Line(0)).give_up(room.workspace_id)
    opened = room.statuses(waiting)
    houses.move().give_up(room.workspace_id)

    assert ["scheduled", "scheduled"] == opened
    assert [] == [*houses.move().target.rows.rows.of(room.workspace_id)]
    assert houses.there.deployment.stores.marks.find(room.workspace_id) is None
    with pytest.raises(OtherMoveError):
        houses.move().give_up(room.workspace_id)


def test_a_move_that_is_given_up_leaves_all_as_it_was(room: Room, houses: TwoHouses) -> None:
    live, waiting = _lived_in(room)
    before, posted = _rows(room, houses), _posted(houses.here, room)
    assert posted
    for left in range(5, 200, 11):
        with pytest.raises(Killed):
            houses.move(power=Power(left)).carry_out(room.workspace_id)
        mark = houses.here.deployment.stores.marks.find(room.workspace_id)
        if mark is not None and mark.has_left:
            houses.move().carry_out(room.workspace_id)
            assert posted == _posted(houses.there, room)
            break

        houses.move().give_up(room.workspace_id)

        assert posted == _posted(houses.here, room)
        assert [] == _posted(houses.there, room)
        assert ["scheduled", "scheduled"] == room.statuses(waiting)
        assert ["published"] == room.statuses(live)
        assert before == _rows(room, houses)
        rows = houses.move().target.rows.rows.of(room.workspace_id)
        assert [] == list(rows)
        assert houses.there.deployment.stores.marks.find(room.workspace_id) is None


def test_a_workspace_moves_back(room: Room, houses: TwoHouses) -> None:
    _, waiting = _lived_in(room)
    before, posted = _rows(room, houses), _posted(houses.here, room)
    houses.move().carry_out(room.workspace_id)

    houses.move(back=True).carry_out(room.workspace_id)

    assert before == _rows(room, houses)
    assert posted == _posted(houses.here, room)
    assert [] == _posted(houses.there, room)
    assert 421 == houses.room_there(room).get("/v1/posts").status
    room.pass_time(timedelta(hours=1))
    assert ["published", "published"] == room.statuses(waiting)


def test_two_commands_at_once_end_in_one_move(room: Room, houses: TwoHouses) -> None:
    _, waiting = _lived_in(room)
    with pytest.raises(Killed):
        houses.move(power=Power(12)).carry_out(room.workspace_id)
    stale = houses.here.deployment.stores.marks.find(room.workspace_id)
    assert stale is not None
    houses.move().carry_out(room.workspace_id)

    marks = houses.there.deployment.stores.marks
    with pytest.raises(MoveTakenOverError):
        marks.writes(stale).commit()
    with pytest.raises(MoveTakenOverError):
        houses.here.deployment.stores.marks.advance(stale)
    there = houses.room_there(room)
    there.pass_time(timedelta(hours=1))
    assert ["published", "published"] == there.statuses(waiting)


def test_a_worker_that_has_a_target_in_hand_finishes_it_here(room: Room, houses: TwoHouses) -> None:
    slow = room.draft("x", caption="Slow sandbox:slow:120")
    room.act(slow, "publish-now")
    room.run_due()
    assert ["publishing"] == room.statuses(slow)
    move = houses.move()
    waited: list[float] = []

    def work(seconds: float) -> None:
        waited.append(seconds)
        houses.here.clock.pass_time(timedelta(seconds=seconds))
        room.run_due()

    replace(move, wait=work).carry_out(room.workspace_id)

    assert ["published"] == houses.room_there(room).statuses(slow)
    assert 1 == len(_taken(houses.there.sandbox, slow, 0))
    assert [] == _taken(houses.here.sandbox, slow, 0)
    assert sum(waited) > 60


def test_where_there_is_nothing_to_move_nothing_is_written(room: Room, houses: TwoHouses) -> None:
    with pytest.raises(UnknownWorkspaceError):
        houses.move().carry_out("0" * 32)
    with pytest.raises(OtherMoveError):
        houses.move().give_up(room.workspace_id)
    houses.move().carry_out(room.workspace_id)
    houses.move().carry_out(room.workspace_id)
    move = houses.move()
    elsewhere = replace(move.target, identity="stage elsewhere")
    with pytest.raises(MovedAwayError):
        replace(move, target=elsewhere).carry_out(room.workspace_id)
    with pytest.raises(SamePlaceError):
        replace(move, target=move.source).carry_out(room.workspace_id)


def test_what_a_backup_of_before_the_move_brings_back_is_cleared(
    room: Room, houses: TwoHouses
) -> None:
    _, waiting = _lived_in(room)
    side, tables = houses.move().source, room.house.deployment.tables
    backup = [(table_of(kept, tables), kept.row) for kept in side.rows.rows.of(room.workspace_id)]
    houses.move().carry_out(room.workspace_id)
    client = room.house.deployment.clients.dynamodb
    for table, row in backup:
        client.put_item(TableName=table, Item=attributes(row))
    assert ["scheduled", "scheduled"] == room.statuses(waiting)

    with pytest.raises(NotThereError):
        houses.move(back=True).clear_restored(room.workspace_id.replace("0", "1"))
    houses.move().clear_restored(room.workspace_id)

    assert 421 == room.get("/v1/posts").status
    assert [] == room.waking(houses.here.clock() + timedelta(days=1))
    assert ["scheduled", "scheduled"] == houses.room_there(room).statuses(waiting)
