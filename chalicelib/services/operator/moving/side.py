"""One of the two deployments of a move: all of it that a move reads and writes."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.moving.copies import RowsSide

if TYPE_CHECKING:
    from chalicelib.storage.engine.wake_queue import PublishQueue
    from chalicelib.storage.media.prepared_copies import PreparedCopies
    from chalicelib.storage.media.store import S3MediaStore
    from chalicelib.storage.moving.doors import Doors
    from chalicelib.storage.moving.holds import Holds
    from chalicelib.storage.sandbox import SandboxTable
    from chalicelib.storage.workspace.persons import PersonRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A deployment; `identity` is the same for no other, `address` is where callers reach it.

    `answers` tells that requests may be under way there while an operator works on it.
    """

    identity: str
    address: str
    answers: bool
    rows: RowsSide
    doors: "Doors"
    holds: "Holds"
    store: "S3MediaStore"
    copies: "PreparedCopies"
    sandbox: "Callable[[], SandboxTable]"
    persons: "PersonRepository"
    queue: "PublishQueue"
