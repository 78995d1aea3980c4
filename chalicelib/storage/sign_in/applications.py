"""Platforms' applications, by which people sign in there; their secrets are sealed like tokens."""

import itertools
import json
from collections.abc import Mapping

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import partition
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import (
    APPLICATIONS_PK,
    OWN_APPLICATION,
    application_key,
    own_application_key,
)
from chalicelib.storage.workspace.token_encryption import TokenEncryption


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A platform's application as its list shows it; `method` names one of several sign-ins.

    `config_id` is the configuration that newer applications of Meta sign in with. With a
    `workspace_id` it is that workspace's own, and connects no other workspace's accounts.
    """

    platform: Platform
    method: str | None
    client_id: str
    config_id: str | None = None
    workspace_id: str | None = None


@dataclass(frozen=True, slots=True)
class ApplicationRepository:
    """The applications by which people sign in at platforms."""

    directory: WorkspaceTable
    encryption: TokenEncryption

    def put(self, application: Application, client_secret: str | None) -> None:
        """Keep an application, replacing an earlier one."""
        key = _key(application.platform, application.method, application.workspace_id)
        secret = json.dumps({"client_secret": client_secret})
        sealed = self.encryption.seal(seal_name(key), Tokens(access=secret))
        row = {**key, "client_id": application.client_id, "secret": sealed}
        self.directory.table.put({**row, "config_id": application.config_id})

    def credentials(
        self, platform: Platform, method: str | None, workspace_id: str | None = None
    ) -> tuple[Application, str | None] | None:
        """Return the application for a sign-in, else the platform's, and its secret.

        A workspace's own comes first.
        """
        owners = dict.fromkeys((workspace_id, None))
        for owner, named in itertools.product(owners, dict.fromkeys((method, None))):
            key = _key(platform, named, owner)
            row = self.directory.table.get(key)
            if row is not None:
                opened = self.encryption.open(seal_name(key), bytes(row["secret"])).access
                secret: str | None = json.loads(opened)["client_secret"]
                return _application(row), secret
        return None

    def list(self, workspace_id: str | None = None) -> list[Application]:
        """Return every application of the deployment, or a workspace's own, without secrets."""
        at = (
            partition(APPLICATIONS_PK)
            if workspace_id is None
            else partition(workspace_pk(workspace_id), OWN_APPLICATION)
        )
        return [_application(row) for row in self.directory.table.rows(at)]

    def remove(
        self, platform: Platform, method: str | None, workspace_id: str | None = None
    ) -> bool:
        """Forget an application; tell whether there was one."""
        return self.directory.table.take(_key(platform, method, workspace_id)) is not None


def _key(platform: Platform, method: str | None, workspace_id: str | None) -> dict[str, str]:
    if workspace_id is None:
        return application_key(platform, method)
    return own_application_key(workspace_id, platform, method)


def seal_name(key: Mapping[str, str]) -> str:
    """Return a secret's encryption context: moved to another row, it cannot be decrypted."""
    return key["sk"] if key["pk"] == APPLICATIONS_PK else f"{key['pk']}#{key['sk']}"


def _application(row: Item) -> Application:
    name = str(row["sk"]).removeprefix(OWN_APPLICATION)
    platform, _, method = name.partition("#")
    owner = None if row["pk"] == APPLICATIONS_PK else str(row["pk"]).removeprefix(workspace_pk(""))
    return Application(
        workspace_id=owner,
        platform=Platform(platform),
        method=method or None,
        client_id=row["client_id"],
        config_id=row.get("config_id"),
    )
