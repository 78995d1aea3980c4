"""What the template of a stage says, read as whoever runs such stacks would read it."""

import json
import re
from typing import cast

import pytest

from infra.packaging.package import Package
from infra.template.merging import Template, merge
from infra.template.stage import (
    LAYER_CARRIERS,
    MOST_BYTES,
    resources_of,
    stage_template,
    written,
)
from tests.deployment.templates.reading import FUNCTIONS, properties, reader
from tests.support.emulator import REGION

RETAINED = ("AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::KMS::Key")


@pytest.mark.deploy
def test_cfn_lint_finds_nothing(template: Template) -> None:
    # Its import takes a second, which only this proof shall pay.
    from cfnlint import lint  # noqa: PLC0415

    assert lint(written(template), regions=[REGION]) == []


def test_the_template_fits_where_cloudformation_reads_it(template: Template) -> None:
    assert len(written(template)) < MOST_BYTES
    assert len(resources_of(template)) < 500


def test_every_part_laid_over_the_template_is_a_whole_resource(template: Template) -> None:
    assert [name for name, one in resources_of(template).items() if "Type" not in one] == []


@pytest.mark.parametrize("kind", RETAINED)
def test_nothing_that_holds_data_goes_with_the_stack(template: Template, kind: str) -> None:
    found = resources_of(template, kind)

    assert found
    for one in found.values():
        assert (one["DeletionPolicy"], one["UpdateReplacePolicy"]) == (
            "RetainExceptOnCreate",
            "Retain",
        )


def test_every_table_is_on_demand_recoverable_protected_and_forgets(template: Template) -> None:
    for table in properties(template, "AWS::DynamoDB::Table").values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
        assert table["DeletionProtectionEnabled"] == {"Fn::If": ["DataIsProtected", True, False]}
        assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_the_bucket_is_private_encrypted_and_takes_browsers_uploads(template: Template) -> None:
    (bucket,) = properties(template, "AWS::S3::Bucket").values()

    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert bucket["BucketEncryption"]
    assert bucket["LifecycleConfiguration"]["Rules"]
    assert bucket["CorsConfiguration"]["CorsRules"][0]["AllowedMethods"] == ["PUT", "GET"]


def test_the_bucket_keeps_what_was_deleted_for_a_week_and_no_longer(template: Template) -> None:
    """A rule without a prefix is for all files; where several fit, S3 takes the shortest time."""
    (bucket,) = properties(template, "AWS::S3::Bucket").values()
    rules = {one.get("Prefix", ""): one for one in bucket["LifecycleConfiguration"]["Rules"]}
    kept = {
        prefix: one["NoncurrentVersionExpiration"]["NoncurrentDays"]
        for prefix, one in rules.items()
        if "NoncurrentVersionExpiration" in one
    }

    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    assert kept == {"": 7, "incoming/": 1, "prepared/": 1, "exports/": 1}
    assert rules[""]["ExpiredObjectDeleteMarker"]


def test_a_key_may_be_copied_to_other_regions_where_the_stage_says_so(template: Template) -> None:
    (key,) = properties(template, "AWS::KMS::Key").values()

    assert key["MultiRegion"] == {"Fn::If": ["KeyIsForManyRegions", True, {"Ref": "AWS::NoValue"}]}
    parameters = cast("dict[str, dict[str, str]]", template["Parameters"])
    assert parameters["TokensKeyRegions"]["Default"] == "one"


def test_every_function_has_a_role_a_log_and_alarms_of_its_own(template: Template) -> None:
    functions = properties(template, FUNCTIONS)
    logs = properties(template, "AWS::Logs::LogGroup")
    alarms = properties(template, "AWS::CloudWatch::Alarm")
    roles = [one["Role"]["Fn::GetAtt"][0] for one in functions.values()]

    assert len(set(roles)) == len(functions)
    for name, function in functions.items():
        assert function["LoggingConfig"]["LogGroup"] == {"Ref": f"{name}Log"}
        assert logs[f"{name}Log"]["RetentionInDays"] == {"Ref": "LogRetentionDays"}
        watched = {
            alarm["MetricName"]
            for alarm in alarms.values()
            if alarm.get("Dimensions") == [{"Name": "FunctionName", "Value": {"Ref": name}}]
        }
        assert watched == {"Errors"}
    throttled = [one for one in alarms.values() if one["MetricName"] == "Throttles"]
    assert [False] == ["Dimensions" in one for one in throttled], "heard for all of the account"


