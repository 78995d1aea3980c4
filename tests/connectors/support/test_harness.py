"""The harness itself: it must catch connectors that publish twice, lie or tell secrets."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.failures import ErrorTable
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.outcome import (
    CALL_DEADLINE,
    Absent,
    Checkpoint,
    Done,
    FailureCode,
    Outcome,
    Reconciliation,
    Sent,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.bodies import JsonBody
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer, FakePlatform, Fault, Received
from tests.connectors.support.rig import Rig, a_publication
from tests.support.frozen_clock import NOON, FrozenClock

ERRORS: ErrorTable = {"caption": FailureCode.CAPTION_REJECTED}


class Wall(FakePlatform):
    """A platform that takes whatever it is sent, as often as it is sent, and shows it."""

    def answer(self, call: Received) -> Answer:
        if call.method == "GET":
            return Answer(200, {"ids": list(self.posts)})
        remote_id = f"post-{len(self.posts) + 1}"
        self.posts[remote_id] = call.json
        return Answer(200, {"id": remote_id})


@dataclass(slots=True)
class Honest:
    """Does everything right: one call in doubt, looked for before it is made again."""

    url: str
    platform: ClassVar[Platform] = Platform.THREADS
    irreversible: ClassVar[frozenset[str]] = frozenset({"post"})
    step_timeout: ClassVar[timedelta] = timedelta(minutes=1)
    connects_ahead: ClassVar[bool] = True
    http: PlatformHttp = field(
        default_factory=lambda: PlatformHttp(
            Platform.THREADS, ERRORS, lambda response: [str(response.find("error"))]
        )
    )

    def start(self, publication: Publication) -> Outcome:
        del publication
        return Wait(Checkpoint("post"))

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        del checkpoint
        call = Call(
            method="POST",
            url=self.url,
            token=publication.account.token,
            body=JsonBody({"text": publication.text}),
        )
        return Done(remote_id=self.http.send(call).text("id"), url=None)

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        ids = self.http.send(Call(method="GET", url=self.url)).items("ids")
        if ids:
            return Done(remote_id=str(ids[-1]), url=None)
        if publication.now < sent.at + CALL_DEADLINE:
            return Wait(checkpoint, timedelta(seconds=5))
        return Absent()


class Hasty(Honest):
    """Sends again without a look."""

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        del publication, checkpoint, sent
        return Absent()


class Helpless(Honest):
    """Gives up on a lost answer although it could look."""

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        del publication, checkpoint, sent
        return Unknown()


class Careless(Honest):
    """Does not say that its call shows."""

    irreversible: ClassVar[frozenset[str]] = frozenset()


class Eager(Honest):
    """Publishes while it prepares."""

    def start(self, publication: Publication) -> Outcome:
        self.advance(publication, Checkpoint("post"))
        return Wait(Checkpoint("post"))


class Talkative(Honest):
    """Logs what it sends."""

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        logging.getLogger("talk").warning("Bearer %s", publication.account.token)
        return Honest.advance(self, publication, checkpoint)


def _rig(kind: type[Honest]) -> Rig:
    platform = Wall()
    connector = kind(platform.url)
    account = Account(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a99",
        workspace_id="0193491b0c4a7b2e9f3a5d6c7e8f9a98",
        platform=Platform.THREADS,
        handle="@nora",
        test=False,
        created_at=NOON,
        remote_identity="42",
        token_version=1,
    )
    refusal: tuple[int, Mapping[str, str], bytes] = (400, {}, b'{"error": "caption"}')
    return Rig(
        connector=connector,
        platform=platform,
        tokens=Tokens(access="tok-lighthouse"),
        shapes={"text": a_publication(account, "Hello")},
        clock=FrozenClock(),
        account=account,
        secrets=["tok-lighthouse"],
        http=connector.http,
        refusals={"caption": refusal},
    )


class TestHonest(ConnectorChecks):
    """An honest connector passes."""

    def make_rig(self) -> Rig:
        return _rig(Honest)


Check = Callable[[Callable[[], Rig]], None]


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (Hasty, ConnectorChecks().test_a_crash_after_any_call_leaves_one_post),
        (Helpless, ConnectorChecks().test_a_crash_after_any_call_leaves_one_post),
        (Careless, ConnectorChecks().test_a_crash_after_any_call_leaves_one_post),
        (Eager, ConnectorChecks().test_start_makes_nothing_visible),
        (Eager, ConnectorChecks().test_every_shape_goes_out_once),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_connector_that_is_not_is_caught(kind: type[Honest], check: Check) -> None:
    rigs: list[Rig] = []

    def make() -> Rig:
        rigs.append(_rig(kind))
        return rigs[-1]

    with pytest.raises(AssertionError):
        check(make)
    for rig in rigs:
        rig.platform.close()


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.ERROR_AFTER, Fault.GARBLED_AFTER])
@pytest.mark.parametrize("kind", [Hasty, Careless])
def test_a_lost_answer_catches_who_sends_again(kind: type[Honest], fault: Fault) -> None:
    rigs: list[Rig] = []

    def make() -> Rig:
        rigs.append(_rig(kind))
        return rigs[-1]

    with pytest.raises(AssertionError):
        ConnectorChecks().test_a_fault_at_any_call_ends_in_the_truth(make, fault)
    for rig in rigs:
        rig.platform.close()


def test_a_token_in_a_log_is_caught(caplog: pytest.LogCaptureFixture) -> None:
    rigs: list[Rig] = []

    def make() -> Rig:
        rigs.append(_rig(Talkative))
        return rigs[-1]

    with pytest.raises(AssertionError):
        ConnectorChecks().test_no_secret_is_logged_or_shown(make, caplog)
    for rig in rigs:
        rig.platform.close()
