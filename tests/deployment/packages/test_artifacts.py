"""The bucket from which CloudFormation takes packages: private, encrypted, TLS only, made once."""

import json
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from infra.artifacts import Artifacts
from infra.packaging.archive import digest, write_archive
from tests.support.emulator import CREDENTIALS

ACCOUNT = "123456789012"


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)


@pytest.mark.usefixtures("credentials")
@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1"])
def test_the_bucket_answers_nobody_without_tls(region: str) -> None:
    with mock_aws():
        client = boto3.client("s3", region_name=region)
        artifacts = Artifacts(client, account=ACCOUNT, region=region)

        artifacts.make()

        policy = json.loads(client.get_bucket_policy(Bucket=artifacts.bucket)["Policy"])
        access = client.get_public_access_block(Bucket=artifacts.bucket)
        (rule,) = client.get_bucket_encryption(Bucket=artifacts.bucket)[
            "ServerSideEncryptionConfiguration"
        ]["Rules"]
    (statement,) = policy["Statement"]
    arn = f"arn:aws:s3:::{artifacts.bucket}"
    assert (statement["Effect"], statement["Resource"]) == ("Deny", [arn, f"{arn}/*"])
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert all(access["PublicAccessBlockConfiguration"].values())
    assert rule["ApplyServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"


@pytest.mark.usefixtures("credentials")
def test_a_bucket_whose_making_broke_off_is_protected_by_the_next_deployment() -> None:
    with mock_aws():
        client = boto3.client("s3")
        artifacts = Artifacts(client, account=ACCOUNT, region="us-east-1")
        client.create_bucket(Bucket=artifacts.bucket)

        artifacts.make()
        artifacts.make()

        assert client.get_bucket_policy(Bucket=artifacts.bucket)["Policy"]


def test_a_zip_made_without_a_compiler_is_replaced_by_one_with_bytecode(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "app.py").write_text("x = 1\n", encoding="utf-8")
    names = []
    for bytecode in (None, b"of one compiler", b"of another"):
        if bytecode is not None:
            (folder / "app.pyc").write_bytes(bytecode)
        write_archive(folder, tmp_path / "code.zip")
        names.append(digest(tmp_path / "code.zip"))

    assert names[0] != names[1]
    assert names[1] == names[2]
