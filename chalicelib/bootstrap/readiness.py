"""The parts that a Lambda function builds before its first event, which then waits less.

While a function's file is imported, Lambda gives it a whole processor; its handler gets what its
memory size pays for, half a processor for the API. Other parts are built when first used.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

_ALL = ("clients.dynamodb", "clients.sqs", "clients.kms", "clients.s3")
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "app": ("clients.dynamodb", "workspace", "posting"),
    "tick": ("clients.dynamodb", "clients.sqs", "dispatcher"),
    "publish": ("clients.dynamodb", "clients.sqs", "clients.kms", "engine"),
    "prepare": (*_ALL, "engine.prepare_lane"),
    "retry": (*_ALL, "engine"),
    "convert": ("clients.dynamodb", "clients.sqs", "clients.s3", "upkeep"),
    "finish_uploads": ("clients.dynamodb", "clients.s3", "upkeep"),
    "collect": ("clients.dynamodb", "upkeep"),
    "notify": ("clients.dynamodb", "people"),
    "review": ("clients.dynamodb", "upkeep"),
}
"""The parts of a deployment, by handler of `app.py`; a client is made by reading its `meta`."""


def get_ready(deployment: "Deployment", handler: str) -> None:
    """Build the parts that a handler's events need; this calls nothing and opens no connection."""
    for name in NEEDS.get(handler, ()):
        attrgetter(f"{name}.meta" if name.startswith("clients.") else name)(deployment)
