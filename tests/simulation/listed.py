"""What holds on platforms that know no target of ours, and of the sign-ins that they take.

What such a platform took is found by its text, so that of two posts with one text either may be
taken for the other's: then each is still at most once there, each belongs to one target, and who
cannot tell says so. A sign-in that its platform would still renew is never called broken.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from chalicelib.domain.posts.target import Target
from chalicelib.kit.dynamodb.items import plain
from chalicelib.storage.posts.items import target_from
from tests.simulation.broken import Broken
from tests.simulation.client import Client, Story
from tests.simulation.faults import Fault

_UNKNOWN = "outcome_unknown"


def of_listed_end(client: Client, story: Story, target: Target, name: str) -> Iterator[Broken]:
    """Yield what is untrue of what a target says in the end."""
    taken = client.cloud.platform.taken
    mine = [one.entry for one in taken if one.entry.target_id == target.id]
    if target.is_live:
        theirs = [one.entry for one in taken if one.entry.remote_id == target.remote_id]
        texts = {call.text for call in story.calls}
        if [one.account_id for one in theirs] != [target.account_id]:
            told = f"{name} says live, is not there"
            yield Broken(promise="what is said is true", story=told)
        elif theirs[0].caption not in texts:
            told = f"{name} says live as {theirs[0].caption!r}"
            yield Broken(promise="what is said is true", story=told)
        return
    if mine and target.error_code != _UNKNOWN and not _is_anothers(client, mine[0].remote_id):
        told = f"{name} is out and says {target.status} ({target.error_code})"
        yield Broken(promise="what is said is true", story=told)


def of_owners(clients: Sequence[Client]) -> Iterator[Broken]:
    """Yield posts on a platform that belong to more than one target."""
    owners = Counter(
        (target.platform, target.remote_id)
        for client in clients
        for target in _targets(client)
        if target.remote_id is not None
    )
    for (platform, remote_id), count in owners.items():
        if count > 1:
            told = f"{remote_id} on {platform} belongs to {count} targets"
            yield Broken(promise="what is said is true", story=told)


def of_sign_ins(clients: Sequence[Client]) -> Iterator[Broken]:
    """Yield sign-ins that are called broken and are not, and refreshes that met another."""
    sign_ins, plan = clients[0].cloud.sign_ins, clients[0].cloud.world.plan
    # A container that is frozen amid a refresh stands still for longer than any lock, too.
    may_stand_still = plan.on_lambda or plan.faults & {Fault.STALLED, Fault.KILLED}
    outlives_its_lock = plan.restores or may_stand_still
    if sign_ins.crowded and not outlives_its_lock:
        told = f"{sorted(set(sign_ins.crowded))} were refreshed by two at once"
        yield Broken(promise="one refresh at a time", story=told)
    for client in clients:
        for row in client.account_rows():
            identity = row.get("remote_identity")
            if row["health"] == "broken" and identity not in sign_ins.revoked_s:
                told = f"the sign-in of {identity} is called broken"
                yield Broken(promise="what is said is true", story=told)


def _is_anothers(client: Client, remote_id: str) -> bool:
    return any(target.remote_id == remote_id for target in _targets(client))


def _targets(client: Client) -> Iterator[Target]:
    for story in client.stories:
        for sk, row in client.cloud.rows_of(story.post_id).items():
            if sk.startswith("TARGET#"):
                yield target_from(plain(row))
