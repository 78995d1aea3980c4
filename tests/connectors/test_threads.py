"""The Threads connector over a strict fake."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import LivePost, RemovalError
from chalicelib.connectors.oauth import Client
from chalicelib.connectors.threads.connector import LARGEST_PHOTO, ThreadsConnector
from chalicelib.connectors.threads.errors import ERRORS
from chalicelib.connectors.threads.sign_in import ThreadsHosts
from chalicelib.domain.accounts import Account, Health
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Finding,
    Json,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms import Platform
from chalicelib.domain.results import Figures
from chalicelib.domain.tokens import Tokens
from tests.connectors.checks import ConnectorChecks
from tests.connectors.fake_platform import Fault
from tests.connectors.fake_threads import CLIENT, CODE, HANDLE, LIFE, SECRET, USER, FakeThreads
from tests.connectors.graph_answers import sample
from tests.connectors.rig import PatternSource, Rig, a_photo, a_publication, a_video
from tests.frozen_clock import NOON, FrozenClock

TEXT = "Rye day #bread"


def a_rig() -> Rig:
    """Return the connector over a fake with lumenbakes' profile, signed in for 50 days."""
    clock = FrozenClock()
    platform = FakeThreads(clock)
    url = platform.url
    connector = ThreadsConnector(
        ThreadsHosts(threads=url, threads_login=url, threads_web="https://www.threads.com"),
        clock=clock,
    )
    account = Account(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a99",
        workspace_id="0193491b0c4a7b2e9f3a5d6c7e8f9a98",
        platform=Platform.THREADS,
        handle=HANDLE,
        test=False,
        created_at=NOON,
        remote_identity=USER,
        token_version=1,
    )
    tokens = Tokens(
        access=platform.token,
        refresh=platform.token,
        expires_at=NOON + timedelta(days=50),
        renew_at=NOON + timedelta(days=20),
        extra={"client_id": CLIENT, "client_secret": SECRET},
    )
    comment: dict[str, Json] = {"first_comment": "Recipe below", "reply_control": "everyone"}
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes={
            "text": a_publication(account, TEXT),
            "photo": a_publication(account, TEXT, a_photo(), {"alt_text": "a loaf"}),
            "video": a_publication(account, TEXT, a_video()),
            "commented": a_publication(account, TEXT, options=comment),
        },
        clock=clock,
        account=account,
        secrets=[platform.token, SECRET],
        http=connector._http,
        refusals={key: sample(key) for key in ERRORS},
    )


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig()
    yield made
    made.platform.close()


def _fake(rig: Rig) -> FakeThreads:
    assert isinstance(rig.platform, FakeThreads)
    return rig.platform


def _threads(rig: Rig) -> ThreadsConnector:
    assert isinstance(rig.connector, ThreadsConnector)
    return rig.connector


