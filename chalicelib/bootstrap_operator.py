"""Wires what the operator's commands call, beside `bootstrap`, which wires requests and workers.

Apart from it because nothing deployed needs these parts, and no function should load them.
"""

from pathlib import Path

import boto3

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.services.connections import Connections
from chalicelib.services.directory import Directory
from chalicelib.services.doctor import Doctor
from chalicelib.services.engine_control import EngineControl
from chalicelib.services.operator_services import OperatorServices
from chalicelib.settings import Settings
from chalicelib.storage.account_tokens import AccountTokens
from chalicelib.storage.accounts import AccountRepository
from chalicelib.storage.api_keys import ApiKeyRepository
from chalicelib.storage.directory import DirectoryTable
from chalicelib.storage.directory_index import DirectoryIndex
from chalicelib.storage.engine_switch import EngineSwitch
from chalicelib.storage.media_store import media_client_config
from chalicelib.storage.members import MemberRepository
from chalicelib.storage.resource_plan import read_plan
from chalicelib.storage.service_checks import BucketChecks, KeyChecks, QueueChecks
from chalicelib.storage.table_checks import TableChecks
from chalicelib.storage.tables import Tables
from chalicelib.storage.workspaces import WorkspaceRepository

_TEMPLATE = Path(__file__).parents[1] / "infra" / "resources.json"


def operator_services(settings: Settings, *, clock: Clock = system_clock) -> OperatorServices:
    """Return everything an operator's command can call."""
    session = boto3.Session(region_name=settings.region)
    dynamodb = session.client("dynamodb", endpoint_url=settings.endpoint_url)
    tables = Tables(
        posts=settings.posts_table, directory=settings.directory_table, media=settings.media_table
    )
    table = DirectoryTable(dynamodb, tables)
    switch = EngineSwitch(dynamodb, tables)
    return OperatorServices(
        directory=make_directory(table, clock),
        connections=make_connections(table, clock),
        engine=EngineControl(switch=switch, clock=clock),
        doctor=_make_doctor(session, settings, switch),
    )


def make_directory(table: DirectoryTable, clock: Clock) -> Directory:
    """Return what changes workspaces, members and keys."""
    return Directory(
        workspaces=WorkspaceRepository(table),
        members=MemberRepository(table),
        keys=ApiKeyRepository(table),
        index=DirectoryIndex(table),
        clock=clock,
    )


def make_connections(table: DirectoryTable, clock: Clock) -> Connections:
    """Return what connects and disconnects accounts."""
    return Connections(
        workspaces=WorkspaceRepository(table),
        accounts=AccountRepository(table),
        tokens=AccountTokens(table),
        index=DirectoryIndex(table),
        clock=clock,
    )


def _make_doctor(session: boto3.Session, settings: Settings, switch: EngineSwitch) -> Doctor:
    endpoint = settings.endpoint_url
    s3 = session.client("s3", endpoint_url=endpoint, config=media_client_config())
    plan = read_plan(_TEMPLATE.read_text(encoding="utf-8"), settings.resource_prefix)
    return Doctor(
        checks=(
            TableChecks(session.client("dynamodb", endpoint_url=endpoint), plan.tables),
            BucketChecks(s3, settings.media_bucket, settings.uploads_queue),
            QueueChecks(session.client("sqs", endpoint_url=endpoint), plan.queues),
            KeyChecks(session.client("kms", endpoint_url=endpoint), settings.tokens_key),
        ),
        switch=switch,
        public_url=settings.public_url,
    )
