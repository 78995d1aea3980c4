"""The page on personal data tells of every kind of row, and of as long as the code keeps it."""

from chalicelib.domain.media.media import KEPT_AFTER_DONE
from chalicelib.domain.workspace.activity import KEPT
from chalicelib.domain.workspace.deletion import AGAIN_AFTER
from chalicelib.domain.workspace.sessions import IDLE, LINK_LIFETIME, LONGEST
from tests.repository.docs.personal_data import PAGE, written


def test_its_table_is_as_the_code_says() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert written(page) == page, "Run `make tables`."


def test_its_times_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for told in (
        f"{KEPT.days} days",
        f"{IDLE.days} idle days, {LONGEST.days} in all",
        f"{int(LINK_LIFETIME.total_seconds() / 60)} minutes",
        f"{KEPT_AFTER_DONE.days} days after",
        f"{int(AGAIN_AFTER.total_seconds() / 60)} minutes later",
    ):
        assert told in page, told