class TestThreads(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> Rig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Threads fetches files; nothing is sent."""
        del rig
        return {}


def _names(rig: Rig) -> list[str]:
    return [call.name for call in rig.platform.calls]


def test_a_video_goes_the_way_of_the_published_exchange(rig: Rig) -> None:
    rig.shapes = {"video": replace(rig.shapes["video"], options={"reply_control": "everyone"})}

    end = rig.drive("video").run()

    container, media = "18050000000000010", "18060000000000020"
    assert _names(rig) == [
        f"POST /v1.0/{USER}/threads",
        f"GET /v1.0/{container}",
        f"GET /v1.0/{container}",
        f"GET /v1.0/{USER}/threads_publishing_limit",
        f"POST /v1.0/{USER}/threads_publish",
        f"GET /v1.0/{media}",
    ]
    assert rig.platform.calls[0].form == {
        "media_type": "VIDEO",
        "video_url": "https://media.example/oven.mp4",
        "text": TEXT,
        "reply_control": "everyone",
    }
    assert rig.platform.calls[0].headers["authorization"] == "Bearer THTOK"
    assert rig.platform.calls[4].form == {"creation_id": container}
    assert end == Done(remote_id=media, url=f"https://www.threads.com/@{HANDLE}/post/DX20")


def test_options_become_fields(rig: Rig) -> None:
    options: dict[str, Json] = {
        "topic_tag": "baking",
        "link": "https://bakery.example",
        "location_id": "123",
        "countries": ["US", "CA"],
        "reply_approvals": True,
        "share_to_ig_story": True,
        "ghost": True,
        "spoiler": True,
        "alt_text": "only media has one",
    }
    rig.shapes = {"text": replace(rig.shapes["text"], options=options)}

    rig.drive("text").run()

    assert rig.platform.calls[0].form == {
        "media_type": "TEXT",
        "text": TEXT,
        "topic_tag": "baking",
        "link_attachment": "https://bakery.example",
        "location_id": "123",
        "allowlisted_country_codes": "US,CA",
        "enable_reply_approvals": "true",
        "crossreshare_to_ig": "true",
        "is_ghost_post": "true",
    }


def test_a_first_comment_follows_the_post(rig: Rig) -> None:
    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    (comment,) = _fake(rig).comments
    assert (comment["text"], comment["reply_to_id"]) == ("Recipe below", end.remote_id)


@pytest.mark.parametrize(
    ("fault", "comments"),
    [(Fault.DROP_AFTER, 1), (Fault.DROP_BEFORE, 0), (Fault.ERROR_BEFORE, 0)],
)
def test_a_first_comment_is_never_sent_twice_and_never_harms_the_post(
    rig: Rig, fault: Fault, comments: int
) -> None:
    rig.platform.strike(9, fault)

    end = rig.drive("commented").run()

    assert isinstance(end, Done)
    assert rig.platform.calls[9].name == f"POST /v1.0/{USER}/threads_publish"
    assert len(_fake(rig).comments) == comments


def test_a_file_without_a_public_address_fails_at_once(rig: Rig) -> None:
    photo = replace(a_photo(), source=PatternSource(3_000, link=None))
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.MEDIA_UNAVAILABLE, False)
    assert "GOLDENHOUR_PUBLIC_URL" in end.message
    assert rig.platform.calls == []


@pytest.mark.parametrize(
    ("photo", "code"),
    [
        (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
        (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
    ],
    ids=["too large", "a format it does not know"],
)
def test_a_photo_that_threads_does_not_take_is_refused_without_a_call(
    rig: Rig, photo: object, code: FailureCode
) -> None:
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}  # type: ignore[arg-type]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, rig.platform.calls) == (code, [])


@pytest.mark.parametrize("failure", ["FAILED_DOWNLOADING_VIDEO", "UNKNOWN", "EXPIRED", "NEW_ONE"])
def test_a_container_that_failed_is_made_once_more(rig: Rig, failure: str) -> None:
    _fake(rig).failures = [failure]

    end = rig.drive("video").run()

    assert isinstance(end, Done)
    assert len(_fake(rig).containers) == 2


@pytest.mark.parametrize(
    ("failures", "code"),
    [
        (["INVALID_ASPEC_RATIO"], FailureCode.MEDIA_REJECTED),
        (["INVALID_DURATION"], FailureCode.MEDIA_REJECTED),
        (["FAILED_PROCESSING_AUDIO"] * 2, FailureCode.PROCESSING_FAILED),
        (["FAILED_DOWNLOADING_VIDEO"] * 2, FailureCode.MEDIA_UNAVAILABLE),
    ],
    ids=str,
)
def test_a_container_that_fails_for_good_fails_the_post(
    rig: Rig, failures: list[str], code: FailureCode
) -> None:
    made = len(failures)
    _fake(rig).failures = failures

    end = rig.drive("video").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert len(_fake(rig).containers) == made
    assert rig.platform.posts == {}


def test_a_full_quota_is_waited_for_before_anything_is_shown(rig: Rig) -> None:
    _fake(rig).quota = (250, 250)
    drive = rig.drive("text")
    while "quota" not in " ".join(drive.seen):
        assert drive._step() is None
    _fake(rig).quota = (249, 250)

    end = drive.run()

    assert isinstance(end, Done)
    assert rig.clock() - NOON > timedelta(minutes=30)


def test_publishing_too_early_looks_again_and_at_last_makes_another_container(rig: Rig) -> None:
    _fake(rig).publish_errors = [(24, 4279009)] * 4

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert (len(rig.platform.posts), len(_fake(rig).containers)) == (1, 2)


def test_a_block_that_took_the_post_all_the_same_ends_published(rig: Rig) -> None:
    _fake(rig).publish_errors, _fake(rig).taken_anyway = [(4, 2207051)], True

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


def test_a_block_is_believed_after_a_look_and_nothing_is_sent_again(rig: Rig) -> None:
    _fake(rig).publish_errors = [(4, 2207051)]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.ACCOUNT_RESTRICTED
    sent = [name for name in _names(rig) if name.endswith("threads_publish")]
    assert (len(sent), rig.platform.posts) == (1, {})


def test_a_missing_link_is_the_profile(rig: Rig) -> None:
    _fake(rig).links = False

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert end.url == f"https://www.threads.com/@{HANDLE}"


def _confirm(rig: Rig, after: timedelta, checkpoint: Checkpoint) -> Finding:
    rig.clock.now = NOON + after
    publication = replace(rig.shapes["text"], now=NOON + after)
    account = rig.keeper.signed(rig.account, rig.connector)
    sent = Sent(text=TEXT, media_ids=(), at=NOON)
    return rig.connector.confirm(replace(publication, account=account), checkpoint, sent)


def _published(rig: Rig) -> Checkpoint:
    """Publish, lose the answer, and return where that leaves the target."""
    drive = rig.drive("text")
    while drive.checkpoint is None or drive.checkpoint.step != "publish":
        assert drive._step() is None
    left = drive.checkpoint
    assert drive._step() is None
    return left


def test_a_container_that_was_not_published_is_waited_for_and_then_absent(rig: Rig) -> None:
    drive = rig.drive("text")
    while drive.checkpoint is None or drive.checkpoint.step != "publish":
        drive._step()

    early = _confirm(rig, timedelta(seconds=89), drive.checkpoint)
    late = _confirm(rig, timedelta(seconds=90), drive.checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_published_container_is_waited_for_in_the_list(rig: Rig) -> None:
    checkpoint = _published(rig)
    _fake(rig).unlisted = True

    early = _confirm(rig, timedelta(minutes=4), checkpoint)
    late = _confirm(rig, timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    profile = f"https://www.threads.com/@{HANDLE}"
    assert late == Done(remote_id="container:18050000000000010", url=profile)


def test_a_look_after_a_restore_finds_the_post_by_its_text_and_time(rig: Rig) -> None:
    _published(rig)

    found = _confirm(rig, timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert found.remote_id == "18060000000000020"


def test_a_look_after_a_restore_that_finds_nothing_says_absent_after_the_lag(rig: Rig) -> None:
    early = _confirm(rig, timedelta(seconds=30), Checkpoint("restored"))
    late = _confirm(rig, timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(early, Wait)
    assert late == Absent()


def test_two_posts_that_could_be_ours_cannot_be_told_apart(rig: Rig) -> None:
    _published(rig)
    _published(rig)

    assert _confirm(rig, timedelta(minutes=2), Checkpoint("restored")) == Unknown()


def _live(rig: Rig) -> LivePost:
    end = rig.drive("text").run()
    assert isinstance(end, Done)
    return rig.live(end)


def test_figures_add_up_what_passes_a_post_on(rig: Rig) -> None:
    live = _live(rig)

    (told,) = _threads(rig).metrics([live])

    assert told == Figures(views=210, likes=12, comments=3, shares=7)


def test_one_metric_that_threads_refuses_costs_only_itself(rig: Rig) -> None:
    live = _live(rig)
    _fake(rig).dead_metrics = {"shares", "views"}

    (told,) = _threads(rig).metrics([live])

    assert told == Figures(likes=12, comments=3, shares=3)


def test_a_post_that_is_gone_has_no_figures(rig: Rig) -> None:
    live = _live(rig)
    rig.platform.posts.clear()

    assert _threads(rig).metrics([live]) == [None]


def test_a_post_whose_id_was_never_told_reports_nothing_and_cannot_be_removed(rig: Rig) -> None:
    live = replace(_live(rig), remote_id="container:18050000000000010")

    assert _threads(rig).metrics([live]) == [Figures()]
    with pytest.raises(RemovalError):
        _threads(rig).delete(live)


def test_deleting_without_the_permission_says_so(rig: Rig) -> None:
    live = _live(rig)
    _fake(rig).scopeless = True

    with pytest.raises(RemovalError, match="Reconnect"):
        _threads(rig).delete(live)


def test_signing_in_brings_a_token_of_sixty_days(rig: Rig) -> None:
    connector = _threads(rig)
    pending = connector.oauth.begin(Client(CLIENT, SECRET), "https://goldenhour.example/back")

    tokens = connector.oauth.finish(
        pending, f"https://goldenhour.example/back?code={CODE}&state={pending.state}#_"
    )
    (identity,) = connector.identities(tokens, NOON)

    assert "scope=threads_basic%2Cthreads_content_publish%2C" in pending.url
    assert (identity.remote_identity, identity.handle) == (USER, HANDLE)
    assert identity.tokens.access == identity.tokens.refresh == _fake(rig).token
    assert identity.tokens.expires_at == NOON + LIFE
    assert identity.tokens.renew_at == NOON + timedelta(days=30)


def test_a_token_is_renewed_at_half_its_life(rig: Rig) -> None:
    rig.clock.pass_time(timedelta(days=21))

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert rig.store.history == ["THTOK-2"]
    assert rig.platform.calls[1].headers["authorization"] == "Bearer THTOK-2"


def test_a_token_that_was_withdrawn_breaks_the_account(rig: Rig) -> None:
    _fake(rig).tokens = ["somebody else's"]

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert end.code == FailureCode.AUTH_EXPIRED
    assert rig.store.health is Health.BROKEN
