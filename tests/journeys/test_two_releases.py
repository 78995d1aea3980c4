"""While a release goes out by tenths, the one before and this one serve the same stage.

Both run, in processes of their own, over the same tables, queues and files: what one writes the
other edits, cancels, carries out and reads. The pairs are a recorded commit with this checkout, and
this checkout with one whose rows and messages say more than it knows: what the next release may do.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.api.routes import ROUTES
from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dynamodb.table import Expression, Table, key_of, partition
from infra.packaging.libraries import PROJECT
from tests.api.http.endpoint_cases import a_photo
from tests.journeys.two_releases.stage import Release, SharedStage, changed, shared_stage, unpack
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.engines import Engine, costly_elsewhere

RECORDED = "870e050bc57a7e3d42493f23a5e75276d9038959"
"""A commit of `main` that stands for the release before; a release records itself here."""

IN_THE_NEXT_RELEASE = {
    "chalicelib/domain/posts/post.py": (
        "    alt_text: str | None = None\n",
        '    alt_text: str | None = None\n    mood: str = "calm"\n',
    ),
    "chalicelib/domain/posts/target.py": (
        "    reminder: Reminder | None = None\n",
        '    reminder: Reminder | None = None\n    mood: str = "calm"\n',
    ),
    "chalicelib/domain/posts/history.py": ('"post.duplicated"', '"post.made_again"'),
    "chalicelib/domain/workspace/notices.py": ('COMMENT = "comment"', 'COMMENT = "remark"'),
    "chalicelib/storage/engine/claims.py": ('TICK = "tick"', 'TICK = "minute"'),
}
"""A field of a packed value and one of a row, an event, a notice and a message of new kinds."""

pytestmark = [
    pytest.mark.costly,
    pytest.mark.cannot_run_on(
        Engine.MOTO, because="it answers within one process only, and two releases are two"
    ),
]


@pytest.fixture(scope="module", params=["before and this", "this and the next"])
def trees(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    if request.param == "before and this":
        return unpack(RECORDED, tmp_path_factory.mktemp("before")), PROJECT
    return PROJECT, changed(tmp_path_factory.mktemp("next"), IN_THE_NEXT_RELEASE)


@pytest.fixture
def stage(emulator: EmulatorProcess, trees: tuple[Path, Path]) -> Iterator[SharedStage]:
    with shared_stage(make_resources(emulator.endpoint), *trees) as made:
        yield made


@costly_elsewhere
@pytest.mark.parametrize(
    ("writer", "workers"),
    [("before", ["after"]), ("after", ["before"]), ("after", ["before", "after"])],
    ids=["the one before writes", "the one after writes", "both work"],
)
def test_what_one_writes_others_edit_cancel_and_send_once(
    stage: SharedStage, writer: str, workers: list[str]
) -> None:
    account = stage.connect(Platform.LINKEDIN)
    at = stage.clock() + timedelta(hours=1)
    working = [_named(stage, name) for name in workers]
    stage.requests = _named(stage, writer)
    photo = stage.upload(a_photo(), "bread.jpg")
    stage.ask("PATCH", f"/v1/media/{photo}", {"alt_text": "Bread"})
    plain = _scheduled(stage, account, at, "as it was")
    pictured = _scheduled(stage, account, at, "with a photo", photo)
    edited = _scheduled(stage, account, at, "edited by one", photo)
    cancelled = _scheduled(stage, account, at, "cancelled")
    refused_once = _scheduled(stage, account, at, "sandbox:flaky:1")
    failed = _scheduled(stage, account, at, "sandbox:fail:caption_rejected")
    copied = stage.ask("POST", f"/v1/posts/{plain}/duplicate")["id"]

    stage.requests = working[0]
    stage.ask("PATCH", f"/v1/posts/{edited}", {"caption": "edited by the other"})
    stage.ask("POST", f"/v1/posts/{cancelled}/cancel")
    stage.ask("POST", f"/v1/posts/{copied}/schedule", {"at": at.isoformat()})
    for after in (timedelta(minutes=-10), timedelta(0), timedelta(minutes=5)):
        stage.clock.now = at + after
        _work(stage, working)
    stage.ask("PATCH", f"/v1/posts/{failed}", {"caption": "mended"})
    stage.ask("POST", f"/v1/posts/{failed}/retry")
    _work(stage, working)

    once = {
        plain: "as it was",
        pictured: "with a photo",
        edited: "edited by the other",
        refused_once: "sandbox:flaky:1",
        failed: "mended",
        copied: "as it was",
    }
    for release in (stage.before, stage.after):
        read = [_read(stage, release, post) for post in once]
        assert [one["status"] for one in read] == ["published"] * len(once)
        assert _read(stage, release, cancelled)["status"] == "cancelled"
        targets = [one["targets"][0]["id"] for one in read]
        assert stage.sent() == sorted(zip(targets, once.values(), strict=True))


def test_each_reads_whatever_the_other_wrote(stage: SharedStage) -> None:
    account = stage.connect(Platform.LINKEDIN)
    wrote = [_some_of_everything(stage, one, account) for one in (stage.before, stage.after)]
    stage.want_all_notices(stage.after)
    stage.rule(stage.before, "tick")

    refused = []
    for release in (stage.after, stage.before):
        stage.requests = release
        for names in wrote:
            paths = [path for method, path, _ in ROUTES if method == "GET" and path not in WITHOUT]
            answers = {path: stage.asked("GET", path.format(**names)) for path in paths}
            refused += [(path, said) for path, said in answers.items() if said[0] >= _BAD]

    assert refused == []


WITHOUT = frozenset(
    {
        "/v1/docs/{asset}",
        "/v1/media/{media_id}/file",
        "/v1/media/uploads/{media_id}",
        "/v1/accounts/{account_id}/tiktok",
        "/v1/accounts/{account_id}/choices",
    }
)
"""What is not in rows, or not of such an account."""
_BAD = 400


def _some_of_everything(stage: SharedStage, release: Release, account: str) -> dict[str, str]:
    """Have a release write what the API can; return its ids as paths name them."""
    stage.requests = release
    media = stage.upload(a_photo(), "bread.jpg")
    stage.ask("PATCH", f"/v1/media/{media}", {"alt_text": "Bread"})
    post = _scheduled(stage, account, stage.clock() + timedelta(hours=1), "Bread", media)
    name = "before" if release is stage.before else "after"
    label = stage.ask("POST", "/v1/labels", {"name": name, "colour": "amber"})["id"]
    stage.ask("PUT", f"/v1/posts/{post}/labels", {"label_ids": [label]})
    repeated = stage.ask("POST", f"/v1/posts/{post}/repeat", {"every": "week", "interval": 1})
    stage.ask("POST", f"/v1/posts/{post}/duplicate")
    stage.rule(release, "review")
    time = "08:00" if release is stage.before else "09:00"
    stage.ask("POST", "/v1/queue-slots", {"weekdays": [0], "time": time})
    return {
        "post_id": post,
        "media_id": media,
        "account_id": account,
        "label_id": label,
        "series_id": repeated["id"],
    }


def test_a_token_that_one_keeps_is_what_the_other_goes_on_from(stage: SharedStage) -> None:
    stores = stage.deployment.stores
    tokens = Tokens(access="1", refresh="refresh", expires_at=stage.clock())
    account = Account(
        id=new_id(stage.clock()),
        workspace_id=stage.workspace_id,
        platform=Platform.X,
        handle="@lighthouse",
        test=False,
        created_at=stage.clock(),
        remote_identity="42",
        token_version=1,
    )
    stores.account_repository.add(account, stores.token_store.seal(account.id, tokens))

    found = [
        stage.refreshed(release, account, kept)
        for release, kept in [(stage.before, "2"), (stage.after, "3"), (stage.before, "4")]
    ]

    kept = stores.token_store.read(account)
    assert found == ["1", "2", "3"]
    assert kept is not None
    assert kept.tokens.access == "4"


@pytest.mark.parametrize("trees", ["this and the next"], indirect=True)
def test_what_the_next_keeps_in_a_row_outlasts_what_this_one_writes(stage: SharedStage) -> None:
    account = stage.connect(Platform.LINKEDIN)
    at = stage.clock() + timedelta(hours=1)
    stage.requests = stage.after
    post = _scheduled(stage, account, at, "as the next wrote it")
    rows = Table(stage.deployment.clients.dynamodb, stage.deployment.tables.posts)
    told = Expression("SET #mood = :mood", {"mood": "wild"})
    [target] = rows.rows(partition(post, "TARGET#"))
    assert target["mood"] == "calm"
    rows.update(key_of(target), told)

    stage.requests = stage.before
    stage.ask("PATCH", f"/v1/posts/{post}", {"caption": "as this one wrote it"})
    stage.clock.now = at
    _work(stage, [stage.before])

    [target] = rows.rows(partition(post, "TARGET#"))
    assert (target["status"], target["mood"]) == ("published", "wild")


def _named(stage: SharedStage, name: str) -> Release:
    return {"before": stage.before, "after": stage.after}[name]


def _work(stage: SharedStage, workers: list[Release]) -> None:
    for worker in workers:
        stage.rule(worker, "tick")
    stage.work(*workers)


def _read(stage: SharedStage, release: Release, post: str) -> Any:  # noqa: ANN401 - JSON
    stage.requests = release
    stage.ask("GET", f"/v1/posts/{post}/history")
    return stage.ask("GET", f"/v1/posts/{post}")


def _scheduled(stage: SharedStage, account: str, at: datetime, text: str, *files: str) -> str:
    body = {"caption": text, "media_ids": list(files), "targets": [{"account_id": account}]}
    post = stage.ask("POST", "/v1/posts", body)["id"]
    stage.ask("POST", f"/v1/posts/{post}/schedule", {"at": at.isoformat()})
    return str(post)
