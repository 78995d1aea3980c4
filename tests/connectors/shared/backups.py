"""Backups of a world's posts, put back with a confirmed restore or, like a disk, without one."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.api.http_room import Document
from tests.connectors.shared.every_platform import World


@dataclass(frozen=True, slots=True)
class Backup:
    """All rows of posts as they were, and when that was."""

    world: World
    rows: list[Document]
    at: datetime

    @classmethod
    def of(cls, world: World) -> "Backup":
        """Make a backup now."""
        house = world.room.house
        table = house.deployment.tables.posts
        return cls(
            world, house.deployment.clients.dynamodb.scan(TableName=table)["Items"], house.clock()
        )

    def put_back(self) -> None:
        """Let the table be as it was, as on a disk that went back to a snapshot."""
        house = self.world.room.house
        dynamodb, table = house.deployment.clients.dynamodb, house.deployment.tables.posts
        for row in dynamodb.scan(TableName=table)["Items"]:
            dynamodb.delete_item(TableName=table, Key={"pk": row["pk"], "sk": row["sk"]})
        for row in self.rows:
            dynamodb.put_item(TableName=table, Item=row)

    def restore(self) -> None:
        """Put the table back, and go on as docs/operations.md says."""
        self.put_back()
        house = self.world.room.house
        house.deployment.stores.engine_switch.resume_confirming(self.at, now=house.clock())


def pass_time(world: World, time: timedelta) -> None:
    """Let time go by, running each target when it wakes, under the switch as it is."""
    clock, deployment = world.room.house.clock, world.room.house.deployment
    end = clock() + time
    while refs := world.room.waking(end):
        clock.now = max(clock(), refs[0].wake_at)
        for ref in world.room.waking(clock()):
            deployment.engine.publish_worker.run(ref, deployment.stores.engine_switch.read())
    clock.now = end
