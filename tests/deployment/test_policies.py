"""Every function works with exactly its policy: nothing it needs is missing, nothing is unused.

One journey through everything the functions do, each in its own module under its own policy; then
what was asked of AWS is held against the files in `.chalice/`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from botocore.exceptions import ClientError

from chalicelib.settings import Settings
from infra.packaging import PROJECT
from tests.deployment.iam import PLATFORM_SIDS, Arns, Grant, grants
from tests.deployment.journey import FUNCTIONS, Journey, a_journey
from tests.services.media.file_host import run_file_host
from tests.support.emulator import EmulatorProcess

_ANY = Settings.from_environment({})


@pytest.fixture(scope="module")
def journey(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Journey]:
    with pytest.MonkeyPatch.context() as environment, run_file_host() as files:
        made = a_journey(emulator, tmp_path_factory.mktemp("sandbox"), environment, files)
        made.run()
        yield made


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_needs_more_than_its_policy_allows(journey: Journey, name: str) -> None:
    function = journey.functions[name]

    assert function.needed
    assert function.refused == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_is_allowed_what_it_never_does(journey: Journey, name: str) -> None:
    function = journey.functions[name]

    own = [grant for grant in function.allowed if grant.sid not in PLATFORM_SIDS]
    unused = [
        grant
        for grant in own
        if not any(grant.covers(need) for need in function.needed)
        and not _ends_a_broken_upload(grant, own)
    ]

    assert unused == []


def _ends_a_broken_upload(grant: Grant, own: list[Grant]) -> bool:
    """Tell whether it is the right to give up an upload in parts that the same role may begin.

    No upload breaks off on the journey, so that nothing asks for it there.
    """
    begins = replace(grant, action="s3:PutObject")
    return grant.action == "s3:AbortMultipartUpload" and begins in own


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_refused_one_action_more(journey: Journey, name: str) -> None:
    function = journey.functions[name]
    before = len(function.refused)

    with pytest.raises(ClientError) as refusal:
        function.deployment.dynamodb.describe_table(TableName="any")

    assert refusal.value.response["Error"]["Code"] == "AccessDeniedException"
    del function.refused[before:]


def test_every_function_of_the_app_has_a_policy_memory_and_a_time_limit_in_every_stage() -> None:
    config = json.loads((PROJECT / ".chalice" / "config.json").read_text())

    for stage in config["stages"].values():
        assert set(stage["lambda_functions"]) == set(FUNCTIONS)
        for own in stage["lambda_functions"].values():
            assert set(own) == {"lambda_memory_size", "lambda_timeout", "iam_policy_file"}


def test_no_policy_has_a_wildcard_action_or_a_resource_of_no_ours() -> None:
    for policy in (PROJECT / ".chalice").glob("policy-*.json"):
        for grant in grants(policy, Arns(_ANY)):
            assert "*" not in grant.action, policy
            assert grant.resource.startswith("arn:"), policy
            assert not grant.resource.endswith(":*"), policy
