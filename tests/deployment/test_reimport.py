"""A stack that was deleted is made again around its data, and goes on with the same key."""

from dataclasses import replace

import boto3
import pytest
from click.testing import CliRunner

from infra.destroy import Remains
from infra.packaging.package import Package
from infra.reimport import (
    IDENTIFIERS,
    NO_KEY,
    NotImportableError,
    Plan,
    import_template,
    main,
    prepare,
    retained,
)
from infra.stack import HOLDS_DATA, Stack
from infra.template.merging import Template
from infra.template.stage import resources_of, stage_template, written
from tests.deployment.cloud import Cloud, a_cloud
from tests.deployment.stage import STAGE, a_stage, propose, publish_a_photo
from tests.support.emulator import REGION

KEY = "AWS::KMS::Key"


@pytest.fixture(scope="session")
def whole(packaged: Package) -> Template:
    return stage_template(packaged.template, STAGE)


def test_everything_that_a_stack_leaves_behind_can_be_imported(whole: Template) -> None:
    kinds = {one["Type"] for one in retained(whole).values()}

    assert kinds == set(HOLDS_DATA) == set(IDENTIFIERS)


def test_an_import_says_nothing_of_what_is_not_imported(whole: Template) -> None:
    """CloudFormation refuses outputs and any other resource, so nothing may refer to one."""
    names = list(retained(whole))

    part = import_template(whole, names)

    assert set(part) == {"Parameters", "Conditions", "Resources"}
    assert list(resources_of(part)) == names
    assert "UploadsQueue" not in written(part)
    for name, one in resources_of(part).items():
        kept = {"NotificationConfiguration"} if name == "MediaBucket" else set()
        said = resources_of(whole)[name]["Properties"]
        assert isinstance(said, dict)
        assert isinstance(one["Properties"], dict)
        assert set(said) - set(one["Properties"]) == kept
        assert one["DeletionPolicy"] == "RetainExceptOnCreate"


@pytest.mark.costly
@pytest.mark.deploy
def test_cfn_lint_finds_nothing_but_parameters_that_wait_for_the_rest(whole: Template) -> None:
    # Its import takes a second, which only this proof shall pay.
    from cfnlint import lint  # noqa: PLC0415

    part = import_template(whole, list(retained(whole)))
    found = lint(written({"AWSTemplateFormatVersion": "2010-09-09", **part}), regions=[REGION])

    assert {one.rule.id for one in found} <= {"W2001", "W8001"}


def _remains(cloud: Cloud) -> Remains:
    return Remains(
        dynamodb=boto3.client("dynamodb"),
        s3=boto3.client("s3"),
        kms=boto3.client("kms"),
        stack=Stack(cloud.aws.formation, f"goldenhour-{STAGE}", poll_s=0.1),
    )


def _import(cloud: Cloud, packaged: Package, key: str | None = None) -> Plan:
    return prepare(cloud.aws, _remains(cloud), STAGE, packaged.template, key=key)


def _names(plan: Plan) -> dict[str, str]:
    """Return what a plan would do with which resource."""
    return {one.name: one.action for one in plan.change_set.changes}


@pytest.mark.deploy
def test_a_stack_that_exists_is_not_imported(packaged: Package) -> None:
    with a_cloud() as cloud:
        propose(cloud, packaged).execute()

        with pytest.raises(NotImportableError, match="Stack goldenhour-dev exists"):
            _import(cloud, packaged)


@pytest.mark.deploy
def test_where_nothing_was_left_there_is_nothing_to_import(packaged: Package) -> None:
    with a_cloud() as cloud:
        with pytest.raises(NotImportableError, match="key of goldenhour-dev is not known"):
            _import(cloud, packaged)
        with pytest.raises(NotImportableError, match="left nothing behind"):
            _import(cloud, packaged, NO_KEY)


@pytest.mark.deploy
def test_what_is_gone_is_left_out_and_a_key_that_is_being_deleted_is_not_taken(
    packaged: Package, whole: Template
) -> None:
    with a_cloud() as cloud:
        propose(cloud, packaged).execute()
        remains = _remains(cloud)
        (key,) = remains.stack.physical_ids(KEY)
        remains.stack.delete()
        remains.dynamodb.update_table(
            TableName="goldenhour-dev-sandbox", DeletionProtectionEnabled=False
        )
        remains.dynamodb.delete_table(TableName="goldenhour-dev-sandbox")
        remains.kms.schedule_key_deletion(KeyId=key)

        with pytest.raises(NotImportableError, match="cancel-key-deletion"):
            _import(cloud, packaged)
        with pytest.raises(NotImportableError, match="cancel-key-deletion"):
            _import(cloud, packaged, key)
        without = _import(cloud, packaged, NO_KEY)
        remains.kms.cancel_key_deletion(KeyId=key)
        named = _import(cloud, packaged, key)

    assert without.missing == ("SandboxTable", "TokensKey")
    assert named.missing == ("SandboxTable",)
    assert _names(named) == dict.fromkeys(set(retained(whole)) - {"SandboxTable"}, "Import")


@pytest.mark.costly
@pytest.mark.deploy
def test_a_deleted_stack_is_made_again_around_its_data(packaged: Package, whole: Template) -> None:
    """Posts, keys and files are there, and tokens are sealed with the key of before."""
    with a_stage(packaged) as stage:
        post = publish_a_photo(stage)
        kms, alias = boto3.client("kms"), stage.settings.tokens_key
        sealed = kms.encrypt(KeyId=alias, Plaintext=b"token")["CiphertextBlob"]
        remains = _remains(stage.cloud)
        remains.stack.delete()

        result = CliRunner().invoke(main, ["--stage", STAGE, "--yes"])
        imported = remains.stack.status()
        deploying = propose(stage.cloud, packaged)
        deploying.execute()

        assert result.exit_code == 0, result.output
        assert "does not exist any more" not in result.output
        assert imported == "IMPORT_COMPLETE"
        touched = {one.name for one in deploying.change_set.changes} & set(retained(whole))
        assert touched == {"MediaBucket"}  # its notification; AWS changes that in place
        assert deploying.stack.status() == "UPDATE_COMPLETE"
        api = deploying.stack.outputs()["RestAPIId"]
        url = f"{stage.cloud.endpoint}/restapis/{api}/api/_user_request_"
        again = replace(stage, url=url)
        assert again.call("GET", f"/v1/posts/{post['id']}") == (200, post)
        assert kms.decrypt(KeyId=alias, CiphertextBlob=sealed)["Plaintext"] == b"token"
        assert publish_a_photo(again)["status"] == "published"


def test_a_stage_that_the_configuration_does_not_know_is_not_imported() -> None:
    result = CliRunner().invoke(main, ["--stage", "nowhere"])

    assert result.exit_code == 1
    assert "dev, prod" in result.output
