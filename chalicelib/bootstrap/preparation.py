"""Wires what makes files ready for platforms; `bootstrap` hands it the shared adapters."""

from chalicelib.domain.accounts import Account
from chalicelib.domain.clock import Clock
from chalicelib.domain.tiktok import sandbox_creator
from chalicelib.storage.media import MediaRepository
from chalicelib.storage.media_store import S3MediaStore
from chalicelib.storage.prepared_copies import PreparedCopies
from chalicelib.workers.copy_making import CopyMaker
from chalicelib.workers.preparing import CreatorLimit, Preparation
from chalicelib.workers.shared_copies import SharedCopies


def make_preparation(
    files: MediaRepository,
    copies: PreparedCopies,
    store: S3MediaStore,
    clock: Clock,
    *,
    reachable: bool,
    creator_limit: CreatorLimit | None = None,
) -> Preparation:
    """Return what finds or makes the file that a target sends.

    `creator_limit` asks the real TikTok; without it only test accounts have a limit of their own.
    """
    return Preparation(
        files=files,
        copies=SharedCopies(files=files, rows=copies, maker=CopyMaker(store), clock=clock),
        store=store,
        creator_limit=creator_limit or sandbox_limit,
        reachable=reachable,
    )


def sandbox_limit(account: Account) -> int | None:
    """Return what a test account's creator may post, None for a real one."""
    if not account.test:
        return None
    return sandbox_creator(account.id, account.handle).max_video_seconds
