"""E-mail by Amazon SES, for deployed stages: the sender is an identity that SES has verified.

https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
"""

from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.workspace.notices import Letter, NotMailed, with_ascii_domain

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sesv2.type_defs import MessageTypeDef


class SesMailer:
    """Sends e-mail from one sender by SES."""

    def __init__(self, client: "SESV2Client", sender: str) -> None:
        self._client = client
        self._sender = with_ascii_domain(sender)

    def send(self, letter: Letter) -> None:
        """Send an e-mail. Raises NotMailed."""
        message: MessageTypeDef = {
            "Subject": {"Data": " ".join(letter.subject.split()), "Charset": "UTF-8"},
            "Body": {"Text": {"Data": letter.text, "Charset": "UTF-8"}},
            "Headers": [{"Name": "Auto-Submitted", "Value": "auto-generated"}],
        }
        try:
            self._client.send_email(
                FromEmailAddress=self._sender,
                Destination={"ToAddresses": [with_ascii_domain(letter.to)]},
                Content={"Simple": message},
            )
        except ClientError as refusal:
            code = refusal.response["Error"]["Code"]
            raise NotMailed(f"SES did not take it ({code}).") from refusal
        except BotoCoreError as failure:
            raise NotMailed(f"SES did not take it ({type(failure).__name__}).") from failure
