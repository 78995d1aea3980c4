"""What the doctor says of a deployed stage, healthy and with things broken by hand.

The emulator's CloudFormation leaves out some of a template (TTL, recovery, rotation, lifecycle);
`_complete` says it again through the APIs, as `chalicelib/local` does for what it needs.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import boto3
import pytest
import requests

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.template import template_of
from chalicelib.doctor.stages import stage_settings
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.local import resources
from chalicelib.local.resources import lifecycle_rules
from chalicelib.settings import Settings
from infra.packaging.package import Package
from tests.cli.operator import Operator
from tests.deployment.stage import STAGE, Stage, a_stage

pytestmark = pytest.mark.deploy

Break = Callable[[Settings], Callable[[], object]]
"""Breaks something of a stage and returns what mends it."""


@pytest.fixture(scope="module")
def stage(packaged: Package) -> Iterator[Stage]:
    with a_stage(packaged) as made:
        _complete(made.settings)
        # Its first answer takes the emulator longer on a busy machine than the doctor waits.
        requests.get(f"{made.url}/v1/health", timeout=240).raise_for_status()
        yield made


@pytest.fixture
def settings(stage: Stage) -> Settings:
    """Return the stage's settings as `--stage` finds them, reached where the emulator answers."""
    found = stage_settings(STAGE, {"AWS_ENDPOINT_URL": stage.cloud.endpoint})
    return replace(found, base_url=stage.url, public_url="https://post.example")


def _complete(settings: Settings) -> None:
    tables, keys = boto3.client("dynamodb"), boto3.client("kms")
    for table in (settings.posts_table, settings.directory_table, settings.media_table):
        tables.update_continuous_backups(
            TableName=table,
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )
    resources.enable_expiry(settings, tables)
    _listen()
    boto3.client("s3").put_bucket_lifecycle_configuration(
        Bucket=settings.media_bucket,
        LifecycleConfiguration={"Rules": lifecycle_rules(template_of(settings))},
    )
    keys.enable_key_rotation(
        KeyId=keys.describe_key(KeyId=settings.tokens_key)["KeyMetadata"]["KeyId"]
    )


def _listen() -> str:
    notifications = boto3.client("sns")
    (topic,) = notifications.list_topics()["Topics"]
    subscribed = notifications.subscribe(
        TopicArn=topic["TopicArn"], Protocol="email", Endpoint="ops@post.example"
    )
    return subscribed["SubscriptionArn"]


def _ailing(settings: Settings) -> tuple[int, dict[str, tuple[str, str]]]:
    result = Operator(Deployment(settings)).run("doctor", "--json")
    found = json.loads(result.stdout)["findings"]
    assert all(one["advice"] for one in found if one["verdict"] != "ok")
    ailing = {
        one["subject"]: (one["verdict"], one["message"]) for one in found if one["verdict"] != "ok"
    }
    return result.exit_code, ailing


def test_a_fresh_stage_is_well(settings: Settings) -> None:
    assert _ailing(settings) == (0, {})


def test_the_stack_says_bucket_and_address(settings: Settings) -> None:
    assert settings.media_bucket == "goldenhour-dev-media-000000000000"
    assert settings.stage == STAGE


def test_a_stage_that_was_never_deployed_is_named(stage: Stage) -> None:
    with pytest.raises(OperatorError, match="There is no stage nowhere"):
        stage_settings("nowhere", {"AWS_ENDPOINT_URL": stage.cloud.endpoint})


def test_the_commands_know_the_sender_of_notices_from_the_stack(stage: Stage) -> None:
    asked = {"AWS_ENDPOINT_URL": stage.cloud.endpoint, "GOLDENHOUR_SMTP_URL": "smtp://here"}
    before = stage_settings(STAGE, asked)
    plan = stage.deploy(NoticesSender="posts@bakery.example")
    plan.stack.execute(plan.change_set)

    after = stage_settings(STAGE, asked)

    assert (before.mails, after.mails) == (False, True)
    assert after.notices_sender == "posts@bakery.example"


def test_alarms_that_nobody_is_told_of_are_a_warning(settings: Settings) -> None:
    notifications = boto3.client("sns")
    notifications.unsubscribe(SubscriptionArn=_listen())

    status, ailing = _ailing(settings)
    _listen()

    assert (status, list(ailing)) == (0, ["who is told of alarms"])


def _disable_tick(settings: Settings) -> Callable[[], object]:
    events = boto3.client("events")
    rules = [one["Name"] for one in events.list_rules()["Rules"]]
    (rule,) = [name for name in rules if "Tick" in name and settings.stage in name]
    events.disable_rule(Name=rule)
    return lambda: events.enable_rule(Name=rule)


