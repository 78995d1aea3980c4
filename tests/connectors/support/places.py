"""Brings a publication to a place on its way, and asks the connector from there.

Tests of what is found after a lost answer, of what is live and of signing in begin with it.
"""

from datetime import timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.auth.sign_in import Identity, SignInMethod, SignsInByBrowser
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation
from tests.connectors.shared.meta.fake_login import CODE
from tests.connectors.support.rig import Rig
from tests.support.frozen_clock import NOON

_BACK = "https://goldenhour.example/back"


def names(rig: Rig) -> list[str]:
    """Return method and path of every call that arrived."""
    return [call.name for call in rig.platform.calls]


def arrive(rig: Rig, shape: str, step: str) -> Checkpoint:
    """Come to a step, and return the checkpoint before it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != step:
        assert drive._step() is None
    return drive.checkpoint


def pass_by(rig: Rig, shape: str, step: str) -> Checkpoint:
    """Make a step, and return the checkpoint before it, as if its answer had been lost."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != step:
        assert drive._step() is None
    left = drive.checkpoint
    assert drive._step() is None
    return left


def reconcile(rig: Rig, shape: str, after: timedelta, checkpoint: Checkpoint) -> Reconciliation:
    """Look, some time after noon, for what was sent at noon."""
    return rig.ask(shape, checkpoint, after=after)


def signed_in(method: SignsInByBrowser | SignInMethod, client: Client) -> list[Identity]:
    """Come back from a sign-in page, which adds to its answer as Meta's do."""
    pending = method.oauth.begin(client, _BACK)
    tokens = method.oauth.finish(pending, f"{_BACK}?code={CODE}&state={pending.state}#_")
    return method.identities(tokens, NOON)


def go_live(rig: Rig, shape: str) -> LivePost:
    """Publish, and return what is live."""
    end = rig.drive(shape).run()
    assert isinstance(end, Done)
    return rig.live(end)
