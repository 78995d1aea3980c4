"""Operators sign in as people do today, and the region they name is meant by every command."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from click.testing import CliRunner

from chalicelib.bootstrap.clients import a_session
from chalicelib.doctor.stages import stage_settings
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.settings import Settings
from infra.restore import main as restore
from infra.session import aws_session

_OF_AWS = (
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)


class _NoStack(BaseHTTPRequestHandler):
    """CloudFormation of an account without stacks; notes for which region it was asked."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.asked.append(self.headers["Authorization"].split("/")[2])
        answer = (
            b"<ErrorResponse><Error><Code>ValidationError</Code>"
            b"<Message>Stack does not exist</Message></Error></ErrorResponse>"
        )
        self.send_response(400)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Say nothing."""


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file of profiles that this process reads, and no other word on who it is."""
    for name in _OF_AWS:
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "config"
    monkeypatch.setenv("AWS_CONFIG_FILE", str(file))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return file


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(
            "sso_start_url = https://people.example/start\nsso_region = eu-west-1\n"
            "sso_account_id = 123456789012\nsso_role_name = Deployer\n",
            id="IAM Identity Center",
        ),
        pytest.param(
            "role_arn = arn:aws:iam::123456789012:role/Deployer\nsource_profile = keys\n",
            id="an assumed role",
        ),
    ],
)
def test_every_way_of_signing_in_finds_the_services_that_it_asks(
    profile: str, profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither may end in "Unknown service": the session knows more than what we call."""
    keys = "[profile keys]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = x\n"
    profiles.write_text(f"{keys}[profile work]\nregion = eu-west-1\n{profile}", encoding="utf-8")
    monkeypatch.setenv("AWS_PROFILE", "work")
    session = a_session()

    session.get_credentials()

    for service in ("sso", "sso-oidc", "sts"):
        client = session.create_client(service, region_name="eu-west-1")
        assert client.meta.region_name == "eu-west-1"


def test_aws_region_is_meant_by_every_command(
    profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profiles.write_text("[profile work]\nregion = eu-west-1\n", encoding="utf-8")
    monkeypatch.setenv("AWS_PROFILE", "work")

    of_the_profile = aws_session().region_name
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-north-1")
    by_default = aws_session().region_name
    monkeypatch.setenv("AWS_REGION", "ap-south-1")

    assert (of_the_profile, by_default) == ("eu-west-1", "eu-north-1")
    assert aws_session().region_name == "ap-south-1"
    assert Settings.from_environment(os.environ).region == "ap-south-1"


def test_a_stage_is_looked_for_in_the_region_of_the_profile(
    profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = x\n"
    profiles.write_text(f"[profile work]\nregion = eu-west-1\n{keys}", encoding="utf-8")
    monkeypatch.setenv("AWS_PROFILE", "work")

    with ThreadingHTTPServer(("127.0.0.1", 0), _NoStack) as aws:
        Thread(target=aws.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{aws.server_port}"
        with pytest.raises(OperatorError, match=r"account and region \(eu-west-1\)"):
            stage_settings("prod", {"AWS_ENDPOINT_URL": endpoint})
        aws.shutdown()


def test_a_table_is_restored_in_the_region_that_aws_region_names(
    profiles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """boto3 by itself would go to the profile's."""
    keys = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = x\n"
    profiles.write_text(f"[profile work]\nregion = eu-west-1\n{keys}", encoding="utf-8")
    monkeypatch.setenv("AWS_PROFILE", "work")
    monkeypatch.setenv("AWS_REGION", "ap-south-1")

    with ThreadingHTTPServer(("127.0.0.1", 0), _NoStack) as aws:
        Thread(target=aws.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{aws.server_port}")
        monkeypatch.setattr(_NoStack, "asked", [])
        named = ["--stage", "prod", "--table", "posts", "--from", "recovered"]
        result = CliRunner().invoke(restore, named, input="y\n")
        aws.shutdown()

    assert result.exit_code == 1
    assert set(_NoStack.asked) == {"ap-south-1"}


def test_without_a_region_a_command_says_how_to_name_one(profiles: Path) -> None:
    profiles.write_text("", encoding="utf-8")

    with pytest.raises(OperatorError, match="set AWS_REGION"):
        stage_settings("prod")
