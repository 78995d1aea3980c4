"""The entrance and the upload front, read as AWS would run them."""

import json
import re
from typing import Any

import pytest

from chalicelib.settings import ORIGIN_SECRETS
from infra.packaging.libraries import PROJECT
from infra.template.merging import Template
from infra.template.stage import resources_of
from tests.deployment.templates.reading import FUNCTIONS, properties

DOCKERFILE = PROJECT / "infra" / "front" / "Dockerfile"

NOTHING_IS_KEPT = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
"""CloudFront's own cache policy CachingDisabled."""

ALL_BUT_THE_HOST_IS_PASSED_ON = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
"""CloudFront's own origin request policy AllViewerExceptHostHeader: cookies and queries are."""

SECRETS = {
    "X-Origin-Secret": {"Fn::Sub": "{{resolve:secretsmanager:${OriginSecret}}}"},
    "X-Second-Origin-Secret": {"Fn::Sub": "{{resolve:secretsmanager:${SecondOriginSecret}}}"},
}
"""Either is enough, so that one can be renewed while the other goes on."""


def _only(template: Template, kind: str) -> dict[str, Any]:
    (found,) = properties(template, kind).values()
    return found


def _entrance(template: Template) -> dict[str, Any]:
    config: dict[str, Any] = _only(template, "AWS::CloudFront::Distribution")["DistributionConfig"]
    return config


def test_the_load_balancer_forwards_only_what_this_entrance_sends(template: Template) -> None:
    """The address range of CloudFront is everybody's; a header of ours is not."""
    rules = properties(template, "AWS::ElasticLoadBalancingV2::ListenerRule").values()
    (otherwise,) = _only(template, "AWS::ElasticLoadBalancingV2::Listener")["DefaultActions"]

    assert [
        condition["HttpHeaderConfig"] for rule in rules for condition in rule["Conditions"]
    ] == [{"HttpHeaderName": header, "Values": [secret]} for header, secret in SECRETS.items()]
    assert [action["Type"] for rule in rules for action in rule["Actions"]] == ["forward"] * 2
    assert len({rule["Priority"] for rule in rules}) == 2
    assert otherwise["FixedResponseConfig"]["StatusCode"] == "403"
    body = json.loads(otherwise["FixedResponseConfig"]["MessageBody"])
    assert body["error"]["code"] == "forbidden"


def test_the_entrance_says_its_secrets_to_both_origins_and_the_api_asks_for_one(
    template: Template,
) -> None:
    for origin in _entrance(template)["Origins"]:
        assert origin["OriginCustomHeaders"] == [
            {"HeaderName": header, "HeaderValue": secret} for header, secret in SECRETS.items()
        ]
    variables = properties(template, FUNCTIONS)["APIHandler"]["Environment"]["Variables"]
    assert [variables[name] for name in ORIGIN_SECRETS] == [
        {"Fn::If": ["HasFront", secret, ""]} for secret in SECRETS.values()
    ]


@pytest.mark.parametrize("path", ["/v1/media", "/app/media"])
def test_files_of_callers_and_of_people_go_through_the_front(template: Template, path: str) -> None:
    """Through API Gateway a form passes at most 6 MB."""
    config = _entrance(template)
    behavior = next(one for one in config["CacheBehaviors"] if one["PathPattern"] == path)
    otherwise = config["DefaultCacheBehavior"]

    assert (behavior["TargetOriginId"], otherwise["TargetOriginId"]) == ("front", "api")
    assert "POST" in behavior["AllowedMethods"]
    assert behavior["CachePolicyId"] == NOTHING_IS_KEPT
    assert behavior["OriginRequestPolicyId"] == ALL_BUT_THE_HOST_IS_PASSED_ON


