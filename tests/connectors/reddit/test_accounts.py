"""Signing in to Reddit and staying in, and the counts of what is live."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.connectors.connector import RemovalError
from chalicelib.connectors.reddit.api import agent
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.platforms.choices import ChoiceQuery
from chalicelib.domain.version import VERSION
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.reddit.fake import (
    CLIENT_ID,
    CLIENT_SECRET,
    CODE,
    FLAIR_ID,
    SCOPE,
    USER_ID,
    USERNAME,
)
from tests.connectors.reddit.rig import RedditRig
from tests.connectors.support.fake_platform import Fault
from tests.support.frozen_clock import NOON

BACK = "http://127.0.0.1:9/back"


class TestSigningIn:
    """The way in."""

    def test_the_page_is_asked_for_a_sign_in_that_lasts(self, rig: RedditRig) -> None:
        pending = rig.connector.oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), BACK)

        page = urlsplit(pending.url)
        assert page.path == "/api/v1/authorize"
        assert parse_qs(page.query) == {
            "client_id": [CLIENT_ID],
            "response_type": ["code"],
            "redirect_uri": [BACK],
            "state": [pending.state],
            "duration": ["permanent"],
            "scope": ["identity submit read history flair edit"],
        }

    def test_a_code_brings_the_account(self, rig: RedditRig) -> None:
        tokens = _signed_in(rig)

        (identity,) = rig.connector.identities(tokens, rig.clock())

        assert (identity.remote_identity, identity.handle) == (USER_ID, USERNAME)
        assert (tokens.access, tokens.refresh) == ("AT2", "RT1")
        assert tokens.expires_at == NOON + timedelta(days=1)

    def test_every_call_names_the_application(self, rig: RedditRig) -> None:
        rig.connector.identities(_signed_in(rig), rig.clock())

        named = [call.headers["user-agent"] for call in rig.platform.calls]
        assert named == [f"server:goldenhour.bakery-client:{VERSION}"] * 2
        assert agent("a", None) != agent("b", None)

    def test_a_refused_code_comes_with_status_200(self, rig: RedditRig) -> None:
        with pytest.raises(TokenRejectedError):
            _signed_in(rig, "another-code")

    def test_a_sign_in_without_the_permissions_is_refused(self, rig: RedditRig) -> None:
        rig.platform.scope = "identity read"

        with pytest.raises(RejectedError) as refusal:
            rig.connector.identities(_signed_in(rig), rig.clock())

        assert refusal.value.code is FailureCode.PERMISSION_MISSING
        assert "history, submit" in refusal.value.message

    @pytest.mark.parametrize("scope", ["*", SCOPE, "identity,submit read history"])
    def test_what_is_granted_may_be_more(self, rig: RedditRig, scope: str) -> None:
        rig.platform.scope = scope.replace(",", " ")

        assert rig.connector.identities(_signed_in(rig), rig.clock())

    def test_a_suspended_account_is_refused(self, rig: RedditRig) -> None:
        rig.platform.suspended = True

        with pytest.raises(RejectedError) as refusal:
            rig.connector.identities(_signed_in(rig), rig.clock())

        assert refusal.value.code is FailureCode.ACCOUNT_RESTRICTED


class TestStayingIn:
    """Renewal."""

    def test_the_refresh_token_stays_the_same(self, rig: RedditRig) -> None:
        account = rig.keeper.sign_in(rig.account, rig.connector)

        after = rig.connector.refresh(account, rig.tokens, rig.clock())

        assert (after.access, after.refresh) == ("AT2", "RT1")
        (call,) = rig.platform.calls
        assert call.form == {"grant_type": "refresh_token", "refresh_token": "RT1"}
        assert call.headers["user-agent"].endswith(f"(by /u/{USERNAME})")

    def test_a_withdrawn_sign_in_breaks_the_account(self, rig: RedditRig) -> None:
        rig.platform.access, rig.platform.refresh = "AT8", "RT8"

        end = rig.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.AUTH_EXPIRED
        assert rig.store.health is Health.BROKEN

    def test_a_wrong_secret_breaks_nothing(self, rig: RedditRig) -> None:
        """The operator's set-up is at fault, the person's sign-in is not."""
        extra = {**rig.tokens.extra, "client_secret": "another"}
        tokens = replace(rig.tokens, extra=extra)
        account = rig.keeper.sign_in(rig.account, rig.connector)

        with pytest.raises(RejectedError) as refusal:
            rig.connector.refresh(account, tokens, rig.clock())

        assert refusal.value.code is FailureCode.PLATFORM_UNAVAILABLE
        assert "client id or secret" in refusal.value.message


class TestCounts:
    """Metrics."""

    def test_votes_comments_and_crossposts_are_counted(self, rig: RedditRig) -> None:
        done = _posted(rig)

        told = rig.connector.metrics([rig.live(done)])

        assert told == [Metrics(likes=14, comments=3, shares=1)]
        assert rig.platform.calls[-1].query == {"id": done.remote_id, "raw_json": "1"}

    def test_more_votes_against_than_for_are_no_likes(self, rig: RedditRig) -> None:
        done = _posted(rig)
        rig.platform.posts[done.remote_id]["score"] = -3

        (told,) = rig.connector.metrics([rig.live(done)])

        assert told == Metrics(likes=0, comments=3, shares=1)

    @pytest.mark.parametrize(
        "change", [{"author": "[deleted]"}, {"removed_by_category": "moderator"}], ids=str
    )
    def test_what_was_taken_down_is_gone(self, rig: RedditRig, change: dict[str, str]) -> None:
        done = _posted(rig)
        rig.platform.posts[done.remote_id] |= change

        assert rig.connector.metrics([rig.live(done)]) == [None]

    def test_what_reddit_does_not_know_is_gone(self, rig: RedditRig) -> None:
        here = rig.live(_posted(rig))
        gone = replace(here, remote_id="t3_zzzzzz")

        told = rig.connector.metrics([gone, here])

        assert told == [None, Metrics(likes=14, comments=3, shares=1)]

    def test_more_than_a_hundred_take_more_calls(self, rig: RedditRig) -> None:
        first = rig.live(_posted(rig))
        lives = [first]
        for number in range(249):
            name = rig.platform.post_as_a_person(f"Number {number}")
            lives.append(replace(first, remote_id=name))

        told = rig.connector.metrics(lives)

        assert told == [Metrics(likes=14, comments=3, shares=1)] * 250
        asked = [call.query["id"].count(",") for call in rig.platform.calls[-3:]]
        assert asked == [99, 99, 49]

    def test_an_answer_that_knows_none_of_several_proves_nothing(self, rig: RedditRig) -> None:
        here = rig.live(_posted(rig))
        strangers = [replace(here, remote_id=name) for name in ("t3_zz1", "t3_zz2")]

        with pytest.raises(UnansweredError):
            rig.connector.metrics(strangers)

    def test_a_garbled_answer_proves_nothing(self, rig: RedditRig) -> None:
        here = rig.live(_posted(rig))
        rig.platform.strike(0, Fault.GARBLED_AFTER)

        with pytest.raises(UnansweredError):
            rig.connector.metrics([here])


class TestDeleting:
    """What is taken down again."""

    def test_a_post_is_deleted_and_looked_up(self, rig: RedditRig) -> None:
        done = _posted(rig)

        rig.connector.delete(rig.live(done))

        assert [call.name for call in rig.platform.calls[-2:]] == ["POST /api/del", "GET /api/info"]
        assert rig.platform.calls[-2].form == {"api_type": "json", "id": done.remote_id}
        assert done.remote_id not in rig.platform.posts

    def test_a_good_answer_is_not_believed_while_the_post_is_there(self, rig: RedditRig) -> None:
        done = _posted(rig)
        rig.platform.stubborn = True

        with pytest.raises(RemovalError):
            rig.connector.delete(rig.live(done))


def _signed_in(rig: RedditRig, code: str = CODE) -> Tokens:
    oauth = rig.connector.oauth
    pending = oauth.begin(Client(CLIENT_ID, CLIENT_SECRET), BACK)
    return oauth.finish(pending, f"{BACK}?state={pending.state}&code={code}")


def _posted(rig: RedditRig) -> Done:
    done = rig.drive("text").run()
    assert isinstance(done, Done)
    return done


def test_a_community_tells_what_it_demands_and_not_what_moderators_may_choose(
    rig: RedditRig,
) -> None:
    rig.platform.demands = {
        "is_flair_required": True,
        "title_text_min_length": 20,
        "title_blacklisted_strings": ["sale"],
        "body_restriction_policy": "notAllowed",
        "title_regexes": ["^(a+)+$"],
    }
    account = rig.keeper.sign_in(rig.account, rig.connector)

    choices = rig.connector.choices(account, ChoiceQuery(chosen={"subreddit": "test"}))

    unmet = choices.demands.unmet("Summer SALE\nAll must go", {}, is_text_post=True)
    assert [(one.option, one.sure) for one in unmet] == [
        ("flair_id", True),
        ("title", True),
        ("title", True),
        ("title", False),
        (None, True),
    ]
    assert [one.id for one in choices.offered["flair_id"]] == [FLAIR_ID]
