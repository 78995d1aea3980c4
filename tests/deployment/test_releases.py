"""No release is gone back to that would lock everybody out; a failed deployment keeps what runs."""

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import boto3
import pytest
from moto import mock_aws

from infra.releases import NoReleaseError, Releases
from infra.stack import Stack
from infra.template.functions import ALIAS
from tests.support.emulator import CREDENTIALS

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

FUNCTION = "goldenhour-prod-APIHandler"


class OneFunction(Stack):
    """A stack with a function that CloudFormation is not asked about."""

    def physical_ids(self, kind: str) -> list[str]:
        del kind
        return [FUNCTION]


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> Iterator["LambdaClient"]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        policy = '{"Version": "2012-10-17", "Statement": []}'
        role = boto3.client("iam").create_role(RoleName="r", AssumeRolePolicyDocument=policy)
        code = io.BytesIO()
        with zipfile.ZipFile(code, "w") as packed:
            packed.writestr("app.py", "")
        client = boto3.client("lambda")
        client.create_function(
            FunctionName=FUNCTION,
            Role=role["Role"]["Arn"],
            Runtime="python3.13",
            Handler="app.app",
            Code={"ZipFile": code.getvalue()},
        )
        yield client


def _releases(functions: "LambdaClient") -> Releases:
    stack = OneFunction(boto3.client("cloudformation"), "goldenhour-prod")
    return Releases(functions=functions, stack=stack)


def _release(functions: "LambdaClient", name: str, secret: str) -> int:
    variables = {"GOLDENHOUR_RELEASE": name, "GOLDENHOUR_ORIGIN_SECRET": secret}
    functions.update_function_configuration(
        FunctionName=FUNCTION, Environment={"Variables": variables}
    )
    return int(functions.publish_version(FunctionName=FUNCTION, Description=name)["Version"])


def _run(functions: "LambdaClient", version: int) -> None:
    functions.create_alias(FunctionName=FUNCTION, Name=ALIAS, FunctionVersion=str(version))


def test_a_release_from_before_a_renewed_secret_of_the_entrance_is_not_gone_back_to(
    functions: "LambdaClient",
) -> None:
    _release(functions, "old", "secret of old")
    second = _release(functions, "now", "renewed secret")
    _run(functions, second)
    releases = _releases(functions)

    with pytest.raises(NoReleaseError, match="Release old knows an older secret"):
        releases.roll_back()

    assert releases.live() == {FUNCTION: second}


def test_a_release_with_the_same_secret_is_gone_back_to(functions: "LambdaClient") -> None:
    first = _release(functions, "old", "secret")
    _run(functions, _release(functions, "now", "secret"))
    releases = _releases(functions)

    releases.roll_back()

    assert releases.live() == {FUNCTION: first}


def test_what_ran_before_a_failed_deployment_can_be_let_run_again(
    functions: "LambdaClient",
) -> None:
    first = _release(functions, "good", "secret")
    second = _release(functions, "bad", "secret")
    _run(functions, second)
    releases = _releases(functions)
    releases.roll_back()
    running = releases.live()
    functions.update_alias(FunctionName=FUNCTION, Name=ALIAS, FunctionVersion=str(second))

    releases.keep(running)

    assert releases.live() == {FUNCTION: first}
