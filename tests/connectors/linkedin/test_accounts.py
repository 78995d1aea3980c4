"""The LinkedIn connector beside publishing: removal, metrics, and the way in."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from chalicelib.connectors.linkedin.api import encode_list, encode_urn
from chalicelib.connectors.linkedin.connector import LinkedInConnector
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from tests.connectors.linkedin.fake import CLIENT_ID, CLIENT_SECRET, MEMBER, PAGE
from tests.connectors.linkedin.rig import LinkedInRig
from tests.support.frozen_clock import NOON


class TestLivePosts:
    """Removal and metrics."""

    def test_a_pages_posts_are_asked_about_together(self, page: LinkedInRig) -> None:
        lives = []
        for shape in ("text", "video"):
            done = page.drive(shape).run()
            assert isinstance(done, Done)
            lives.append(page.live(done))
        calls = len(page.platform.calls)
        unreported = replace(lives[0], remote_id="urn:li:share:1")

        told = page.connector.metrics([*lives, unreported])

        metrics = Metrics(views=640, likes=21, comments=4, shares=3)
        assert told == [metrics, metrics, Metrics()]
        assert len(page.platform.calls) == calls + 1

    def test_a_members_post_is_asked_about_count_by_count(self, member: LinkedInRig) -> None:
        done = member.drive("text").run()
        assert isinstance(done, Done)

        told = member.connector.metrics([member.live(done)])

        assert told == [Metrics(views=90, likes=8, comments=2, shares=1)]

    def test_a_member_without_the_permission_has_no_counts(self, member: LinkedInRig) -> None:
        done = member.drive("text").run()
        assert isinstance(done, Done)
        member.platform.may_count = False

        told = member.connector.metrics([member.live(done)] * 2)

        assert told == [Metrics(), Metrics()]

    def test_queries_are_spelled_as_linkedins_own_client_does(self) -> None:
        """Measured with PyPI linkedin-api-client 0.3.0."""
        urns = ["urn:li:share:1", "urn:li:share:2"]

        assert encode_urn("urn:li:share:1") == "urn%3Ali%3Ashare%3A1"
        assert encode_list(urns) == "List(urn%3Ali%3Ashare%3A1,urn%3Ali%3Ashare%3A2)"


class TestSigningIn:
    """The way in, and staying in."""

    def test_a_person_may_connect_the_profile_or_a_page(self, page: LinkedInRig) -> None:
        oauth = page.connector.oauth
        pending = oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), "http://127.0.0.1:9/back")
        back = f"{pending.redirect_uri}?state={pending.state}&code=code-of-nora"

        found = page.connector.identities(oauth.finish(pending, back), NOON)

        assert [(one.remote_identity, one.handle) for one in found] == [
            (MEMBER, "Nora Bakes"),
            (PAGE, "noras-bakery"),
        ]

    def test_a_self_serve_application_finds_the_profile_alone(self, page: LinkedInRig) -> None:
        page.platform.may_read = False

        found = page.connector.identities(page.tokens, NOON)

        assert [one.remote_identity for one in found] == [MEMBER]

    def test_every_page_of_an_agency_is_offered_whatever_the_role_that_may_post(
        self, page: LinkedInRig
    ) -> None:
        """LinkedIn tells of ten roles unless more are asked for; content admins may post.

        So may posters of sponsored content: learn.microsoft.com/linkedin/marketing/
        community-management/shares/posts-api, "Permissions".
        """
        kinds = ("ADMINISTRATOR", "CONTENT_ADMINISTRATOR", "DIRECT_SPONSORED_CONTENT_POSTER")
        page.platform.roles = [
            (f"urn:li:organization:{n}", kinds[n % 3]) for n in range(9000, 9250)
        ]
        page.platform.page_names = {str(n): f"page-{n}" for n in range(9000, 9250)}

        found = page.connector.identities(page.tokens, NOON)

        assert [one.handle for one in found[1:]] == [f"page-{n}" for n in range(9000, 9250)]
        assert [one.barred for one in found] == [None] * 251

    def test_a_page_that_cannot_be_read_costs_only_its_name(self, page: LinkedInRig) -> None:
        page.platform.roles.append(("urn:li:organizationBrand:77", "CONTENT_ADMINISTRATOR"))

        found = page.connector.identities(page.tokens, NOON)

        assert [one.handle for one in found] == ["Nora Bakes", "noras-bakery", "Page 77"]

    def test_a_role_that_may_not_post_is_shown_with_the_reason(self, page: LinkedInRig) -> None:
        page.platform.roles.insert(0, ("urn:li:organization:7", "ANALYST"))

        *_, last = page.connector.identities(page.tokens, NOON)

        assert last.remote_identity == "urn:li:organization:7"
        assert last.barred is not None
        assert "analyst" in last.barred

    def test_it_asks_for_what_every_application_gets_unless_told_otherwise(self) -> None:
        client = Client(CLIENT_ID, CLIENT_SECRET)
        methods = LinkedInConnector().methods

        urls = [
            method.oauth.begin(client, "http://127.0.0.1:9/back").url for method in methods.values()
        ]
        asked = [parse_qs(urlsplit(url).query)["scope"] for url in urls]

        assert list(methods) == ["member", "page", "member-insights"]
        assert asked[0] == ["openid profile w_member_social"]
        assert "w_organization_social" in asked[1][0]
        assert asked[2] == ["openid profile w_member_social r_member_postAnalytics"]
        assert all("code_challenge" not in url for url in urls)

    def test_a_refresh_keeps_the_refresh_token_and_its_end(self, page: LinkedInRig) -> None:
        signed = page.keeper.sign_in(page.account, page.connector)

        after = page.connector.refresh(signed, page.tokens, NOON)

        assert (after.access, after.refresh) == ("AT2", "RT1")
        assert after.expires_at == NOON + timedelta(days=60)
        assert after.ends_for_good_at == NOON + timedelta(days=365)

    def test_a_withdrawn_sign_in_breaks_the_account(self, page: LinkedInRig) -> None:
        page.platform.access, page.platform.refresh = "AT8", "RT8"

        end = page.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.AUTH_EXPIRED
        assert page.store.health is Health.BROKEN
