"""The customers of a run: workspaces with accounts, a photo and a key, as an operator makes them.

Accounts of two platforms are signed in to where the plan says so; all others are test accounts.
"""

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan as WorkspacePlan
from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.media.items import media_item
from chalicelib.storage.tables import use_key
from tests.simulation.client import PLATFORMS, WORDS, Client
from tests.simulation.cloud import Cloud
from tests.simulation.faults import Plan
from tests.simulation.reviewers import review

SIGNED = ("linkedin", "facebook")
HANGS = "sandbox:hang:25"
MONTH_ENDS_IN = "Pacific/Kiritimati"
"""Fourteen hours ahead of UTC: a month ends there half an hour after a run begins."""
MONTHS = ("2026-11", "2026-12")
HAD_USED = 139
"""Of the 150 posts on X a month that Creator has; one with a link counts as ten."""


def a_customer(cloud: Cloud, place: int) -> Client:
    """Make a workspace with accounts, a photo and a key."""
    deployment, plan = cloud.deployment(), cloud.world.plan
    administration, has_approvals = deployment.people.administration, plan.approvals
    workspace, owner = administration.create_workspace(
        name=f"Lighthouse Bakery {place or ''}".strip(),
        plan=WorkspacePlan.STUDIO if place else _plan_of_the_first(plan),
        timezone="UTC" if place else MONTH_ENDS_IN,
        approvals=has_approvals,
        owner_name="Ada",
    )
    key = writers_key = administration.create_key(owner.id, scopes=frozenset(Scope)).secret
    if has_approvals:
        writer = administration.add_member(workspace.id, name="Ben", role=Role.CONTRIBUTOR)
        writers_key = administration.create_key(writer.id, scopes=frozenset(Scope)).secret
    second = administration.create_key(owner.id, scopes=frozenset(Scope)) if plan.key_ends else None
    signed = frozenset(SIGNED) if plan.signed else frozenset[str]()
    accounts = {
        name: _connected(cloud, workspace.id, name, is_signed=name in signed) for name in PLATFORMS
    }
    identities = {accounts[name]: f"{name} of {workspace.id}" for name in sorted(signed)}
    cloud.platform.platforms |= {account_id: name for name, account_id in accounts.items()}
    cloud.platform.listed_accounts |= set(identities)
    photo = Media(
        id=new_id(deployment.clock()),
        workspace_id=workspace.id,
        mime=MediaType.JPEG,
        filename="bread.jpg",
        size_bytes=1,
        width=1080,
        height=1080,
        created_at=deployment.clock(),
    )
    deployment.clients.dynamodb.put_item(
        TableName=deployment.tables.media, Item=attributes(media_item(photo))
    )
    had_used = dict.fromkeys(MONTHS, HAD_USED) if plan.ends_month and not place else {}
    for month, units in had_used.items():
        row = attributes({**use_key(workspace.id, month), "x_units": units})
        deployment.clients.dynamodb.put_item(TableName=deployment.tables.directory, Item=row)
    return Client(
        cloud=cloud,
        workspace_id=workspace.id,
        had_used=had_used,
        key=key,
        writers_key=writers_key,
        review=review if has_approvals else None,
        accounts=accounts,
        signed=signed,
        identities=identities,
        photo=photo.id,
        place=place,
        words=(HANGS,) if plan.hangs and place == plan.workspaces - 1 else WORDS,
        second_key=None if second is None else second.secret,
        second_key_id="" if second is None else second.key.id,
    )


def _plan_of_the_first(plan: Plan) -> WorkspacePlan:
    if plan.ends_month:
        return WorkspacePlan.CREATOR
    return WorkspacePlan.TRIAL if plan.on_trial else WorkspacePlan.STUDIO


def _connected(cloud: Cloud, workspace_id: str, name: str, *, is_signed: bool) -> str:
    connections, platform = cloud.deployment().people.connections, Platform(name)
    if not is_signed:
        return connections.connect_test_account(
            workspace_id, platform=platform, handle="@lighthouse"
        ).id
    identity = f"{name} of {workspace_id}"
    sign_in = SignIn(
        platform=platform,
        handle="@lighthouse",
        remote_identity=identity,
        tokens=cloud.sign_ins.begin(identity),
    )
    return connections.connect(workspace_id, sign_in).id