def test_queues_give_back_single_messages_and_wait_six_times_a_functions_limit(
    template: Template,
) -> None:
    functions = properties(template, FUNCTIONS)
    queues = properties(template, "AWS::SQS::Queue")
    sources = properties(template, "AWS::Lambda::EventSourceMapping")

    assert len(sources) == len([one for one in queues.values() if "RedrivePolicy" in one])
    for source in sources.values():
        assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        queue = queues[source["EventSourceArn"]["Fn::GetAtt"][0]]
        assert queue["VisibilityTimeout"] >= 6 * functions[reader(source)]["Timeout"]
        assert queue["RedrivePolicy"]["maxReceiveCount"] == 5


def test_runs_of_a_rule_that_an_outage_held_up_do_not_all_come_after_it(
    template: Template,
) -> None:
    """The next run does what those would have done, and they would take its places.

    EventBridge guide, "How EventBridge retries delivering events": for 24 hours, up to 185 times,
    if nothing is said. Lambda guide, "Configuring error handling settings for asynchronous
    invocation": for six hours, and two more tries of a run that failed.
    """
    rules = properties(template, "AWS::Events::Rule")
    started = properties(template, "AWS::Lambda::EventInvokeConfig")
    targets = [target for rule in rules.values() for target in rule["Targets"]]

    assert {one["Arn"]["Ref"].removesuffix("Aliaslive") for one in targets} == {
        one["FunctionName"]["Ref"] for one in started.values()
    }
    assert [one.get("RetryPolicy") for one in targets] == [{"MaximumEventAgeInSeconds": 60}] * 4
    for one in started.values():
        assert (one["MaximumRetryAttempts"], one["MaximumEventAgeInSeconds"]) == (0, 120)


def test_what_api_gateway_answers_by_itself_has_the_apis_error_shape(template: Template) -> None:
    (api,) = properties(template, "AWS::ApiGateway::RestApi").values()
    answers = api["Body"]["x-amazon-apigateway-gateway-responses"]

    codes = {
        name: json.loads(answer["responseTemplates"]["application/json"])["error"]["code"]
        for name, answer in answers.items()
    }
    assert codes["MISSING_AUTHENTICATION_TOKEN"] == "not_found"
    assert codes["REQUEST_TOO_LARGE"] == "too_large"
    assert codes["DEFAULT_5XX"] == "internal"
    for answer in answers.values():
        assert answer["responseParameters"]["gatewayresponse.header.X-Request-Id"]


def test_no_answer_of_api_gateway_is_left_in_its_own_shape(template: Template) -> None:
    """A type without an answer of its own takes the default of its status."""
    (api,) = properties(template, "AWS::ApiGateway::RestApi").values()
    answers = api["Body"]["x-amazon-apigateway-gateway-responses"]

    assert {"DEFAULT_4XX", "DEFAULT_5XX"} <= set(answers)
    assert "statusCode" not in answers["DEFAULT_4XX"]  # it would be that of every other, too
    for answer in answers.values():
        assert list(answer["responseTemplates"]) == ["application/json"]
        error = json.loads(answer["responseTemplates"]["application/json"])["error"]
        assert set(error) == {"code", "message"}


def test_api_gateway_decodes_pictures_and_fonts_for_every_browser(template: Template) -> None:
    """Its guide, "Return binary media from a Lambda proxy integration".

    Browsers name other types first, or `*/*`, which fits no type of a list but `*/*`.
    """
    (api,) = properties(template, "AWS::ApiGateway::RestApi").values()

    assert api["BinaryMediaTypes"] == ["*/*"]
    assert api["Body"]["x-amazon-apigateway-binary-media-types"] == ["*/*"]


def test_requests_are_limited(template: Template) -> None:
    (stage,) = properties(template, "AWS::ApiGateway::Stage").values()

    assert stage["MethodSettings"][0]["ThrottlingRateLimit"] == {"Ref": "RequestRate"}


def test_every_alarm_tells_somebody_and_says_what_to_do(template: Template) -> None:
    for alarm in properties(template, "AWS::CloudWatch::Alarm").values():
        assert alarm["AlarmActions"] == [{"Ref": "AlarmTopic"}]
        assert len(alarm["AlarmDescription"]) > 40


def test_stages_share_no_name(packaged: Package) -> None:
    dev, prod = (stage_template(packaged.template, stage) for stage in ("dev", "prod"))

    for name in ("ResourcePrefix", "MediaBucketName"):
        assert dev["Parameters"][name]["Default"] != prod["Parameters"][name]["Default"]  # type: ignore[index,call-overload]


def test_a_layer_goes_to_the_functions_that_decode_files_alone(template: Template) -> None:
    carriers = [name for name, one in properties(template, FUNCTIONS).items() if one.get("Layers")]

    assert sorted(carriers) == sorted(LAYER_CARRIERS)


