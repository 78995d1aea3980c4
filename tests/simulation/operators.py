"""What operators and people do to a run: pause, restore, disconnect, take a permission back.

A restore is the worst there is: the disk dies at one moment, every process with it, and a backup of
some minutes before comes back, paused, as docs/server.md says. What was asked for in between is
lost; what went out in between must not go out again. A disk that goes back to a snapshot is the
same without anybody who says so: then what is found late is looked for, and nothing else.
"""

import math
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.workspace.operator_errors import UnknownAccountError, UnknownKeyError
from chalicelib.kit.dynamodb.table import ContentionError
from tests.simulation.client import PLATFORMS, Client
from tests.simulation.cloud import Cloud, Gap
from tests.simulation.faults import popular_seconds
from tests.simulation.virtual_time.scheduler import Process

_FAILS = (ClientError, BotoCoreError, ContentionError)
_AGAIN_S = 1.0


def go_to_work(client: Client) -> None:
    """Start what the plan asks operators and people to do."""
    cloud, plan = client.cloud, client.cloud.world.plan
    chance = random.Random(f"operators {plan.seed}")
    if plan.is_paused:
        _begin("operator at work", partial(_pause, cloud), cloud)
    if plan.has_outage or plan.restores:
        at_s = popular_s(client)[0] - chance.uniform(0.0, 60.0)
        if plan.has_outage:
            cloud.platform.outages.append((at_s, at_s + chance.uniform(120.0, 900.0)))
        _begin("operator restores", partial(_restore, cloud, chance, at_s), cloud)
    if plan.goes_back:
        _begin("disk goes back", partial(_go_back, client), cloud)
    if plan.stuck:
        stuck = random.Random(f"stuck platforms {plan.seed}")
        at_s = popular_s(client)[2] - stuck.uniform(0.0, 60.0)
        span = (at_s, at_s + stuck.uniform(120.0, 900.0))
        cloud.platform.stuck = dict.fromkeys(stuck.sample(sorted(PLATFORMS), k=plan.stuck), span)
    if plan.disconnects:
        _begin("operator disconnects", partial(_disconnect, client, chance), cloud)
    if plan.key_ends:
        _begin("operator of keys", partial(_end_key, client), cloud)
    if plan.is_revoked:
        _begin("person", partial(_revoke, client, chance), cloud)


def popular_s(client: Client) -> list[float]:
    """Return the seconds for which many posts of a workspace are made."""
    return popular_seconds(client.cloud.world.plan, client.mark)


def _begin(name: str, work: partial[None], cloud: Cloud) -> None:
    cloud.world.scheduler.spawn(Process(name), work)


def _pause(cloud: Cloud) -> None:
    """Stop the engine for some minutes, as an operator does."""
    chance = random.Random(f"pause {cloud.world.plan.seed}")
    cloud.world.scheduler.sleep(chance.uniform(0.2, 0.7) * cloud.world.plan.hours * 3_600)
    cloud.pauses.append((cloud.world.now, math.inf))
    cloud.world.scheduler.current.process.things["begin"] = partial(
        _come_back, cloud, "operator again", _resume
    )
    with suppress(*_FAILS):
        cloud.deployment().people.engine_control.pause()
        cloud.world.scheduler.sleep(chance.uniform(30.0, 300.0))
    _resume(cloud)


def _come_back(cloud: Cloud, name: str, command: Callable[[Cloud], None]) -> None:
    """Give an operator's command again, which was killed."""
    again = Process(name)
    again.things["begin"] = partial(_come_back, cloud, name, command)
    cloud.world.scheduler.spawn(again, partial(command, cloud))


def _insist(cloud: Cloud, command: Callable[[], object]) -> None:
    """Give a command each second until it is answered."""
    while True:
        with suppress(*_FAILS):
            command()
            return
        cloud.world.scheduler.sleep(_AGAIN_S)


def _resume(cloud: Cloud) -> None:
    _insist(cloud, cloud.deployment().people.engine_control.resume)
    cloud.pauses[-1] = (cloud.pauses[-1][0], cloud.world.now)


