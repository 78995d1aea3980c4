"""Threads profiles: signing in, tokens that last, how posts do, and removal."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import RemovalError
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import (
    Done,
    Failed,
    FailureCode,
)
from chalicelib.domain.workspace.accounts import Health
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import go_live, signed_in
from tests.connectors.threads.fake import CLIENT, HANDLE, LIFE, SECRET, USER
from tests.connectors.threads.rig import ThreadsRig
from tests.support.frozen_clock import NOON


def test_figures_add_up_what_passes_a_post_on(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(views=210, likes=12, comments=3, shares=7)


def test_one_metric_that_threads_refuses_costs_only_itself(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")
    rig.platform.dead_metrics = {"shares", "views"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(likes=12, comments=3, shares=3)


def test_a_post_that_is_gone_has_no_figures(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")
    rig.platform.posts.clear()

    assert rig.connector.metrics([live]) == [None]


def test_a_post_whose_id_was_never_told_reports_nothing_and_cannot_be_removed(
    rig: ThreadsRig,
) -> None:
    live = replace(go_live(rig, "text"), remote_id="container:18050000000000010")

    assert rig.connector.metrics([live]) == [Metrics()]
    with pytest.raises(RemovalError):
        rig.connector.delete(live)


def test_deleting_without_the_permission_says_so(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")
    rig.platform.scopeless = True

    with pytest.raises(RemovalError, match="Reconnect"):
        rig.connector.delete(live)


def test_signing_in_brings_a_token_of_sixty_days(rig: ThreadsRig) -> None:
    (identity,) = signed_in(rig.connector, Client(CLIENT, SECRET))

    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    assert identity.tokens.access == identity.tokens.refresh == rig.platform.token
    assert identity.tokens.expires_at == NOON + LIFE
    assert identity.tokens.renew_at == NOON + timedelta(days=30)


def test_a_token_is_renewed_at_half_its_life(rig: ThreadsRig) -> None:
    rig.clock.pass_time(timedelta(days=21))

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["THTOK-2"]
    assert rig.platform.calls[1].headers["authorization"] == "Bearer THTOK-2"


def test_a_token_that_was_withdrawn_breaks_the_account(rig: ThreadsRig) -> None:
    rig.platform.tokens = ["somebody else's"]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN


def test_a_metric_that_breaks_the_platform_costs_only_itself(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")
    rig.platform.broken_metrics = {"views"}

    (told,) = rig.connector.metrics([live])

    assert told == Metrics(likes=12, comments=3, shares=7)


def test_a_post_that_threads_says_it_did_not_delete_is_not_removed(rig: ThreadsRig) -> None:
    live = go_live(rig, "text")
    rig.platform.script = {f"DELETE {live.remote_id}": [Answer(200, {"success": False})]}

    with pytest.raises(RemovalError):
        rig.connector.delete(live)


def test_the_sign_in_asks_for_what_every_option_needs(rig: ThreadsRig) -> None:
    pending = rig.connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    assert "scope=threads_basic%2Cthreads_content_publish%2C" in pending.url
    for scope in ("content_publish", "delete", "manage_insights", "manage_replies", "location"):
        assert f"threads_{scope}" in pending.url
