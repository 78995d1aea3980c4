"""What AWS's refusals and silences mean, in one sentence for the operator at the terminal.

Only the command line catches them; requests and workers let them crash, for the lease and the
dead-letter queue are their safety net.
"""

from botocore.exceptions import BotoCoreError, ClientError

AwsFailure = (ClientError, BotoCoreError)
"""Everything that a call of AWS can raise."""


def explain(failure: ClientError | BotoCoreError) -> str:
    """Say what AWS refused, or that it could not be asked."""
    if isinstance(failure, ClientError):
        code = failure.response["Error"]["Code"]
        return f"AWS refused {failure.operation_name} ({code}). `doctor` says what is wrong."
    return f"AWS could not be asked: {failure}. Check network, region and credentials."
