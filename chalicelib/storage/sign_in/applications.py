"""Platforms' applications, by which people sign in there; their secrets are sealed like tokens."""

import json

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import partition
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import APPLICATIONS_PK, application_key
from chalicelib.storage.workspace.token_encryption import TokenEncryption


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
        self.directory.table.put({**row, "config_id": application.config_id})

    def credentials(
        self, platform: Platform, method: str | None
    ) -> tuple[Application, str | None] | None:
        """Return the application for a sign-in, else the platform's one, and its secret."""
        for named in dict.fromkeys((method, None)):
            key = application_key(platform, named)
            row = self.directory.table.get(key)
            if row is not None:
                opened = self.encryption.open(key["sk"], bytes(row["secret"])).access
                secret: str | None = json.loads(opened)["client_secret"]
                return _application(row), secret
        return None

    def list(self) -> list[Application]:
        """Return every application, without secrets."""
        return [_application(row) for row in self.directory.table.rows(partition(APPLICATIONS_PK))]

    def remove(self, platform: Platform, method: str | None) -> bool:
        """Forget an application; tell whether there was one."""
        return self.directory.table.take(application_key(platform, method)) is not None


def _application(row: Item) -> Application:
    platform, _, method = str(row["sk"]).partition("#")
    return Application(
        platform=Platform(platform),
        method=method or None,
        client_id=row["client_id"],
        config_id=row.get("config_id"),
    )
