"""What a Lambda function has built before its first event: what that event then waits for less.

Lambda gives a whole processor to the import of a function's file, and to its handler what its
memory pays for: half a processor to the API. What is not named here is built when it is asked for.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "app": ("dynamodb", "authentication", "drafts", "scheduling", "accounts"),
    "tick": ("dynamodb", "sqs", "dispatcher"),
    "publish": ("dynamodb", "sqs", "kms", "fire_worker", "engine_switch"),
    "prepare": ("dynamodb", "sqs", "kms", "s3", "prepare_lane", "engine_switch"),
    "retry": ("dynamodb", "sqs", "kms", "s3", "retry_worker", "engine_switch"),
    "convert": ("dynamodb", "sqs", "s3", "convert_worker"),
    "finish_uploads": ("dynamodb", "s3", "upload_worker"),
    "collect": ("dynamodb", "metrics_worker"),
    "notify": ("dynamodb", "notices"),
    "review": ("dynamodb", "token_renewal", "profile_reading", "retention"),
}
"""By handler of `app.py`, the parts of a deployment; a client is made when its `meta` is read."""
CLIENTS: Final = frozenset({"dynamodb", "sqs", "kms", "s3"})


def get_ready(deployment: "Deployment", handler: str) -> None:
    """Build what a handler's events need; nothing is called, and no connection opened."""
    for name in NEEDS.get(handler, ()):
        attrgetter(f"{name}.meta" if name in CLIENTS else name)(deployment)
