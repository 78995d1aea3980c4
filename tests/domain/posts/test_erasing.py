"""What is left of a deleted post is nobody's words."""

from chalicelib.domain.posts.erasing import without_words
from chalicelib.domain.posts.post import Written
from tests.support.builders import a_post


def test_no_field_that_somebody_writes_on_a_post_is_left() -> None:
    every_field = Written(**dict.fromkeys(Written().words, "Rye, on Fridays."))
    written = a_post().with_words_of(every_field)

    left = without_words(written)

    assert written.words == every_field.words
    assert left.words == Written().words
