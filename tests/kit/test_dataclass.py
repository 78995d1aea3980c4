"""The project's `dataclass` beside the standard library's: what a class can do is the same."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from chalicelib.kit import dataclass as ours

Decorator = Callable[..., Callable[[type], Any]]
EITHER = pytest.mark.parametrize("decorate", [dataclasses.dataclass, ours.dataclass])


@ours.dataclass(frozen=True, slots=True)
class Place:
    """A value of two fields, which processes may hand to each other."""

    name: str
    floors: list[int] = field(default_factory=list)


def _house(decorate: Decorator) -> Callable[..., Any]:
    """Return a class with each sort of field that the project uses."""

    @decorate(frozen=True, slots=True, kw_only=True)
    class House:
        """A house."""

        street: str
        number: int = 1
        key: str = field(default="1234", repr=False)
        seen: int = field(default=0, compare=False)
        rooms: list[str] = field(default_factory=list)
        notes: dict[str, str] = field(default_factory=dict, init=False, compare=False)
        fixed: str = field(default="brick", init=False)
        upper: str = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "upper", self.street.upper())

    return House


@EITHER
def test_fields_show_what_was_given_and_what_follows_from_it(decorate: Decorator) -> None:
    house = _house(decorate)(street="Elm", key="secret")

    assert repr(house).endswith(
        "House(street='Elm', number=1, seen=0, rooms=[], notes={}, fixed='brick', upper='ELM')"
    )
    assert house.key == "secret"


def test_a_constructor_has_the_signature_of_the_standard_one() -> None:
    standard, mine = _house(dataclasses.dataclass), _house(ours.dataclass)

    assert inspect.get_annotations(mine.__init__) == inspect.get_annotations(standard.__init__)
    assert [
        (each.name, each.kind, each.default is each.empty)
        for each in inspect.signature(mine).parameters.values()
    ] == [
        (each.name, each.kind, each.default is each.empty)
        for each in inspect.signature(standard).parameters.values()
    ]


@EITHER
@pytest.mark.parametrize(
    "wrong", [{}, {"street": "Elm", "colour": "red"}, {"street": "Elm", "fixed": "wood"}]
)
def test_missing_and_unknown_fields_are_refused(decorate: Decorator, wrong: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="__init__"):
        _house(decorate)(**wrong)


@EITHER
def test_each_value_has_defaults_of_its_own(decorate: Decorator) -> None:
    house = _house(decorate)

    assert house(street="Elm").rooms is not house(street="Elm").rooms
    assert house(street="Elm").notes is not house(street="Elm").notes


@EITHER
def test_values_are_equal_by_the_fields_that_count(decorate: Decorator) -> None:
    house = _house(decorate)

    assert house(street="Elm", seen=1) == house(street="Elm", seen=2)
    assert house(street="Elm") != house(street="Elm", number=2)
    assert house(street="Elm") != _house(decorate)(street="Elm")


@EITHER
def test_equal_values_are_one_key(decorate: Decorator) -> None:
    class Door:
        number: int
        opened: int = field(default=0, compare=False)

    door = decorate(frozen=True, slots=True)(Door)

    assert len({door(1), door(1, 5), door(2)}) == len({1, 2})


@EITHER
def test_a_value_cannot_be_changed_nor_given_more(decorate: Decorator) -> None:
    house = _house(decorate)(street="Elm")

    with pytest.raises(FrozenInstanceError):
        house.street = "Oak"
    with pytest.raises(FrozenInstanceError):
        del house.street
    with pytest.raises((FrozenInstanceError, TypeError)):
        house.colour = "red"
    assert not hasattr(house, "__dict__")


@EITHER
def test_a_value_is_replaced_told_and_copied(decorate: Decorator) -> None:
    house = _house(decorate)(street="Elm", rooms=["hall"])

    assert dataclasses.replace(house, street="Oak").upper == "OAK"
    assert dataclasses.asdict(house)["rooms"] == ["hall"]
    assert copy.deepcopy(house) == house
    assert copy.copy(house).rooms is house.rooms


def test_a_value_goes_to_another_process() -> None:
    place = Place("attic", [3, 4])

    assert pickle.loads(pickle.dumps(place)) == place  # noqa: S301 - our own


@EITHER
def test_a_class_keeps_methods_of_its_own(decorate: Decorator) -> None:
    class Lock:
        number: int

        def __repr__(self) -> str:
            return "a lock"

    lock = decorate(frozen=True, slots=True)(Lock)

    assert repr(lock(1)) == "a lock"


@EITHER
def test_a_class_that_follows_another_has_the_fields_of_both(decorate: Decorator) -> None:
    class Wall:
        height: int

    wall = decorate(frozen=True, slots=True)(Wall)

    class Window(wall):  # type: ignore[misc,valid-type]
        width: int = 2

    window = decorate(frozen=True, slots=True)(Window)

    assert dataclasses.astuple(window(3)) == (3, 2)
    assert window(3) != wall(3)


@EITHER
def test_a_class_without_fields_has_one_value(decorate: Decorator) -> None:
    @decorate(frozen=True, slots=True)
    class Nothing:
        """No field."""

    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1


@EITHER
@pytest.mark.parametrize("frozen", [True, False])
def test_a_value_that_asks_for_it_is_equal_to_itself_alone(
    decorate: Decorator, *, frozen: bool
) -> None:
    class Call:
        server: str

    made = decorate(slots=True, frozen=frozen, eq=False)(Call)

    assert made("x.com") != made("x.com")
    assert len({made("x.com"), made("x.com")}) == 2


@EITHER
def test_a_value_that_may_change_is_the_standard_one(decorate: Decorator) -> None:
    class Counter:
        count: int = 0

    made = decorate(slots=True)(Counter)
    counter = made()
    counter.count = 4

    assert counter == made(4)
