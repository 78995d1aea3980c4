"""Sign-ins under way and platforms' applications, sealed like accounts' tokens.

A flow ends by being taken: it is deleted by the request that uses it, so it works once. Both
expire or are removed with everything in them; nothing is readable without KMS.
"""

import json
from dataclasses import dataclass
from typing import Final

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.sessions import Flow
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.storage.dynamodb.items import Item, attributes, plain
from chalicelib.storage.dynamodb.records import WHOLE_SECOND, Record
from chalicelib.storage.dynamodb.transaction import Expression, parameters
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.keys import APPLICATIONS_PK, application_key, flow_key
from chalicelib.storage.workspace.token_store import TokenEncryption

_FLOW: Final = Record(Flow, apart=("state_hash", "secret"), kinds={"expires_at": WHOLE_SECOND})


@dataclass(frozen=True, slots=True)
class FlowRepository:
    """Sign-ins that browsers have under way."""

    directory: WorkspaceTable
    encryption: TokenEncryption

    def add(self, flow: Flow) -> None:
        """Keep a sign-in that began."""
        table = self.directory.tables.directory
        self.directory.client.put_item(TableName=table, Item=attributes(self._item(flow)))

    def find(self, state_hash: str) -> Flow | None:
        """Return a sign-in that is under way, over time or not."""
        row = self.directory.row(flow_key(state_hash))
        return None if row is None else self._from(row)

    def take(self, state_hash: str) -> bool:
        """Use a sign-in up; tell whether nobody was faster."""
        gone = self.directory.client.delete_item(
            TableName=self.directory.tables.directory,
            Key=attributes(flow_key(state_hash)),
            ReturnValues="ALL_OLD",
        )
        return bool(gone.get("Attributes"))

    def _item(self, flow: Flow) -> Item:
        sealed = self.encryption.seal(_bound(flow.state_hash), Tokens(access=flow.secret))
        return {**flow_key(flow.state_hash), **_FLOW.item(flow), "secret": sealed}

    def _from(self, row: Item) -> Flow:
        state_hash = str(row["pk"]).partition("#")[2]
        opened = self.encryption.open(_bound(state_hash), bytes(row["secret"])).access
        return _FLOW.value(row, state_hash=state_hash, secret=opened)


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A platform's application as its list shows it; `method` names one of several sign-ins.

    `config_id` is the configuration that newer applications of Meta sign in with.
    """

    platform: Platform
    method: str | None
    client_id: str
    config_id: str | None = None


@dataclass(frozen=True, slots=True)
class ApplicationRepository:
    """The applications by which people sign in at platforms."""

    directory: WorkspaceTable
    encryption: TokenEncryption

    def put(self, application: Application, client_secret: str | None) -> None:
        """Keep an application in the place of an earlier one."""
        key = application_key(application.platform, application.method)
        secret = json.dumps({"client_secret": client_secret})
        sealed = self.encryption.seal(key["sk"], Tokens(access=secret))
        row = {**key, "client_id": application.client_id, "secret": sealed}
        if application.config_id is not None:
            row["config_id"] = application.config_id
        table = self.directory.tables.directory
        self.directory.client.put_item(TableName=table, Item=attributes(row))

    def credentials(
        self, platform: Platform, method: str | None
    ) -> tuple[Application, str | None] | None:
        """Return the application for a sign-in, else the platform's one, and its secret."""
        for named in dict.fromkeys((method, None)):
            key = application_key(platform, named)
            row = self.directory.row(key)
            if row is not None:
                opened = self.encryption.open(key["sk"], bytes(row["secret"])).access
                secret: str | None = json.loads(opened)["client_secret"]
                return _application(row), secret
        return None

    def list(self) -> list[Application]:
        """Return every application, without secrets."""
        everything = Expression("#pk = :pk", {"pk": APPLICATIONS_PK})
        pages = self.directory.client.get_paginator("query").paginate(
            TableName=self.directory.tables.directory,
            ConsistentRead=True,
            **parameters({"KeyConditionExpression": everything}),
        )
        rows = [plain(row) for page in pages for row in page["Items"]]
        return [_application(row) for row in rows]

    def remove(self, platform: Platform, method: str | None) -> bool:
        """Forget an application; tell whether there was one."""
        gone = self.directory.client.delete_item(
            TableName=self.directory.tables.directory,
            Key=attributes(application_key(platform, method)),
            ReturnValues="ALL_OLD",
        )
        return bool(gone.get("Attributes"))


def _bound(state_hash: str) -> str:
    return f"flow:{state_hash}"


def _application(row: Item) -> Application:
    platform, _, method = str(row["sk"]).partition("#")
    return Application(
        platform=Platform(platform),
        method=method or None,
        client_id=row["client_id"],
        config_id=row.get("config_id"),
    )
