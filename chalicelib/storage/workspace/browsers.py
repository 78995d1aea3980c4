"""Browsers in which members get notices, and the key that signs messages to them.

The key is the deployment's own: one row, made when the first member needs it, its private half
sealed like tokens. A browser's row consists of secrets and is of no use to another deployment.
"""

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Final

from chalicelib.domain.workspace.push import MOST_BROWSERS, Browser
from chalicelib.domain.workspace.sessions import LONGEST
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit import base64url
from chalicelib.kit.dynamodb.items import Item, epoch
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import ABSENT, PRESENT
from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import browser_key, browsers_of
from chalicelib.storage.workspace.token_encryption import TokenEncryption

_KEY: Final = {"pk": "PUSH_KEY", "sk": "PUSH_KEY"}
_SEALED_FOR: Final = "PUSH_KEY"
_BROWSER: Final = Record(Browser, apart=("id", "workspace_id", "member_id"))


class TooManyBrowsers(Exception):
    """A member has as many as one may have."""


class PushKey:
    """The key of one deployment, read once a process."""

    def __init__(self, directory: WorkspaceTable, encryption: TokenEncryption) -> None:
        self._table = directory.table
        self._encryption = encryption

    @property
    def is_there(self) -> bool:
        """Tell whether the key exists."""
        return "_row" in self.__dict__ or self._table.get(_KEY) is not None

    @property
    def public(self) -> str:
        """Return the public half in URL-safe Base64, for browsers; the first call makes the key."""
        return str(self._row["public"])

    @cached_property
    def private(self) -> str:
        """Return the private half, 32 bytes in URL-safe Base64. Raises LookupError."""
        return self._encryption.open(_SEALED_FOR, bytes(self._row["private"])).access

    @cached_property
    def _row(self) -> Item:
        row = self._table.get(_KEY)
        if row is None:
            self._table.put({**_KEY, **self._make_key()}, ABSENT)
            row = self._table.get(_KEY)
        if row is None:
            raise LookupError("The key that was just kept is not there.")
        return row

    def _make_key(self) -> Item:
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - made once
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
            Encoding,
            PublicFormat,
        )

        made = ec.generate_private_key(ec.SECP256R1())
        public = made.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        private = made.private_numbers().private_value.to_bytes(32, "big")
        sealed = self._encryption.seal(_SEALED_FOR, Tokens(access=base64url.encode(private)))
        return {"public": base64url.encode(public), "private": sealed}


class BrowserRows:
    """Browsers of members of all workspaces."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._directory = directory

    def list(self, workspace_id: str, member_id: str | None = None) -> list[Browser]:
        """Return the browsers of a workspace, or of one member."""
        rows = self._directory.rows(workspace_id, browsers_of(member_id))
        return [_browser(row) for row in rows]

    def keep(self, browser: Browser) -> None:
        """Keep a browser, replacing its earlier row. Raises TooManyBrowsers."""

        def decide(transaction: Transaction) -> None:
            before = self.list(browser.workspace_id, browser.member_id)
            if len({one.id for one in before} | {browser.id}) > MOST_BROWSERS:
                raise TooManyBrowsers
            transaction.put(self._directory.tables.directory, _item(browser))

        self._directory.add(browser.workspace_id, decide)

    def rest(self, browser: Browser, until: datetime) -> None:
        """Send a browser nothing for a while, unless it was removed meanwhile."""
        self._directory.table.put(_item(replace(browser, rests_until=until)), PRESENT)

    def forget(self, browser: Browser) -> None:
        """Forget a browser."""
        self._directory.table.delete(_key(browser))


def _item(browser: Browser) -> Item:
    expires_at = epoch(browser.session_since + LONGEST)
    return {**_key(browser), **_BROWSER.item(browser), "expires_at": expires_at}


def _key(browser: Browser) -> dict[str, str]:
    return browser_key(browser.workspace_id, browser.member_id, browser.id)


def _browser(row: Item) -> Browser:
    member_id, _, name = str(row["sk"]).removeprefix(browsers_of(None)).partition("#")
    workspace_id = str(row["pk"]).partition("#")[2]
    return _BROWSER.value(row, workspace_id=workspace_id, member_id=member_id, id=name)
