"""Whom a post can mention, found by words on Bluesky and LinkedIn."""

import pytest

from chalicelib.connectors.connector import OffersChoices
from chalicelib.domain.platforms.choices import Choice, ChoiceQuery, Choices
from chalicelib.kit.transport.failures import PlatformError
from tests.connectors.bluesky.rig import a_rig as bluesky
from tests.connectors.linkedin.fake import PAGE
from tests.connectors.linkedin.rig import a_rig as linkedin
from tests.connectors.support.rig import Rig


def found(rig: Rig, words: str | None) -> Choices:
    assert isinstance(rig.connector, OffersChoices)
    signed = rig.keeper.sign_in(rig.account, rig.connector)
    try:
        return rig.connector.choices(signed, ChoiceQuery(words=words))
    finally:
        rig.platform.close()


# docs.bsky.app/docs/api/app-bsky-actor-search-actors-typeahead: `q`, `limit`; no sign-in.
def test_people_of_bluesky_are_found_by_words() -> None:
    assert found(bluesky(), "pia").offered == {"mentions": (Choice("pia.test", "Pia"),)}


# learn.microsoft.com/linkedin/marketing/community-management/organizations: q=vanityName.
@pytest.mark.parametrize("words", ["noras-bakery", "Noras Bakery", "@noras-bakery"])
def test_pages_of_linkedin_are_found_by_the_words_of_their_address(words: str) -> None:
    assert found(linkedin(PAGE), words).offered == {
        "mentions": (Choice("noras-bakery", "Nora's (Bakery)"),)
    }


@pytest.mark.parametrize("words", ["nobody here", "a&b=c", "../../me", "ä" * 200])
def test_words_that_no_address_has_find_nobody(words: str) -> None:
    assert found(linkedin(PAGE), words).offered == {"mentions": ()}


def test_without_words_nothing_is_asked() -> None:
    rig = bluesky()

    assert found(rig, None) == Choices()
    assert rig.platform.calls == []


def test_a_sign_in_that_may_not_look_says_so() -> None:
    rig = linkedin(PAGE)
    rig.platform.may_read = False

    with pytest.raises(PlatformError):
        found(rig, "noras-bakery")
