"""Every function works with exactly its policy: nothing it needs is missing, nothing is unused.

One journey through everything the functions do, each in its own module under its own policy; then
what was asked of AWS is held against the files in `.chalice/`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

import pytest
from botocore.exceptions import ClientError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.settings import Settings
from chalicelib.storage.sign_in.applications import seal_name
from chalicelib.storage.workspace.items import application_key, own_application_key
from infra.packaging.libraries import PROJECT
from tests.deployment.policies.iam import PLATFORM_SIDS, Arns, Grant, Need, grants, policy_file
from tests.deployment.policies.journey import FUNCTIONS, Journey, a_journey
from tests.services.media.file_host import run_file_host
from tests.support.emulator import EmulatorProcess

pytestmark = pytest.mark.deploy

ALIKE = {"prepare": ("retry",), "retry": ("prepare",)}
"""Functions of one worker: what could not be read goes through either, whatever it is."""
_ANY = Settings.from_environment({})
_SEALED = {
    "account": "0" * 32,
    "sign-in": f"flow:{'0' * 64}",
    "application": seal_name(application_key("instagram", "facebook")),
    "own application": seal_name(own_application_key("0" * 32, "instagram", "facebook")),
    "push key": "PUSH_KEY",
}
"""For what the tokens key seals something, by purpose."""


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
    asked = function.needed.union(*(journey.functions[twin].needed for twin in ALIKE.get(name, ())))

    own = [grant for grant in function.allowed if grant.sid not in PLATFORM_SIDS]
    unused = [
        grant
        for grant in own
        if not any(grant.covers(need) for need in asked)
        and not _ends_a_broken_upload(grant, own)
        and not _paces_late_targets(grant)
        and not _reads_many_posts_at_risk(grant)
        and not _lists_by_making(name, grant)
        and not _tells_of_a_broken_account(name, grant)
        and not _takes_turns(grant)
        and not _puts_a_conversion_back(name, grant)
        and not _makes_one_minutes_ahead(name, grant)
        and not _reads_whose_post_it_is(name, grant)
    ]

    assert unused == []


def _ends_a_broken_upload(grant: Grant, own: list[Grant]) -> bool:
    """Tell whether it is the right to give up an upload in parts that the same role may begin.

    No upload breaks off on the journey, so that nothing asks for it there.
    """
    begins = replace(grant, action="s3:PutObject")
    return grant.action == "s3:AbortMultipartUpload" and begins in own


def _paces_late_targets(grant: Grant) -> bool:
    """Tell whether it is the right to space out an account's late targets after an outage.

    There is no outage on the journey.
    """
    return grant.below == "PACE#*"


def _reads_many_posts_at_risk(grant: Grant) -> bool:
    """Tell whether it is the right to read more than twelve posts of an account that broke.

    Fewer are read by a query each, and the journey's account has fewer.
    """
    return (grant.sid, grant.action) == ("AtRiskPosts", "dynamodb:BatchGetItem")


def _lists_by_making(name: str, grant: Grant) -> bool:
    """Tell whether it is the right to find failed posts where two days hold more than 80,000.

    On the journey there are fewer, and they are found by their time.
    """
    return name == "notify" and grant.resource.endswith("/index/by_workspace")


def _tells_of_a_broken_account(name: str, grant: Grant) -> bool:
    """Tell whether it is the right to tell of the posts of an account that `collect` finds broken.

    On the journey the review, which reads profiles, finds each one first.
    """
    return name == "collect" and grant.sid in {"AtRiskIndexes", "News"}


def _takes_turns(grant: Grant) -> bool:
    """Tell whether it is the right to note how far rounds of notices have come.

    On the journey there are so few workspaces that each has its turn in every round.
    """
    return grant.below == "NOTICES"


def _puts_a_conversion_back(name: str, grant: Grant) -> bool:
    """Tell whether it is the right to put a copy back while its workspace has no place.

    Whether one has to wait on the journey depends on how fast the copies before it are made.
    """
    return (name, grant.sid) == ("convert", "Again")


def _makes_one_minutes_ahead(name: str, grant: Grant) -> bool:
    """Tell whether it is the right to send word of a series' post that is due within minutes.

    One is made 35 days ahead, unless nothing ran for so long.
    """
    return (name, grant.sid) == ("review", "Hints")


def _reads_whose_post_it_is(name: str, grant: Grant) -> bool:
    """Tell whether it is the right to read which target has a post that a platform named twice.

    No platform does so on the journey (`tests/workers/publishing/test_adoption.py`).
    """
    return (name, grant.sid, grant.action) == ("publish", "Posts", "dynamodb:GetItem")


def test_both_functions_of_one_worker_are_allowed_the_same_but_queue_and_log() -> None:
    allowed = [
        {
            (grant.sid, grant.action, grant.resource, grant.below)
            for grant in grants(policy_file(name), Arns(_ANY))
            if grant.sid not in ("Poll", "Log")
        }
        for name in ("prepare", "retry")
    ]

    assert allowed[0] == allowed[1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_writes_rows_of_its_own_partitions_only(name: str) -> None:
    """The API alone writes everything; keys are nobody else's.

    Who may have news for members marks their workspace on the list of all.
    Who publishes notes in the engine's switch that an application is held up by its platform.
    The tick has a row of its own, for what it sent; so has the review, for its rounds of
    profiles and series, for exports and for workspaces that are deleted. It alone deletes what was
    theirs, and takes a workspace that is gone out of the engine's switch. Who tells of an export
    notes that it did.
    """
    of_review = {"ENGINE", "PROFILES", "SERIES", "DELETED", "DELETIONS", "EXPORTS", "PERSON#*"}
    told = {"tick": {"TICK"}, "review": of_review, "notify": {"EXPORTS", "NOTICES"}}
    told |= {each: {"ENGINE"} for each in ("publish", "prepare", "retry")}
    own = told.get(name, set())
    written = [
        grant
        for grant in grants(policy_file(name), Arns(_ANY))
        if grant.action in ("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem")
        and grant.resource.endswith("-directory")
        and (name, grant.sid) != ("review", "DeletedWorkspaces")
    ]

    if name != "api_handler":
        assert {grant.below for grant in written} <= {"WORKSPACE#*", "PACE#*", "WORKSPACES"} | own


def test_the_review_deletes_nothing_that_belongs_to_no_workspace() -> None:
    allowed = [
        grant
        for grant in grants(policy_file("review"), Arns(_ANY))
        if grant.sid == "DeletedWorkspaces"
    ]

    assert {grant.action for grant in allowed} == {"dynamodb:DeleteItem"}
    for partition in (
        "ENGINE",
        "TICK",
        "APPLICATIONS",
        "QUESTION_KEY",
        "PROFILES",
        "SERIES",
        "PERSON#1",
    ):
        assert not [grant for grant in allowed if fnmatchcase(partition, grant.below)], partition


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_refused_one_action_more(journey: Journey, name: str) -> None:
    function = journey.functions[name]
    before = len(function.refused)

    with pytest.raises(ClientError) as refusal:
        function.deployment.clients.dynamodb.describe_table(TableName="any")

    assert refusal.value.response["Error"]["Code"] == "AccessDeniedException"
    del function.refused[before:]


def test_every_function_has_a_policy_memory_and_a_time_limit_and_all_stages_the_same() -> None:
    config = json.loads((PROJECT / ".chalice" / "config.json").read_text())

    assert set(config["lambda_functions"]) == set(FUNCTIONS)
    for own in config["lambda_functions"].values():
        assert set(own) == {"lambda_memory_size", "lambda_timeout", "iam_policy_file"}
    for name, stage in config["stages"].items():
        assert stage == {
            "environment_variables": {"GOLDENHOUR_STAGE": name},
            "tags": {"application": config["app_name"], "stage": name},
        }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_opens_what_is_sealed_for_its_purpose_alone(name: str) -> None:
    """Who sends, reads figures or profiles opens accounts' tokens; nobody but the API more.

    And `notify` the key of messages to browsers, which the API makes.
    """
    of_account = {"account"}
    opened: dict[str, set[str]] = {
        "api_handler": {"account", "sign-in", "application", "own application"},
        "notify": {"push key"},
        **dict.fromkeys(("publish", "prepare", "retry", "collect", "review"), of_account),
    }
    sealed = {**opened, "notify": set(), "api_handler": set(_SEALED) - {"application"}}
    may = grants(policy_file(name), Arns(_ANY))

    for action, purposes in (("Decrypt", opened), ("GenerateDataKey", sealed)):
        allowed = {
            purpose
            for purpose, sealed_for in _SEALED.items()
            if any(grant.covers(Need(f"kms:{action}", Arns(_ANY).key, sealed_for)) for grant in may)
        }
        assert allowed == purposes.get(name, set()), action


def test_no_application_is_named_like_an_account() -> None:
    """Else whoever may open accounts' tokens could open its secret."""
    ways = Deployment(_ANY).sign_in.sign_ins
    names = [
        seal_name(application_key(platform, method))
        for platform in Platform
        for method in (None, *ways.methods(platform))
    ]

    assert [name for name in names if fnmatchcase(name, "?" * len(_SEALED["account"]))] == []


def test_no_policy_has_a_wildcard_action_or_a_resource_of_no_ours() -> None:
    for policy in (PROJECT / ".chalice").glob("policy-*.json"):
        for grant in grants(policy, Arns(_ANY)):
            assert "*" not in grant.action, policy
            assert grant.resource.startswith("arn:"), policy
            assert not grant.resource.endswith(":*"), policy
