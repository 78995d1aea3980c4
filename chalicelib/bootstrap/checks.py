"""Wires what knows ahead of time: what accounts offer, and what will keep a post from going out.

`bootstrap` hands it the shared adapters.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployed_services import DeployedServices
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.services.posts.risks import PostRisks
    from chalicelib.services.workspace.choices import AccountChoices


def make_choices(deployment: DeployedServices) -> AccountChoices:
    """Return what asks accounts what they offer."""
    from chalicelib.services.workspace.choices import AccountChoices

    return AccountChoices(
        accounts=deployment.accounts,
        connectors=deployment.connectors,
        tokens=deployment.token_keeper,
        read_creator=lambda account: deployment.creators.read(account),
        clock=deployment.clock,
    )


def make_checks(deployment: DeployedServices) -> PostChecks:
    """Return what checks posts ahead of their time."""
    from chalicelib.bootstrap.preparation import public_addresses
    from chalicelib.services.posts.checks import PostChecks
    from chalicelib.storage.dynamodb.transaction import BatchRead
    from chalicelib.storage.posts.draft_reads import DraftReads

    addresses = public_addresses(
        deployment.settings, deployment.pull_links, deployment.media_store, deployment.clock
    )
    return PostChecks(
        posts=deployment.posts,
        reads=DraftReads(BatchRead(deployment.dynamodb), deployment.tables),
        choices=deployment.choices,
        connectors=deployment.connectors,
        tokens=deployment.token_store.read,
        files_are_public=addresses is not None,
        clock=deployment.clock,
    )


def make_risks(deployment: DeployedServices) -> PostRisks:
    """Return what tells ahead that scheduled targets are at risk."""
    from chalicelib.connectors.shared.transport.failures import PlatformError
    from chalicelib.services.posts.risks import PostRisks
    from chalicelib.storage.dynamodb.transaction import BatchRead
    from chalicelib.storage.posts.lists import PostLists

    batch = BatchRead(deployment.dynamodb)

    def renew(workspace_id: str, account_id: str) -> None:
        account = deployment.accounts.get(workspace_id, account_id)
        if account is None or account.test:
            return
        connector = deployment.connectors.real.get(account.platform)
        if connector is not None:
            with suppress(PlatformError):  # a refusal is noted on the account, and told from there
                deployment.token_keeper.signed(account, connector)

    return PostRisks(
        posts=deployment.posts,
        lists=PostLists(deployment.dynamodb, deployment.tables, batch),
        targets=deployment.targets,
        find_checks=lambda: deployment.checks,
        renew=renew,
        clock=deployment.clock,
    )