def _restore(cloud: Cloud, chance: random.Random, at_s: float) -> None:
    scheduler = cloud.world.scheduler
    scheduler.sleep(max(at_s + chance.uniform(-30.0, 300.0) - cloud.world.now, 1.0))
    backup, backup_s = cloud.tables.backup(), cloud.world.now
    for number in range(cloud.world.plan.restores):
        if number and chance.random() < 0.5:
            backup, backup_s = cloud.tables.backup(), cloud.world.now
        scheduler.sleep(chance.uniform(10.0, 600.0))
        cloud.gaps.append(Gap(backup_s, cloud.world.now))
        cloud.lose_everything(backup)
        scheduler.sleep(chance.uniform(5.0, 120.0))
        scheduler.current.process.things["begin"] = partial(
            _come_back, cloud, "operator confirms again", _confirm
        )
        _confirm(cloud)


def _confirm(cloud: Cloud) -> None:
    """Let the engine go on, looking for whatever may have gone out since the backup."""
    gap = cloud.gaps[-1]
    since = cloud.world.scheduler.time_at(gap.backup_s)
    control = cloud.deployment().people.engine_control
    _insist(cloud, lambda: control.resume(confirm_since=since))
    gap.resumed_s = cloud.world.now


def _go_back(client: Client) -> None:
    """Put an earlier state of the disk in place of what is there, as a provider's button does."""
    cloud, scheduler = client.cloud, client.cloud.world.scheduler
    chance = random.Random(f"snapshot {cloud.world.plan.seed}")
    scheduler.sleep(max(popular_s(client)[0] - chance.uniform(0.0, 60.0) - cloud.world.now, 1.0))
    snapshot, taken_s = cloud.tables.backup(), cloud.world.now
    scheduler.sleep(chance.uniform(600.0, 2_400.0))
    cloud.gaps.append(Gap(taken_s, cloud.world.now, resumed_s=cloud.world.now))
    cloud.lose_everything(snapshot, is_paused=False)


def _disconnect(client: Client, chance: random.Random) -> None:
    """Disconnect the account of one platform around a popular second."""
    cloud, name = client.cloud, chance.choice(sorted(client.accounts))
    moment = popular_s(client)[1] + chance.choice((-300.0, -8.0, -1.0, 0.0, 2.0, 60.0))
    cloud.world.scheduler.sleep(moment + chance.uniform(-1.0, 1.0) - cloud.world.now)
    account_id = client.accounts[name]
    client.disconnecting[account_id] = cloud.world.now
    cloud.world.scheduler.current.process.things["begin"] = partial(
        _come_back, cloud, "operator disconnects again", partial(_finish_disconnecting, account_id)
    )
    with suppress(UnknownAccountError, *_FAILS):
        cloud.deployment().people.connections.disconnect(account_id)
        client.note_disconnected(account_id)
        return
    _finish_disconnecting(account_id, cloud)


def _end_key(client: Client) -> None:
    """Revoke the second key at a popular second, until that is answered."""
    cloud = client.cloud
    cloud.world.scheduler.sleep(popular_s(client)[0] - 1.0 - cloud.world.now)
    _finish_revoking(client, cloud)


def _finish_revoking(client: Client, cloud: Cloud) -> None:
    cloud.world.scheduler.current.process.things["begin"] = partial(
        _come_back, cloud, "operator revokes again", partial(_finish_revoking, client)
    )
    people = cloud.deployment().people

    def revoke() -> None:
        with suppress(UnknownKeyError):  # an earlier try may have done it
            people.administration.revoke_key(client.second_key_id)

    _insist(cloud, revoke)
    client.refused_since = cloud.world.now


def _finish_disconnecting(account_id: str, cloud: Cloud) -> None:
    """Disconnect until it is answered; an earlier try may have done it."""
    people = cloud.deployment().people

    def disconnect() -> None:
        with suppress(UnknownAccountError):
            people.connections.disconnect(account_id)

    _insist(cloud, disconnect)


def _revoke(client: Client, chance: random.Random) -> None:
    """Take the permission of one signed in account back."""
    world, name = client.cloud.world, chance.choice(sorted(client.signed))
    world.scheduler.sleep(chance.uniform(0.2, 0.9) * world.plan.hours * 3_600)
    client.cloud.sign_ins.revoke(client.identities[client.accounts[name]])
