"""Letters that go out by SES, played by moto: who they come from, and what becomes of a refusal."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from botocore.config import Config
from botocore.session import Session
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.ses.models import ses_backends

from chalicelib.domain.workspace.notices import Letter, NotMailed
from chalicelib.storage.mail import SesMailer
from tests.support.emulator import CREDENTIALS, REGION

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client

SENDER = "posts@bakery.example"
LETTER = Letter(to="ada@bakery.example", subject="Not posted:\nBakery", text="“Bread” failed.\n")


@pytest.fixture
def ses(monkeypatch: pytest.MonkeyPatch) -> Iterator["SESV2Client"]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        ses_backends[DEFAULT_ACCOUNT_ID][REGION].reset()  # the engine may be moto, too, and goes on
        made: Any = Session().create_client("sesv2", region_name=REGION)
        yield made


def test_a_letter_comes_from_the_sender_in_one_piece(ses: "SESV2Client") -> None:
    calls: list[dict[str, object]] = []
    ses.meta.events.register("before-parameter-build", lambda params, **_: calls.append(params))
    ses.create_email_identity(EmailIdentity=SENDER)

    SesMailer(ses, SENDER).send(LETTER)

    sent = ses_backends[DEFAULT_ACCOUNT_ID][REGION].sent_messages
    told = [(one.source, one.destinations, one.subject, one.body) for one in sent]
    to = {"ToAddresses": ["ada@bakery.example"]}
    assert [(SENDER, to, "Not posted: Bakery", "“Bread” failed.\n")] == told
    assert "auto-generated" in str(calls[-1]["Content"])


def test_a_domain_is_told_as_dns_has_it(ses: "SESV2Client") -> None:
    """SES supports no SMTPUTF8: other letters of a domain must be in Punycode.

    https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Destination.html
    """
    ses.create_email_identity(EmailIdentity="posts@xn--bckerei-5wa.example")

    SesMailer(ses, "posts@bäckerei.example").send(replace(LETTER, to="ada@bücher.example"))

    sent = ses_backends[DEFAULT_ACCOUNT_ID][REGION].sent_messages
    assert [{"ToAddresses": ["ada@xn--bcher-kva.example"]}] == [one.destinations for one in sent]


def test_a_sender_that_nobody_verified_is_told_by_its_code_alone(ses: "SESV2Client") -> None:
    with pytest.raises(NotMailed, match=r"^SES did not take it \(MessageRejected\)\.$"):
        SesMailer(ses, "posts@mill.example").send(LETTER)


def test_a_service_that_cannot_be_reached_took_nothing() -> None:
    nobody = Session()
    nobody.set_credentials("test", "test")
    ses: Any = nobody.create_client(
        "sesv2",
        region_name=REGION,
        endpoint_url="http://127.0.0.1:9",
        config=Config(connect_timeout=1, retries={"total_max_attempts": 1}),
    )

    with pytest.raises(NotMailed, match="EndpointConnectionError"):
        SesMailer(ses, SENDER).send(LETTER)
