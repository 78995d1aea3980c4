"""The Threads connector over its fake, with a profile that is signed in for 50 days."""

from datetime import timedelta

from chalicelib.connectors.threads.account import ThreadsHosts
from chalicelib.connectors.threads.connector import ThreadsConnector
from chalicelib.connectors.threads.errors import ERRORS, WORDINGS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.shared.meta.graph_answers import graph_error, sample
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.connectors.threads.fake import CLIENT, HANDLE, SECRET, USER, FakeThreads
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye day #bread"

ThreadsRig = Rig[ThreadsConnector, FakeThreads]


# developers.facebook.com/docs/threads/overview: 250 in 24 hours.
QUOTA = Quota(
    250, timedelta(days=1), r"POST .*/threads_publish", graph_error(4, message="Limit reached")
)


def a_rig() -> ThreadsRig:
    """Return the connector over a fake with lumenbakes' profile, signed in for 50 days."""
    clock = FrozenClock()
    platform = FakeThreads(clock)
    url = platform.url
    connector = ThreadsConnector(
        ThreadsHosts(threads=url, threads_login=url, threads_web="https://www.threads.com"),
        clock=clock,
    )
    account = an_account(Platform.THREADS, HANDLE, USER)
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
        refusals={key: sample(key, WORDINGS) for key in ERRORS},
    )
