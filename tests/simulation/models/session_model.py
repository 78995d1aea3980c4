"""What a deployment of a run makes its clients with: a model of each service."""

import io
from typing import TYPE_CHECKING, Any

from tests.simulation.models.dynamodb_client import DynamoDBModelClient
from tests.simulation.models.keys_model import KeysModelClient
from tests.simulation.models.queue_model import QueueModelClient
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.cloud import Cloud


class SessionModel:
    """What a deployment makes its clients with."""

    def __init__(self, cloud: "Cloud") -> None:
        self._cloud = cloud

    def create_client(self, service: str, **more: Any) -> object:  # noqa: ANN401 - botocore's
        match service:
            case "dynamodb":
                return DynamoDBModelClient(
                    self._cloud.world, self._cloud.tables, more.get("config")
                )
            case "sqs":
                return QueueModelClient(self._cloud.world, self._cloud.queues)
            case "s3":
                return _Bucket(self._cloud.world)
            case "kms":
                return KeysModelClient(self._cloud.world)
            case _:
                raise NotImplementedError(f"The simulation has no model of {service}.")


class _Bucket:
    """The media bucket: every object is there, and is the same small photo."""

    def __init__(self, world: World) -> None:
        self._world = world

    def get_object(self, **_: object) -> dict[str, io.BytesIO]:
        self._world.travel(0.005, 0.02)
        return {"Body": io.BytesIO(b"x")}
