"""Letters where workspaces are many: what just happened is told at once, the rest in turn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.domain.workspace import rounds
from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.activity import Actor, ActorKind
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.domain.workspace.rounds import CYCLE
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.services.operator import notices as notices_module
from chalicelib.services.operator.notices import IncompleteRoundError, Notices
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.mail_server import MailServer, a_mail_server
from tests.web.browser import Browser, a_photo

MANY, IN_TURN = 12, 2
ROUND = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Offices:
    """Many workspaces, of which few have their turn in a round."""

    house: House
    rooms: list[Room]
    mail: MailServer
    notices: Notices

    def round(self) -> list[str]:
        """Let half a minute go by and run a round; return the addresses that got a letter then."""
        known = len(self.mail.letters)
        self.house.clock.pass_time(ROUND)
        self.notices.run()
        return [str(letter["To"]).partition("@")[0] for letter in self.mail.letters[known:]]

    def rounds(self, time: timedelta) -> list[str]:
        """Run the rounds of some time."""
        return [name for _ in range(time // ROUND) for name in self.round()]


@pytest.fixture
def offices(
    emulator: EmulatorProcess,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Offices]:
    for module in (rounds, notices_module):
        monkeypatch.setattr(module, "AT_LEAST", IN_TURN)
    house = a_house(emulator, tmp_path_factory.mktemp("offices"))
    rooms = [house.room() for _ in range(MANY)]
    administration = house.deployment.people.administration
    for number, room in enumerate(rooms):
        (owner,) = administration.list_members(room.workspace_id)
        kinds = frozenset(NoticeKind) - {NoticeKind.DIGEST}
        address = f"room{number}@bakery.example"
        administration.tell_member(owner.id, email=address, notices=kinds)
    with a_mail_server() as mail:
        notices = house.deployment.people.make_notices(SmtpMailer(mail.url))
        made = Offices(house, rooms, mail, notices)
        assert made.rounds(CYCLE) == []
        yield made


def _fails(room: Room) -> None:
    room.sent("x", caption="sandbox:fail:media_rejected")


def _is_reminded(room: Room) -> None:
    room.house.deployment.stores.workspaces.update(room.workspace_id, plan=Plan.FREE)
    at = f"{room.house.clock() + timedelta(minutes=1):%Y-%m-%dT%H:%M}"
    fields = {"account": room.account("linkedin"), "do": "schedule", "way": "", "caption": "Rye"}
    Browser.of(room).signed_in().send("/app/posts/new", {**fields, "at": at})
    room.pass_time(timedelta(minutes=2))


def _is_commented(room: Room) -> None:
    post = room.draft("x")
    grace = Browser.of(room).as_role(Role.EDITOR)
    grace.send(f"/app/posts/{post['id']}/comments", {"comment": "Is this right, @ada?"})


def _is_signed_out(room: Room) -> None:
    given = room.house.deployment
    account = given.stores.account_repository.get(room.workspace_id, room.account("x"))
    assert account is not None
    given.people.connections.set_health(account.id, Health.BROKEN)
    given.workspace.risk_notices.account_broke(account)


def _makes_a_key(room: Room) -> None:
    administration = room.house.deployment.people.administration
    (owner,) = administration.list_members(room.workspace_id)
    by = Actor(kind=ActorKind.MEMBER, id=owner.id, name=owner.name)
    administration.create_key(owner.id, by=by)


def _asks_for_an_address(room: Room) -> None:
    administration = room.house.deployment.people.administration
    (owner,) = administration.list_members(room.workspace_id)
    administration.ask_address(owner.id, email="room7@mill.example", notices=owner.notices)


def _contributor(room: Room) -> Room:
    """Return one who was there before, where posts are approved: nothing is told of that."""
    workspaces, _ = room.house.deployment.stores.workspaces, room.account("x")
    workspaces.update(room.workspace_id, approvals=True)
    contributor = room.member(Role.CONTRIBUTOR)
    workspaces.settle(room.workspace_id, workspaces.marks()[room.workspace_id] or "")
    return contributor


def _waits(room: Room) -> None:
    _contributor(room).draft("x", caption="Please look")


def _waits_once_it_is_edited(room: Room) -> None:
    post = room.draft("x")
    _contributor(room).patch(post, {"caption": "Please look"})


def _waits_as_a_copy(room: Room) -> None:
    post = room.draft("x")
    _contributor(room).act(post, "duplicate")


def _waits_for_whoever_has_a_link(room: Room) -> None:
    _contributor(room)
    post = room.draft("x")
    Browser.of(room).signed_in().send(f"/app/review/{post['id']}/link")


def _loses_its_file(room: Room) -> None:
    picture = room.upload(a_photo(), "rye.jpg")
    room.scheduled("x", media_ids=[picture])
    room.ask("DELETE", f"/v1/media/{picture}")


@pytest.mark.parametrize(
    "happens",
    [
        _fails,
        _is_reminded,
        _is_commented,
        _is_signed_out,
        _makes_a_key,
        _asks_for_an_address,
        _waits,
        _waits_once_it_is_edited,
        _waits_as_a_copy,
        _waits_for_whoever_has_a_link,
        _loses_its_file,
    ],
)
def test_what_just_happened_is_told_in_the_next_round(
    offices: Offices, happens: Callable[[Room], None]
) -> None:
    happens(offices.rooms[7])

    told = offices.round()

    assert told == ["room7"]


def test_what_nobody_marked_is_told_within_the_cycle(offices: Offices) -> None:
    switch = offices.house.deployment.stores.engine_switch
    switch.pause()

    told, again = offices.rounds(CYCLE), offices.rounds(2 * CYCLE)
    switch.resume()

    assert sorted(told) == sorted(f"room{number}" for number in range(MANY))
    assert again == []


def test_a_round_looks_at_a_part_of_all(offices: Offices, monkeypatch: pytest.MonkeyPatch) -> None:
    find, seen = offices.notices.members.list, list[str]()

    def noted(workspace_id: str) -> list[Member]:
        seen.append(workspace_id)
        return find(workspace_id)

    monkeypatch.setattr(offices.notices.members, "list", noted)
    offices.round()
    one = len(seen)
    offices.house.clock.pass_time(CYCLE)
    offices.round()

    assert (one, len(seen) - one) == (IN_TURN, MANY)


def test_a_round_that_takes_too_long_goes_on_with_the_next(
    offices: Offices, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, seen = offices.house.clock, list[str]()
    find = offices.notices.members.list

    def slowly(workspace_id: str) -> list[Member]:
        seen.append(workspace_id)
        clock.pass_time(timedelta(seconds=15))
        return find(workspace_id)

    monkeypatch.setattr(offices.notices.members, "list", slowly)
    clock.pass_time(CYCLE)
    for _ in range(MANY):
        offices.notices.run()

    assert {room.workspace_id for room in offices.rooms} == set(seen)


def test_who_could_not_be_told_is_looked_at_in_the_next_round(
    offices: Offices, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fails(offices.rooms[7])
    find, failing = offices.notices.members.list, [offices.rooms[7].workspace_id]

    def fails_once(workspace_id: str) -> list[Member]:
        if workspace_id in failing:
            failing.remove(workspace_id)
            raise ValueError
        return find(workspace_id)

    monkeypatch.setattr(offices.notices.members, "list", fails_once)
    with pytest.raises(IncompleteRoundError):
        offices.round()

    assert offices.round() == ["room7"]
