"""Wires what the operator's commands call, beside `bootstrap`, which wires requests and workers.

Apart from it because nothing deployed needs these parts, and no function should load them.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import boto3

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.operator_services import OperatorServices
from chalicelib.bootstrap.people import make_administration, make_connections
from chalicelib.bootstrap.stage import stage_checks
from chalicelib.bootstrap.web import make_connecting, make_sessions
from chalicelib.doctor.address_checks import AddressChecks
from chalicelib.doctor.doctor import Doctor
from chalicelib.doctor.resource_plan import read_plan
from chalicelib.doctor.server_checks import ServerChecks
from chalicelib.doctor.service_checks import BucketChecks, KeyChecks, QueueChecks
from chalicelib.doctor.sign_in_checks import SignInChecks
from chalicelib.doctor.table_checks import TableChecks
from chalicelib.doctor.version_checks import VersionChecks
from chalicelib.services.operator.deletion import WorkspaceDeletion
from chalicelib.services.operator.engine_control import EngineControl
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.storage.workspace.workspaces import WorkspaceRepository
from chalicelib.workers.trial.publications import Trials

_LOCAL = "local"
_TEMPLATE = Path(__file__).parents[2] / "infra" / "resources.json"


def operator_services(deployment: Deployment) -> OperatorServices:
    """Return everything an operator's command can call."""
    table, clock = deployment.directory_table, deployment.clock
    engine_control = EngineControl(
        posts=deployment.posts,
        targets=deployment.targets,
        workspaces=WorkspaceRepository(table),
        updates=deployment.updates,
        queue=deployment.publish_queue,
        prepare_queue=deployment.prepare_queue,
        switch=deployment.engine_switch,
        clock=clock,
    )
    administration = make_administration(table, clock)
    connections = make_connections(
        table, clock, deployment.token_store, deployment.risks.account_broke
    )
    return OperatorServices(
        administration=administration,
        deletion=WorkspaceDeletion(
            workspaces=WorkspaceRepository(table),
            administration=administration,
            connections=connections,
            lists=deployment.risks.lists,
            updates=deployment.updates,
            library=deployment.media_library,
            clock=clock,
        ),
        sessions=make_sessions(deployment),
        connecting=make_connecting(deployment),
        base_url=deployment.settings.outer_url,
        connections=connections,
        sign_ins=SignIns(deployment.connectors, clock),
        engine_control=engine_control,
        risks=deployment.risks,
        doctor=_make_doctor(deployment),
        trials=_make_trials(deployment),
    )


def _make_trials(deployment: Deployment) -> Trials:
    return Trials(
        connectors=deployment.connectors,
        keeper=deployment.token_keeper,
        tokens=deployment.token_store.read,
        files=deployment.media_files,
        preparation=lambda: deployment.preflight.preparation,
        clock=deployment.clock,
        pause=lambda wait: time.sleep(wait.total_seconds()),
    )


def _machine(deployment: Deployment) -> Iterator[ServerChecks | AddressChecks]:
    data_dir, public_url = deployment.settings.data_dir, deployment.settings.public_url
    if data_dir is not None:
        yield ServerChecks(data_dir=Path(data_dir), clock=deployment.clock)
        if public_url is not None:
            yield AddressChecks(public_url, deployment.clock)


def _make_doctor(deployment: Deployment) -> Doctor:
    settings = deployment.settings
    kms = boto3.client("kms", endpoint_url=settings.endpoint_url, region_name=settings.region)
    plan = read_plan(_TEMPLATE.read_text(encoding="utf-8"), settings.resource_prefix)
    return Doctor(
        checks=(
            TableChecks(deployment.dynamodb, plan.tables),
            BucketChecks(deployment.s3, settings.media_bucket, settings.uploads_queue),
            QueueChecks(deployment.sqs, plan.queues),
            KeyChecks(kms, settings.tokens_key),
            VersionChecks(settings.platform_versions, deployment.clock),
            *(_machine(deployment) if settings.stage == _LOCAL else stage_checks(deployment)),
        ),
        sign_ins=SignInChecks(
            workspaces=WorkspaceRepository(deployment.directory_table),
            accounts=deployment.accounts,
            connectors=deployment.connectors,
            keeper=deployment.token_keeper,
        ),
        switch=deployment.engine_switch,
        public_url=settings.pull_url or settings.public_url,
    )
