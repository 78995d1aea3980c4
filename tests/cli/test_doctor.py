"""What the doctor says of a healthy deployment, and of ailing ones."""

import json
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health, SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.settings import Settings
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.token_store import SealedTokenStore
from tests.cli.operator import Operator
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import a_store, a_workspace
from tests.support.ruins import (
    lose_index,
    lose_key,
    lose_queue,
    lose_table,
    silence_bucket,
    stop_expiry,
)


@pytest.fixture
def settings(emulator: EmulatorProcess) -> Settings:
    """Make a deployment of one test's own."""
    return make_resources(emulator.endpoint, rows_expire=True)


def _findings(settings: Settings) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return the exit status, and verdict and message of each finding that is not ok."""
    result = Operator(Deployment(settings)).run("doctor", "--json")
    found = json.loads(result.stdout)["findings"]
    ailing = {
        one["subject"]: (one["verdict"], one["message"]) for one in found if one["verdict"] != "ok"
    }
    assert all(one["advice"] for one in found if one["verdict"] != "ok")
    return result.exit_code, ailing


def test_a_healthy_deployment_with_an_address_has_nothing_to_say(settings: Settings) -> None:
    reachable = replace(settings, public_url="https://post.example")

    assert _findings(reachable) == (0, {})


def test_a_deployment_without_an_address_is_only_warned(settings: Settings) -> None:
    status, ailing = _findings(settings)

    assert status == 0
    assert {subject: verdict for subject, (verdict, _) in ailing.items()} == {
        "GOLDENHOUR_PUBLIC_URL": "warning"
    }


@dataclass(frozen=True, slots=True)
class Connected:
    """A deployment with one account on X that somebody signed in to."""

    settings: Settings
    account: Account
    tokens: SealedTokenStore
    accounts: AccountRepository

    @property
    def subject(self) -> str:
        return f"account {self.account.id} (X @lighthouse)"

    def keep(self, tokens: Tokens) -> None:
        assert self.tokens.keep(self.account, 1, tokens)


@pytest.fixture
def x(settings: Settings) -> Connected:
    """Connect an account whose token holds for another two hours; X itself cannot be reached."""
    unreachable = {"x": "http://127.0.0.1:9"}
    deployment = Deployment(
        replace(settings, public_url="https://post.example", platform_urls=unreachable)
    )
    workspace, _ = a_workspace(a_store(settings))
    tokens = Tokens(access="at-1", refresh="rt-1", expires_at=system_clock() + timedelta(hours=2))
    sign_in = SignIn(platform=Platform.X, handle="@lighthouse", remote_identity="44", tokens=tokens)
    connections = deployment.people.connections
    account = connections.connect(workspace.id, sign_in)
    return Connected(
        deployment.settings,
        account,
        deployment.stores.token_store,
        deployment.stores.account_repository,
    )


def test_good_sign_ins_are_counted(x: Connected) -> None:
    result = Operator(Deployment(x.settings)).run("doctor", "--json")

    found = {one["subject"]: one["message"] for one in json.loads(result.stdout)["findings"]}
    assert result.exit_code == 0
    assert found["sign-ins"] == "1 good"


def test_an_account_whose_sign_in_the_platform_refused_is_wrong(x: Connected) -> None:
    x.tokens.note(x.account, 1, Health.BROKEN, "X no longer accepts the account's sign-in.")

    status, ailing = _findings(x.settings)

    assert status == 1
    assert ailing == {x.subject: ("wrong", "X no longer accepts the account's sign-in.")}


def test_a_sign_in_that_is_over_and_cannot_be_renewed_is_wrong(x: Connected) -> None:
    x.keep(Tokens(access="at-2", expires_at=system_clock() - timedelta(hours=1)))

    status, ailing = _findings(x.settings)

    assert status == 1
    assert ailing == {x.subject: ("wrong", "The sign-in to X is over. Reconnect the account.")}


def test_a_sign_in_that_could_not_be_renewed_just_now_is_a_warning(x: Connected) -> None:
    past = system_clock() - timedelta(hours=1)
    x.keep(Tokens(access="at-2", refresh="rt-2", expires_at=past, extra={"client_id": "c"}))

    status, ailing = _findings(x.settings)

    assert status == 0
    assert ailing[x.subject][0] == "warning"


def test_a_sign_in_that_was_sealed_for_somebody_else_is_wrong(x: Connected) -> None:
    other = replace(x.account, id="0193491b0c4a7b2e9f3a5d6c7e8f9a0b")
    sealed = x.tokens.seal(other.id, Tokens(access="at-3"))
    x.tokens.rows.replace(x.account, sealed)

    status, ailing = _findings(x.settings)

    assert status == 1
    assert ailing == {x.subject: ("wrong", "Its stored sign-in cannot be decrypted.")}


def test_a_missing_table_is_wrong(settings: Settings) -> None:
    lose_table(settings, settings.media_table)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"table {settings.media_table}"][0] == "wrong"


def test_a_missing_index_is_wrong(settings: Settings) -> None:
    lose_index(settings, settings.directory_table, "by_id")

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"table {settings.directory_table}"] == (
        "wrong",
        "The index by_id is missing.",
    )


def test_rows_that_do_not_expire_are_wrong(settings: Settings) -> None:
    stop_expiry(settings, settings.directory_table)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing == {
        f"table {settings.directory_table}": ("wrong", "Rows do not expire by expires_at."),
        "GOLDENHOUR_PUBLIC_URL": ailing["GOLDENHOUR_PUBLIC_URL"],
    }


def test_a_missing_queue_is_wrong(settings: Settings) -> None:
    lose_queue(settings, settings.uploads_queue)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"queue {settings.uploads_queue}"][0] == "wrong"


def test_dead_letters_are_a_warning(settings: Settings) -> None:
    queues = a_client("sqs", settings.endpoint_url)
    url = queues.get_queue_url(QueueName=settings.publish_dead_queue)["QueueUrl"]
    queues.send_message(QueueUrl=url, MessageBody="{}")

    status, ailing = _findings(settings)

    assert status == 0
    assert ailing[f"queue {settings.publish_dead_queue}: messages"] == (
        "warning",
        "1 could not be processed.",
    )


def test_uploads_that_nobody_hears_of_are_wrong(settings: Settings) -> None:
    silence_bucket(settings)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"bucket {settings.media_bucket}: uploads"][0] == "wrong"


def test_a_missing_key_is_wrong(settings: Settings) -> None:
    lose_key(settings)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"key {settings.tokens_key}"][0] == "wrong"


def test_a_paused_engine_is_a_warning(settings: Settings) -> None:
    Operator(Deployment(settings)).ask("engine", "pause")

    status, ailing = _findings(settings)

    assert status == 0
    assert ailing["engine"] == ("warning", "Publishing is paused: nothing is sent.")


def test_an_examination_leaves_nothing_behind(settings: Settings) -> None:
    _findings(settings)

    store = a_client("s3", settings.endpoint_url)
    tables = a_client("dynamodb", settings.dynamodb_url)
    assert store.list_objects_v2(Bucket=settings.media_bucket).get("Contents", []) == []
    assert tables.scan(TableName=settings.directory_table)["Count"] == 0
