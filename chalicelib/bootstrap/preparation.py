"""Wires what makes files ready for platforms and where they fetch them.

`bootstrap` hands it the shared adapters.
"""

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import TiktokUnsupported
from chalicelib.domain.platforms.tiktok import sandbox_creator
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.workspace.accounts import ReadCreator
from chalicelib.settings import Settings
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.source import Addresses, OwnDoor, PresignedLinks, PullLinks
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.workers.media.preparing import CreatorLimit, Preparation
from chalicelib.workers.media.shared_copies import SharedCopies


def make_preparation(
    files: MediaRepository,
    copies: SharedCopies,
    store: S3MediaStore,
    *,
    addresses: Addresses | None,
    read_creator: ReadCreator,
) -> Preparation:
    """Return what finds the file that a target sends, or asks for it."""
    return Preparation(
        files=files,
        copies=copies,
        store=store,
        creator_limit=creator_limit(read_creator),
        addresses=addresses,
    )


def public_addresses(
    settings: Settings, links: PullLinks, store: S3MediaStore, clock: Clock
) -> Addresses | None:
    """Return how platforms get at files: by our own door, else by S3 itself, else not at all."""
    if settings.pull_url is not None:
        return OwnDoor(links=links, url=settings.pull_url, clock=clock)
    return PresignedLinks(store) if settings.endpoint_url is None else None


def creator_limit(read_creator: ReadCreator) -> CreatorLimit:
    """Return what tells how many seconds a TikTok creator may post, asking TikTok for real ones.

    A creator who cannot post at all has no limit here: the send itself then says why.
    """

    def limit(account: Account) -> int | None:
        if account.test:
            return sandbox_creator(account.id, account.handle).max_video_seconds
        try:
            creator = read_creator(account)
        except TiktokUnsupported:
            return None
        return creator.max_video_seconds if creator.can_post else None

    return limit
