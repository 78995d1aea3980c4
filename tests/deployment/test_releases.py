"""No release is gone back to that would lock everybody out; a failed deployment keeps what runs."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.api.doors.chalice_app import behind_entrance
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.settings import ORIGIN_SECRETS, Settings
from chalicelib.storage.tables import ROW_FORMAT
from infra.releases import NoReleaseError, Releases
from infra.stack import Stack
from infra.template.functions import ALIAS
from infra.template.merging import Template
from tests.deployment.templates.reading import FUNCTIONS, properties
from tests.support.emulator import CREDENTIALS

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

FUNCTION = "goldenhour-prod-APIHandler"


class OneFunction(Stack):
    """A stack with a function that CloudFormation is not asked about."""

    def named(self, kind: str) -> dict[str, str]:
        of_kind = {
            "AWS::Lambda::Function": {"APIHandler": FUNCTION},
            "AWS::Lambda::Alias": {f"APIHandlerAlias{ALIAS}": ALIAS},
        }
        return of_kind[kind]


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


def _release(functions: "LambdaClient", name: str, *secrets: str, **more: str) -> int:
    """Publish a version; one of an older checkout knows a single secret."""
    known = dict(zip(ORIGIN_SECRETS, secrets, strict=False))
    variables = {"GOLDENHOUR_RELEASE": name, **known, **more}
    functions.update_function_configuration(
        FunctionName=FUNCTION, Environment={"Variables": variables}
    )
    return int(functions.publish_version(FunctionName=FUNCTION, Description=name)["Version"])


def _run(functions: "LambdaClient", version: int) -> None:
    functions.create_alias(FunctionName=FUNCTION, Name=ALIAS, FunctionVersion=str(version))


class Inside:
    """What stands behind the entrance."""

    def answer(self, request: Request) -> Response:
        del request
        return Response(status=200)


def _resolved(value: Mapping[str, str], turns: Mapping[str, int]) -> str:
    """Return the secret that a reference of the template leads to, once it was renewed so often."""
    (name,) = re.findall(r"\$\{(\w+)\}", value["Fn::Sub"])
    return f"{name} {turns.get(name, 1)}"


def _entrance(template: Template, **turns: int) -> dict[str, str]:
    """Return the headers that CloudFront adds."""
    (entrance,) = properties(template, "AWS::CloudFront::Distribution").values()
    added = entrance["DistributionConfig"]["Origins"][0]["OriginCustomHeaders"]
    return {one["HeaderName"].lower(): _resolved(one["HeaderValue"], turns) for one in added}


def _deploy(functions: "LambdaClient", template: Template, name: str, **turns: int) -> int:
    variables = properties(template, FUNCTIONS)["APIHandler"]["Environment"]["Variables"]
    secrets = (_resolved(variables[one]["Fn::If"][1], turns) for one in ORIGIN_SECRETS)
    return _release(functions, name, *secrets)


def _answers(functions: "LambdaClient", sent: Mapping[str, str]) -> bool:
    """Tell whether what runs answers a request with these headers."""
    running: Any = functions.get_function(FunctionName=FUNCTION, Qualifier=ALIAS)["Configuration"]
    settings = Settings.from_environment(running["Environment"]["Variables"])
    door = behind_entrance(Inside(), settings.origin_secrets)
    return door.answer(Request(method="GET", path="/v1/posts", headers=sent)).status == 200


def test_a_renewed_secret_shuts_nobody_out_neither_at_once_nor_after_a_rollback(
    functions: "LambdaClient", template: Template
) -> None:
    """CloudFront takes minutes to send the new one; a rollback leaves what it sends as it is."""
    first, second = "OriginSecret", "SecondOriginSecret"
    before = _entrance(template)
    _run(functions, _deploy(functions, template, "old"))
    renewed = _entrance(template, **{first: 2})
    now = _deploy(functions, template, "now", **{first: 2})
    functions.update_alias(FunctionName=FUNCTION, Name=ALIAS, FunctionVersion=str(now))

    assert before != renewed
    assert _answers(functions, before)
    assert _answers(functions, renewed)

    _releases(functions).roll_back()

    assert _answers(functions, before)
    assert _answers(functions, renewed)
    assert not _answers(functions, _entrance(template, **{first: 2, second: 2}))
    assert not _answers(functions, {})


def test_a_release_from_before_both_secrets_of_the_entrance_were_renewed_is_not_gone_back_to(
    functions: "LambdaClient",
) -> None:
    _release(functions, "old", "bread", "salt")
    second = _release(functions, "now", "renewed bread", "renewed salt")
    _run(functions, second)
    releases = _releases(functions)

    with pytest.raises(NoReleaseError, match="Release old knows neither secret"):
        releases.roll_back()

    assert releases.live() == {FUNCTION: second}


@pytest.mark.parametrize(
    ("old", "now"),
    [
        pytest.param(("bread", "salt"), ("bread", "salt"), id="the same secrets"),
        pytest.param(("bread", "salt"), ("bread", "renewed"), id="the second was renewed"),
        pytest.param(("bread",), ("bread", "salt"), id="from when there was one"),
        pytest.param(("", ""), ("", ""), id="no front"),
        pytest.param(("",), ("", ""), id="no front, from when there was one secret"),
    ],
)
def test_a_release_that_would_answer_is_gone_back_to(
    functions: "LambdaClient", old: tuple[str, ...], now: tuple[str, ...]
) -> None:
    first = _release(functions, "old", *old)
    _run(functions, _release(functions, "now", *now))
    releases = _releases(functions)

    releases.roll_back()

    assert releases.live() == {FUNCTION: first}


def test_a_release_with_secrets_is_not_gone_back_to_where_no_front_sends_them(
    functions: "LambdaClient",
) -> None:
    _release(functions, "old", "bread", "salt")
    _run(functions, _release(functions, "now", "", ""))

    with pytest.raises(NoReleaseError, match="Release old"):
        _releases(functions).roll_back()


def test_a_release_that_would_misread_the_rows_is_not_gone_back_to(
    functions: "LambdaClient",
) -> None:
    """One from before rows had a number writes the first format."""
    first = _release(functions, "first")
    second = _release(functions, "second", GOLDENHOUR_ROW_FORMAT="1")
    third = _release(functions, "third", GOLDENHOUR_ROW_FORMAT="2")
    _run(functions, third)
    releases = _releases(functions)

    for refused in ("first", "second"):
        with pytest.raises(NoReleaseError, match=f"Release {refused} reads rows of format 1"):
            releases.roll_back(refused)
    assert releases.live() == {FUNCTION: third}
    functions.update_alias(FunctionName=FUNCTION, Name=ALIAS, FunctionVersion=str(second))
    releases.roll_back("first")
    assert releases.live() == {FUNCTION: first}


def test_every_release_says_which_rows_it_writes(template: Template) -> None:
    said = [
        function["Environment"]["Variables"]["GOLDENHOUR_ROW_FORMAT"]
        for function in properties(template, FUNCTIONS).values()
    ]

    assert said == [{"Ref": "RowFormat"}] * len(said)
    assert template["Parameters"]["RowFormat"]["Default"] == ROW_FORMAT  # type: ignore[index,call-overload]


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


def _share(functions: "LambdaClient", version: int, newer: int) -> None:
    functions.update_alias(
        FunctionName=FUNCTION,
        Name=ALIAS,
        FunctionVersion=str(version),
        RoutingConfig={"AdditionalVersionWeights": {str(newer): 0.1}},
    )


def test_a_rollback_while_a_new_release_has_a_tenth_of_the_calls_takes_them_from_it(
    functions: "LambdaClient",
) -> None:
    """And not the other nine tenths from the one that answers well."""
    _release(functions, "older", "secret")
    good = _release(functions, "good", "secret")
    bad = _release(functions, "bad", "secret")
    _run(functions, good)
    _share(functions, good, bad)
    releases = _releases(functions)

    (turned,) = releases.roll_back()

    assert turned.to is not None
    assert turned.to.release == "good"
    assert releases.live_by_name() == {"APIHandler": good}
    assert not releases.is_shared({"APIHandler": good})


def test_what_is_shared_is_told_from_what_somebody_turned_meanwhile(
    functions: "LambdaClient",
) -> None:
    good = _release(functions, "good", "secret")
    new = _release(functions, "new", "secret")
    _run(functions, good)
    releases = _releases(functions)

    assert not releases.is_shared({"APIHandler": good})
    _share(functions, good, new)
    assert releases.is_shared({"APIHandler": good})
    _share(functions, new, good)
    assert not releases.is_shared({"APIHandler": good})
