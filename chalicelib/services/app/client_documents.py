"""Fetches the documents that assistants publish at their client ids, for members who are asked.

The page that asks a member calls it (`web/pages/assistants`). Whoever asks with a code or a refresh
token causes no fetch: these belong to the hash of a client id.
"""

from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.client_metadata import (
    LONGEST_METADATA,
    read_document,
    seconds_kept,
)
from chalicelib.domain.workspace.grants import AssistantClient, read_client
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.services.calls_out import CallsOut

_SECONDS: Final = 5.0
_MOST_KEPT: Final = 100
_OK: Final = 200
_JSON: Final = "application/json"


class ClientDocuments:
    """Finds clients by their ids; keeps some documents for minutes; safe between threads."""

    def __init__(self, fetch: GuardedFetch, calls: CallsOut, clock: Clock) -> None:
        self._fetch = fetch
        self._calls = calls
        self._clock = clock
        self._kept: dict[str, tuple[AssistantClient, datetime]] = {}
        self._lock = Lock()

    def find(self, caller: Caller, client_id: str) -> AssistantClient | str | None:
        """Return a client for a member, the sentence that refuses it, None for an invalid id.

        Raises Busy.
        """
        client = read_client(client_id)
        if client is None or client.site is None:
            return client
        kept, until = self._kept.get(client_id, (None, self._clock()))
        if kept is not None and self._clock() < until:
            return kept
        with self._calls.place(caller.workspace_id):
            return self._read(client_id)

    def _read(self, address: str) -> AssistantClient | str:
        """Fetch a document. Every failure reads the same: it tells nothing about our network."""
        try:
            page = self._fetch.read(
                address, most_bytes=LONGEST_METADATA, seconds=_SECONDS, headers={"Accept": _JSON}
            )
        except PlatformError:
            page = None
        if page is None or page.status != _OK or not _is_json(page.headers.get("Content-Type", "")):
            return (
                f"The assistant's description at {address} cannot be read: it must be JSON of at"
                " most 10 KB, which a public https address answers within 5 seconds."
            )
        found = read_document(address, page.body)
        if isinstance(found, AssistantClient):
            self._keep(found, seconds_kept(page.headers.get("Cache-Control", "")))
        return found

    def _keep(self, client: AssistantClient, seconds: int) -> None:
        with self._lock:
            self._kept.pop(client.client_id, None)
            self._kept[client.client_id] = client, self._clock() + timedelta(seconds=seconds)
            if len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == _JSON or (kind.startswith("application/") and kind.endswith("+json"))
