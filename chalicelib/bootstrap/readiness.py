"""What a Lambda function has built before its first event: what that event then waits for less.

Lambda gives a whole processor to the import of a function's file, and to its handler what its
memory pays for: half a processor to the API. What is not named here is built when it is asked for.
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
"""By handler of `app.py`, the parts of a deployment; a client is made when its `meta` is read."""


def get_ready(deployment: "Deployment", handler: str) -> None:
    """Build what a handler's events need; nothing is called, and no connection opened."""
    for name in NEEDS.get(handler, ()):
        attrgetter(f"{name}.meta" if name.startswith("clients.") else name)(deployment)
