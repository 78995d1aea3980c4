"""What was seen lately is known for so long, and only the last so many of it."""

from chalicelib.kit.limits.lately import Lately


class Seconds:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_known_for_so_long_after_it_was_noted_last() -> None:
    seconds = Seconds()
    lately = Lately(10, 60, seconds)
    lately.note("a key")
    seconds.now = 59
    assert lately.has("a key")
    lately.note("a key")
    seconds.now = 118
    assert lately.has("a key")
    seconds.now = 119
    assert not lately.has("a key")
    assert not lately.has("another")


def test_the_one_that_was_noted_longest_ago_makes_room() -> None:
    lately = Lately(2, 60)
    for text in ("one", "two", "one", "three"):
        lately.note(text)

    assert [lately.has(text) for text in ("one", "two", "three")] == [True, False, True]


def test_any_text_of_a_header_can_be_asked_for() -> None:
    lately = Lately(2, 60)

    assert not lately.has("\udce9 Bearer é")