def _stop_taking_hints(settings: Settings) -> Callable[[], object]:
    functions = boto3.client("lambda")
    mappings = functions.list_event_source_mappings()["EventSourceMappings"]
    (uuid,) = [
        one["UUID"] for one in mappings if one["EventSourceArn"].endswith(settings.publish_queue)
    ]
    functions.update_event_source_mapping(UUID=uuid, Enabled=False)
    return lambda: functions.update_event_source_mapping(UUID=uuid, Enabled=True)


def _rename_the_bucket(settings: Settings) -> Callable[[], object]:
    functions = boto3.client("lambda")
    names = [one["FunctionName"] for one in functions.list_functions()["Functions"]]
    (name,) = [one for one in names if f"{settings.resource_prefix}-Publish" in one]
    before = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]

    def set_variables(variables: dict[str, str]) -> None:
        functions.update_function_configuration(
            FunctionName=name, Environment={"Variables": variables}
        )
        active = functions.get_waiter("function_active_v2")
        active.wait(FunctionName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})

    set_variables({**before, "GOLDENHOUR_MEDIA_BUCKET": "another"})
    return lambda: set_variables(before)


def _forget_backups(settings: Settings) -> Callable[[], object]:
    tables = boto3.client("dynamodb")

    def set_recovery(*, enabled: bool) -> None:
        tables.update_continuous_backups(
            TableName=settings.posts_table,
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": enabled},
        )

    set_recovery(enabled=False)
    return lambda: set_recovery(enabled=True)


def _open_the_bucket(settings: Settings) -> Callable[[], object]:
    store = boto3.client("s3")
    before = store.get_public_access_block(Bucket=settings.media_bucket)
    store.delete_public_access_block(Bucket=settings.media_bucket)
    return lambda: store.put_public_access_block(
        Bucket=settings.media_bucket,
        PublicAccessBlockConfiguration=before["PublicAccessBlockConfiguration"],
    )


def _disable_the_key(settings: Settings) -> Callable[[], object]:
    keys = boto3.client("kms")
    key = keys.describe_key(KeyId=settings.tokens_key)["KeyMetadata"]["KeyId"]
    keys.disable_key(KeyId=key)
    return lambda: keys.enable_key(KeyId=key)


def _unprotect_a_table(settings: Settings) -> Callable[[], object]:
    tables = boto3.client("dynamodb")
    table = settings.media_table
    tables.update_table(TableName=table, DeletionProtectionEnabled=False)
    return lambda: tables.update_table(TableName=table, DeletionProtectionEnabled=True)


@pytest.mark.parametrize(
    ("breaks", "subject", "said"),
    [
        (_disable_tick, "rule TickTickEvent", "disabled"),
        (_stop_taking_hints, "eventsourcemapping Publish", "nothing takes messages"),
        (_rename_the_bucket, "function Publish", "'another'"),
        (_forget_backups, "table goldenhour-dev-posts: protection", "cannot be restored"),
        (_open_the_bucket, "bucket goldenhour-dev-media-000000000000: privacy", "made public"),
        (_disable_the_key, "key alias/goldenhour-dev-tokens: state", "no account's tokens"),
        (_unprotect_a_table, "table goldenhour-dev-media: protection", "deleted by mistake"),
    ],
)
def test_what_was_broken_by_hand_is_found(
    settings: Settings, breaks: Break, subject: str, said: str
) -> None:
    mend = breaks(settings)
    try:
        status, ailing = _ailing(settings)
    finally:
        mend()

    found = {name: message for name, (_, message) in ailing.items() if name.startswith(subject)}
    assert status == 1
    assert len(found) == 1, ailing
    assert said in next(iter(found.values()))


def test_five_things_broken_at_once_are_all_found(settings: Settings) -> None:
    breaks = (_disable_tick, _stop_taking_hints, _rename_the_bucket, _forget_backups)
    mends = [one(settings) for one in (*breaks, _open_the_bucket)]
    try:
        status, ailing = _ailing(settings)
    finally:
        for mend in mends:
            mend()

    assert (status, len(ailing)) == (1, 5)
    assert _ailing(settings) == (0, {})


def test_an_api_that_does_not_answer_is_found(settings: Settings) -> None:
    status, ailing = _ailing(replace(settings, base_url=settings.base_url.replace("/api/", "/x/")))

    assert status == 1
    assert [name for name in ailing if name.startswith("API ")]