@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        ("", True),
        ("https://post.example", True),
        ("https://post.example:8443", True),
        ("https://post.example/", False),
        ("https://post.example/social", False),
        ("https://post.example?a=b", False),
        ("http://post.example", False),
    ],
)
def test_a_stages_public_address_has_no_path_as_a_servers(
    template: Template, address: str, *, is_taken: bool
) -> None:
    pattern = cast("dict[str, dict[str, str]]", template["Parameters"])["PublicUrl"][
        "AllowedPattern"
    ]

    assert bool(re.fullmatch(pattern, address)) is is_taken


def test_platforms_fetch_files_at_the_front_and_are_sent_nowhere_without_one(
    template: Template,
) -> None:
    (entrance,) = properties(template, "AWS::CloudFront::Distribution").values()
    behaviours = entrance["DistributionConfig"]["CacheBehaviors"]

    (pulled,) = (one for one in behaviours if one["PathPattern"] == "/v1/pulled/*")
    settings = [one["Environment"]["Variables"] for one in properties(template, FUNCTIONS).values()]

    assert (pulled["TargetOriginId"], pulled["AllowedMethods"]) == ("front", ["GET", "HEAD"])
    for variables in settings:
        assert variables["GOLDENHOUR_PULL_URL"] == {
            "Fn::If": ["HasFront", {"Ref": "PublicUrl"}, ""]
        }


def test_the_function_that_asks_members_knows_the_server_of_assistants(template: Template) -> None:
    told = {
        name
        for name, one in properties(template, FUNCTIONS).items()
        if one["Environment"]["Variables"].get("GOLDENHOUR_ASSISTANT_URL")
        == {"Ref": "AssistantUrl"}
    }

    assert told == {"APIHandler"}


def test_those_that_mail_notices_or_say_so_know_the_sender(template: Template) -> None:
    told = {
        name
        for name, one in properties(template, FUNCTIONS).items()
        if one["Environment"]["Variables"].get("GOLDENHOUR_NOTICES_SENDER")
        == {"Ref": "NoticesSender"}
    }

    assert told == {"APIHandler", "Notify"}


def test_one_role_alone_may_mail_and_from_the_sender_alone(template: Template) -> None:
    may_mail = {
        name: statement
        for name, role in properties(template, "AWS::IAM::Role").items()
        for policy in role.get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
        if "ses:" in str(statement["Action"])
    }

    assert set(may_mail) == {"NotifyRole"}
    statement = may_mail["NotifyRole"]
    assert statement["Action"] == ["ses:SendEmail"]
    assert statement["Condition"] == {"StringEquals": {"ses:FromAddress": {"Ref": "NoticesSender"}}}


def test_an_intrinsic_replaces_what_it_is_laid_over() -> None:
    base: Template = {"Queue": {"Fn::Sub": "arn:${AWS::Region}:q"}, "Kept": 1}

    merged = merge(base, {"Queue": {"Fn::GetAtt": ["Queue", "Arn"]}})

    assert merged == {"Queue": {"Fn::GetAtt": ["Queue", "Arn"]}, "Kept": 1}


def test_lists_are_joined_and_objects_merged() -> None:
    merged = merge({"a": {"list": [1]}, "b": 2}, {"a": {"list": [3], "new": 4}})

    assert merged == {"a": {"list": [1, 3], "new": 4}, "b": 2}


def test_no_error_is_kept_at_the_edge(template: Template) -> None:
    """CloudFront would keep them for ten seconds whatever Cache-Control says."""
    (entrance,) = properties(template, "AWS::CloudFront::Distribution").values()
    kept = entrance["DistributionConfig"]["CustomErrorResponses"]

    assert {500, 502, 503, 504, 400, 403, 404} <= {one["ErrorCode"] for one in kept}
    assert {one["ErrorCachingMinTTL"] for one in kept} == {0}


def test_whoever_writes_files_may_also_give_them_up(template: Template) -> None:
    """A multipart upload that cannot be aborted is paid for until the lifecycle rule comes."""
    for role in properties(template, "AWS::IAM::Role").values():
        for policy in role.get("Policies", []):
            for statement in policy["PolicyDocument"]["Statement"]:
                if "s3:PutObject" in statement["Action"]:
                    assert "s3:AbortMultipartUpload" in statement["Action"]


def test_only_the_media_bucket_of_this_account_tells_the_uploads_queue(template: Template) -> None:
    """S3 guide, "Granting permissions to publish event notification messages": both conditions."""
    (policy,) = properties(template, "AWS::SQS::QueuePolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]

    assert statement["Principal"] == {"Service": "s3.amazonaws.com"}
    assert statement["Condition"] == {
        "ArnEquals": {
            "aws:SourceArn": {"Fn::Sub": "arn:${AWS::Partition}:s3:::${MediaBucketName}"}
        },
        "StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}},
    }
