"""The pages for platforms' reviews name every scope that a sign-in asks for, and no other."""

import re
from pathlib import Path

import pytest

from chalicelib.connectors.facebook import connector as facebook
from chalicelib.connectors.google_business_profile import account as google
from chalicelib.connectors.instagram import account as instagram
from chalicelib.connectors.threads import account as threads
from chalicelib.connectors.tiktok.account import DRAFT_SCOPES
from chalicelib.connectors.youtube import account as youtube
from chalicelib.domain.platforms import tiktok_form

FOLDER = Path(__file__).parents[3] / "docs" / "reviews"
SCOPES = {
    "tiktok": DRAFT_SCOPES,
    "meta": (
        *facebook._SCOPES,
        *instagram._SCOPES,
        *instagram._FACEBOOK_SCOPES,
        *threads._SCOPES,
    ),
    "google": (*youtube.SCOPES, *google._SCOPES),
}
_A_SCOPE = re.compile(
    r"`((?:user\.info|video)\.[a-z]+"
    r"|(?:pages|instagram|threads|read|publish|business)_[a-z_]+|https://www\.googleapis\.com/auth/[a-z.-]+)`"
)


@pytest.mark.parametrize("page", SCOPES)
def test_a_review_page_has_each_scope_that_is_asked_for(page: str) -> None:
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")

    assert set(SCOPES[page]) == set(_A_SCOPE.findall(text))


@pytest.mark.parametrize(
    "sentence",
    [
        tiktok_form.INDICATE,
        tiktok_form.NOT_PRIVATE,
        tiktok_form.PROMOTIONAL,
        tiktok_form.PARTNERSHIP,
        tiktok_form.DECLARATION,
        tiktok_form.BRANDED_DECLARATION,
    ],
)
def test_tiktoks_page_has_tiktoks_sentences(sentence: str) -> None:
    text = " ".join((FOLDER / "tiktok.md").read_text(encoding="utf-8").split())

    assert sentence in text
