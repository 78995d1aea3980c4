"""A YouTube channel's sign-in, its videos' counts, and their removal."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import LivePost, RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.youtube.answers import refusal
from tests.connectors.youtube.fake import (
    CHANNEL,
    CLIENT,
    CODE,
    GRANTED,
    HANDLE,
    SECRET,
    UPLOADS,
    VIDEO,
)
from tests.connectors.youtube.rig import YouTubeRig
from tests.support.frozen_clock import NOON

HOUR = timedelta(hours=1)


def _sign_in(rig: YouTubeRig) -> Tokens:
    oauth, back = rig.connector.oauth, "https://goldenhour.example/back"
    pending = oauth.begin(Client(CLIENT, SECRET), back)
    return oauth.finish(pending, f"{back}?code={CODE}&state={pending.state}")


def _published(rig: YouTubeRig) -> LivePost:
    end = rig.drive("video").run()
    assert isinstance(end, Done)
    return rig.live(end)


def _aged(live: LivePost) -> LivePost:
    return replace(live, now=live.published_at + HOUR)


def test_signing_in_brings_the_channel_and_its_uploads(rig: YouTubeRig) -> None:
    pending = rig.connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/b")

    tokens = _sign_in(rig)
    (identity,) = rig.connector.identities(tokens, NOON)

    assert pending.url.startswith("https://accounts.google.com/o/oauth2/v2/auth?")
    assert "access_type=offline" in pending.url
    assert "prompt=consent" in pending.url
    assert (identity.remote_identity, identity.handle) == (CHANNEL, HANDLE)
    assert identity.settings == {"uploads": UPLOADS}
    assert (identity.tokens.refresh, identity.tokens.expires_at) == (
        "1//first",
        NOON + timedelta(seconds=3_599),
    )


def test_a_sign_in_without_a_needed_permission_is_refused(rig: YouTubeRig) -> None:
    rig.platform.granted = GRANTED.split()[0]

    with pytest.raises(RejectedError) as refused:
        rig.connector.identities(_sign_in(rig), NOON)

    assert refused.value.code is FailureCode.PERMISSION_MISSING
    assert "Tick all of them" in refused.value.message


def test_a_sign_in_without_analytics_is_enough(rig: YouTubeRig) -> None:
    rig.platform.granted = " ".join(GRANTED.split()[:2])

    assert len(rig.connector.identities(_sign_in(rig), NOON)) == 1


def test_a_google_account_without_a_channel_is_refused(rig: YouTubeRig) -> None:
    rig.platform.has_channel = False

    with pytest.raises(RejectedError) as empty:
        rig.connector.identities(_sign_in(rig), NOON)
    rig.platform.next_refusals = [refusal(401, "youtubeSignupRequired")]
    with pytest.raises(RejectedError) as refused:
        rig.connector.identities(_sign_in(rig), NOON)

    assert "has no YouTube channel" in empty.value.message
    assert empty.value.message == refused.value.message


def test_a_refresh_keeps_the_refresh_token(rig: YouTubeRig) -> None:
    rig.platform.strike(0, Fault.TOKEN_REFUSED)

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert rig.store.kept is not None
    assert rig.store.kept.tokens.refresh == "1//first"
    assert rig.store.history == ["ya29.next2"]


def test_a_grant_that_was_revoked_breaks_the_account(rig: YouTubeRig) -> None:
    rig.platform.is_in = False
    rig.platform.strike(0, Fault.TOKEN_REFUSED)

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN


@pytest.mark.parametrize("reason", ["authError", "expired", "unauthorized", "required"])
def test_a_token_is_refused_by_status_whatever_the_reason(rig: YouTubeRig, reason: str) -> None:
    rig.platform.next_refusals = [refusal(401, reason)]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(rig.store.history) == 1


def test_a_parameter_that_google_misses_does_not_cost_the_sign_in(rig: YouTubeRig) -> None:
    rig.platform.next_refusals = [refusal(400, "required")]

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.UNKNOWN
    assert (rig.store.history, rig.store.health) == ([], Health.OK)


def test_counts_are_text_and_what_is_hidden_is_not_told(rig: YouTubeRig) -> None:
    live = _published(rig)
    all_told = {"viewCount": "120", "likeCount": "9", "commentCount": "2", "favoriteCount": "0"}
    rig.platform.counted = {VIDEO: all_told}
    rig.platform.rows = [[VIDEO, 3, 1]]

    told = rig.connector.metrics([live])
    rig.platform.counted = {VIDEO: {"viewCount": "130"}}
    rig.platform.rows = []
    less = rig.connector.metrics([live])

    assert told == [Metrics(views=120, likes=9, comments=2, shares=3, followers=1)]
    assert less == [Metrics(views=130)]


def test_a_count_that_no_number_is_as_long_as_is_not_told(rig: YouTubeRig) -> None:
    live = _published(rig)
    rig.platform.counted = {VIDEO: {"viewCount": "9" * 5000, "likeCount": "9"}}
    rig.platform.rows = []

    assert rig.connector.metrics([live]) == [Metrics(likes=9)]


def test_fifty_videos_take_one_call_of_each_kind(rig: YouTubeRig) -> None:
    live = _published(rig)
    ids = [rig.platform.upload_as_a_person(f"Tide {n}", NOON) for n in range(49)]
    lives = [live, *(replace(live, remote_id=video) for video in ids)]
    before = len(rig.platform.calls)

    told = rig.connector.metrics(lives)

    counts, report = rig.platform.calls[before:]
    assert [metrics and metrics.views for metrics in told] == [120] * 50
    assert counts.query["id"].split(",") == [VIDEO, *ids]
    assert report.query == {
        "ids": "channel==MINE",
        "startDate": "2026-11-19",
        "endDate": "2026-11-20",
        "metrics": "shares,subscribersGained",
        "dimensions": "video",
        "filters": f"video=={counts.query['id']}",
        "sort": "-shares",
        "maxResults": "50",
    }


def test_counts_are_told_without_analytics(rig: YouTubeRig) -> None:
    live = _published(rig)
    rig.platform.strike(1, Fault.ERROR_BEFORE)

    assert rig.connector.metrics([live]) == [Metrics(views=120)]


def test_a_video_that_is_gone_has_no_figures_and_a_fresh_one_is_given_time(rig: YouTubeRig) -> None:
    live = _published(rig)
    rig.platform.videos.clear()

    fresh = rig.connector.metrics([live])
    gone = rig.connector.metrics([_aged(live)])

    assert (fresh, gone) == ([Metrics()], [None])


def test_an_answer_without_a_list_removes_nothing(rig: YouTubeRig) -> None:
    live = _aged(_published(rig))
    rig.platform.next_refusals = [Answer(200, {"kind": "youtube#videoListResponse"})]

    with pytest.raises(UnansweredError):
        rig.connector.metrics([live])


def test_figures_leave_room_in_the_day_s_quota_for_posting(rig: YouTubeRig) -> None:
    rounds, uploads, polls, changes = 24 * 12, 100, 22, 30 * 50

    spent = rig.connector.metrics_calls * rounds + uploads * polls + changes

    assert spent < 10_000
    assert rig.connector.metrics_batch == 50


def test_a_video_that_may_not_be_deleted_stays(rig: YouTubeRig) -> None:
    live = _published(rig)
    rig.platform.next_refusals = [refusal(403, "forbidden")]

    with pytest.raises(RemovalError):
        rig.connector.delete(live)

    assert list(rig.platform.posts) == [VIDEO]


def test_a_404_that_does_not_name_the_video_deletes_nothing(rig: YouTubeRig) -> None:
    live = _published(rig)
    rig.platform.next_refusals = [refusal(404, "notFound")]

    with pytest.raises(UnansweredError):
        rig.connector.delete(live)