def test_the_load_balancer_closes_an_idle_connection_before_the_front_does(
    template: Template,
) -> None:
    """Else it may send a request on one that is being closed, and answers 502.

    Elastic Load Balancing guide, "Troubleshoot your Application Load Balancers": HTTP 502, the
    keep-alive duration of the target is shorter than the idle timeout. Granian's is the time that
    it waits for headers, 30 seconds if nothing is said.
    """
    attributes = _only(template, "AWS::ElasticLoadBalancingV2::LoadBalancer")
    named = {
        one["Key"]: one["Value"] for one in attributes["LoadBalancerAttributes"] if "Key" in one
    }
    waits_ms = re.search(r'"--http1-header-read-timeout", "(\d+)"', DOCKERFILE.read_text("utf-8"))

    assert waits_ms is not None
    assert int(named["idle_timeout.timeout_seconds"]) < int(waits_ms[1]) / 1000


def test_no_secret_stands_in_the_template(template: Template) -> None:
    for secret in properties(template, "AWS::SecretsManager::Secret").values():
        assert "SecretString" not in secret
        assert secret["GenerateSecretString"]["PasswordLength"] >= 32


def test_another_turn_renews_one_secret_and_leaves_the_other(template: Template) -> None:
    """Secrets Manager makes a secret anew when it gets another name."""
    secrets = properties(template, "AWS::SecretsManager::Secret")

    assert {name: secret["Name"]["Fn::Sub"] for name, secret in secrets.items()} == {
        "OriginSecret": "${ResourcePrefix}-origin-${OriginSecretTurn}",
        "SecondOriginSecret": "${ResourcePrefix}-second-origin-${SecondOriginSecretTurn}",
    }


def test_a_deployment_does_not_take_away_containers_that_were_added(template: Template) -> None:
    """CloudFormation sets a count that it is told anew at every change of the service."""
    service = _only(template, "AWS::ECS::Service")

    assert "DesiredCount" not in service
    assert resources_of(template)["FrontService"]["DependsOn"] == "FrontFromEntrance"


def test_the_front_grows_by_cpu_and_memory_and_tells_when_that_is_not_enough(
    template: Template,
) -> None:
    scale = _only(template, "AWS::ApplicationAutoScaling::ScalableTarget")
    policies = properties(template, "AWS::ApplicationAutoScaling::ScalingPolicy").values()
    alarms = properties(template, "AWS::CloudWatch::Alarm")

    assert (scale["MinCapacity"], scale["MaxCapacity"]) == (
        {"Ref": "FrontTasks"},
        {"Ref": "FrontMostTasks"},
    )
    assert {
        policy["TargetTrackingScalingPolicyConfiguration"]["PredefinedMetricSpecification"][
            "PredefinedMetricType"
        ]
        for policy in policies
    } == {"ECSServiceAverageCPUUtilization", "ECSServiceAverageMemoryUtilization"}
    for name in ("FrontCpuAlarm", "FrontMemoryAlarm", "FrontBusyAlarm", "FrontDownAlarm"):
        assert alarms[name]["AlarmActions"]


def test_access_rules_and_logs_are_the_operators_choice(template: Template) -> None:
    entrance, stage = _entrance(template), _only(template, "AWS::ApiGateway::Stage")
    none = {"Ref": "AWS::NoValue"}

    assert entrance["WebACLId"]["Fn::If"] == ["HasPublicWebAcl", {"Ref": "PublicWebAcl"}, none]
    assert entrance["Logging"]["Fn::If"][0] == "HasAccessLogs"
    assert stage["AccessLogSetting"]["Fn::If"][2] == none
    guard = resources_of(template, "AWS::WAFv2::WebACLAssociation")["ApiGuard"]
    assert guard["Condition"] == "HasApiWebAcl"


def test_an_access_log_names_routes_and_not_what_stands_in_their_addresses(
    template: Template,
) -> None:
    """Addresses of shared reviews and sign-ins are secrets."""
    settings = _only(template, "AWS::ApiGateway::Stage")["AccessLogSetting"]["Fn::If"][1]
    said = json.loads(settings["Format"]).values()

    assert "$context.resourcePath" in said
    assert not [one for one in said if "authorizer" in one or one == "$context.path"]
