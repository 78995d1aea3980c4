"""Google's own client, `google-api-python-client`, against our fake, which judges the connector.

Its descriptions of Google's APIs know accounts and locations, so those calls and answers are held
against them. They do not know posts: for these the fake has a strict schema of its own.
"""

from collections.abc import Iterator

import pytest
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import Resource, build
from googleapiclient.errors import HttpError, UnknownApiNameOrVersion

from chalicelib.domain.workspace.tokens import Tokens
from tests.connectors.google_business_profile.fake import (
    ACCOUNTS,
    LOCATIONS,
    FakeGoogleBusinessProfile,
)
from tests.connectors.google_business_profile.rig import connector_at
from tests.connectors.support.discovery import document
from tests.connectors.support.fake_platform import Answer, Received
from tests.support.frozen_clock import NOON, FrozenClock

MANAGEMENT, INFORMATION = "mybusinessaccountmanagement", "mybusinessbusinessinformation"
FIELDS = "name,title,storefrontAddress,metadata"


class HeldFake(FakeGoogleBusinessProfile):
    """The fake, remembering what Google's descriptions do not know of its calls and answers."""

    def __init__(self) -> None:
        super().__init__(FrozenClock())
        self.held: list[str] = []
        self.problems: list[str] = []

    def answer(self, call: Received) -> Answer:
        answer = super().answer(call)
        if call.path.startswith("/v1/"):
            name = INFORMATION if call.path.endswith("/locations") else MANAGEMENT
            described = document(f"{name}.v1")
            self.held.append(call.name)
            self.problems += described.call_problems(call)
            self.problems += described.answer_problems(call, answer.body)
        return answer


@pytest.fixture
def fake() -> Iterator[HeldFake]:
    made = HeldFake()
    yield made
    made.close()


def _client(fake: FakeGoogleBusinessProfile, name: str) -> Resource:
    return build(
        name,
        "v1",
        credentials=Credentials(token=fake.tokens[0]),  # type: ignore[no-untyped-call]  # google-auth
        static_discovery=True,
        client_options={"api_endpoint": fake.url},
    )


class TestTheFake:
    """What Google's client does, the fake takes."""

    @pytest.mark.parametrize("page_size", [20, 1])
    def test_it_lists_accounts_page_by_page(self, fake: HeldFake, page_size: int) -> None:
        fake.page_size = page_size
        with _client(fake, MANAGEMENT) as client:
            found, request = [], client.accounts().list(pageSize=20)
            while request is not None:
                page = request.execute()
                found += page["accounts"]
                request = client.accounts().list_next(request, page)

        assert found == ACCOUNTS
        assert len(fake.calls) == max(1, len(ACCOUNTS) // page_size)
        assert fake.problems == []

    @pytest.mark.parametrize("page_size", [100, 1])
    def test_it_lists_locations_page_by_page(self, fake: HeldFake, page_size: int) -> None:
        fake.page_size = page_size
        with _client(fake, INFORMATION) as client:
            locations = client.accounts().locations()
            found, request = [], locations.list(parent="accounts/111", readMask=FIELDS)
            while request is not None:
                page = request.execute()
                found += page["locations"]
                request = locations.list_next(request, page)

        assert found == LOCATIONS["accounts/111"]
        assert fake.problems == []

    def test_it_shows_only_what_the_mask_names(self, fake: HeldFake) -> None:
        with _client(fake, INFORMATION) as client:
            locations = client.accounts().locations()
            page = locations.list(parent="accounts/111", readMask="name,title").execute()

        assert page["locations"][0] == {"name": "locations/222", "title": "Fake Cafe"}

    @pytest.mark.parametrize(
        ("parent", "mask", "status"),
        [("accounts/111", None, 400), ("accounts/999", FIELDS, 404)],
        ids=["no mask", "no such account"],
    )
    def test_it_refuses_what_google_refuses(
        self, fake: HeldFake, parent: str, mask: str | None, status: int
    ) -> None:
        with _client(fake, INFORMATION) as client:
            request = client.accounts().locations().list(parent=parent, readMask=mask)
            with pytest.raises(HttpError) as refused:
                request.execute()

        assert refused.value.resp.status == status

    def test_no_package_describes_posts(self) -> None:
        """If this fails, one does now: hold the fake's posts against it."""
        with pytest.raises(UnknownApiNameOrVersion):
            build("mybusiness", "v4", static_discovery=True)


@pytest.mark.parametrize("page_size", [100, 1])
def test_every_call_of_a_sign_in_is_one_that_google_describes(
    fake: HeldFake, page_size: int
) -> None:
    fake.page_size = page_size
    connector = connector_at(fake)

    found = connector.identities(Tokens(access=fake.tokens[0]), NOON)

    assert len(found) == 3
    assert set(fake.held) == {
        "GET /v1/accounts",
        "GET /v1/accounts/111/locations",
        "GET /v1/accounts/112/locations",
    }
    assert fake.problems == []
