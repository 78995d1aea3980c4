"""The file as it goes to one platform: the original, or a trimmed or converted copy.

Preflight calls `file_for` right after the claim. The convert lane makes a copy once for a file and
a recipe; targets and posts share it. A run continues with the copy that it began with; a run that
only reconciles never asks for one.
"""

from collections.abc import Callable
from dataclasses import replace

from chalicelib.connectors.connector import MediaFile
from chalicelib.domain.errors import TiktokUnreachable
from chalicelib.domain.media.decoding import unconvertible
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import PosterRecipe
from chalicelib.domain.media.requirements import TooLongError, poster_for, recipe_for
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.media.store import S3MediaStore, file_key, prepared_key
from chalicelib.storage.media.stored_file import Addresses, StoredFile
from chalicelib.workers.media.covers import PreparedCovers
from chalicelib.workers.media.shared_copies import NotPreparedError, SharedCopies

CreatorLimit = Callable[[Account], int | None]
"""Asks how many seconds a TikTok creator may post, None if that is not known.

Raises TiktokUnreachable.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMedia:
    """What goes out: the file, the copy's recipe ("" for the file itself), whether it is a part."""

    file: MediaFile
    recipe: str = ""
    trims: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """Finds or makes the file that a target sends; safe to run twice, anywhere."""

    files: MediaRepository
    copies: SharedCopies
    store: S3MediaStore
    creator_limit: CreatorLimit
    addresses: Addresses | None

    @property
    def covers(self) -> PreparedCovers:
        """What finds a cover of one's own."""
        return PreparedCovers(self.files, self.copies, self.store, self.addresses)

    def file_for(
        self, post: Post, attachment: Attachment, target: Target, account: Account
    ) -> OutgoingMedia:
        """Return what the target sends of its post's file.

        Raises NotPreparedError, BeingMadeError.
        """
        going = self._outgoing_media(post, attachment, target, account)
        poster = self.covers.cover(post, attachment, target)
        poster = poster or self._poster(post, attachment, target)
        return going if poster is None else replace(going, file=replace(going.file, poster=poster))

    def _outgoing_media(
        self,
        post: Post,
        attachment: Attachment,
        target: Target,
        account: Account,
    ) -> OutgoingMedia:
        begun = target.progress.checkpoint is not None or target.is_in_doubt
        if begun and target.progress.sends_as is not None:
            going = self._as_before(post, attachment, target)
            if going is not None:
                return going
        media = self.files.find(attachment.id)
        if begun and (target.is_in_doubt or media is None or media.file_removed):
            return OutgoingMedia(file=self._itself(post.workspace_id, attachment))
        if media is None or media.file_removed:
            raise NotPreparedError(FailureCode.FILE_REMOVED)
        return self._choose(media, attachment, target, account)

    def _as_before(
        self, post: Post, attachment: Attachment, target: Target
    ) -> OutgoingMedia | None:
        """Return the file that the run began with, None if that copy was deleted."""
        recipe = target.progress.sends_as
        if not recipe:
            return OutgoingMedia(file=self._itself(post.workspace_id, attachment))
        copy = self.copies.find(attachment.id, recipe)
        if copy is None or copy.refused or copy.same:
            return None
        file = self._copy_file(post.workspace_id, attachment, copy)
        return OutgoingMedia(file=file, recipe=recipe, trims=target.progress.trims)

    def _choose(
        self,
        media: Media,
        attachment: Attachment,
        target: Target,
        account: Account,
    ) -> OutgoingMedia:
        """Decide on a recipe and return its copy."""
        creator_s = self._creator_s(media, account)
        try:
            recipe = recipe_for(
                media,
                target.platform,
                target.options,
                creator_s=creator_s,
                server=account.server,
            )
        except TooLongError as error:
            raise NotPreparedError(FailureCode.VIDEO_TOO_LONG) from error
        if recipe is None:
            return OutgoingMedia(file=self._itself(media.workspace_id, attachment))
        refused = unconvertible(media, recipe)
        if refused is not None:
            raise NotPreparedError(FailureCode.MEDIA_REJECTED, refused)
        copy = self.copies.find_or_request(media, recipe)
        if copy.refused is not None:
            raise NotPreparedError(FailureCode(copy.refused), copy.detail)
        if copy.same:
            return OutgoingMedia(file=self._itself(media.workspace_id, attachment))
        file = self._copy_file(media.workspace_id, attachment, copy)
        return OutgoingMedia(file=file, recipe=recipe.name, trims=recipe.trims)

    def _poster(self, post: Post, attachment: Attachment, target: Target) -> MediaFile | None:
        """Return the still that goes along with a video, None where none is wanted or possible."""
        recipe = poster_for(target.platform, attachment.kind, target.options)
        copy = None if recipe is None else self._poster_copy(recipe, attachment, target)
        if copy is None or copy.refused is not None:
            return None
        still = self._copy_file(post.workspace_id, attachment, copy)
        return replace(still, kind=MediaKind.IMAGE)

    def _poster_copy(
        self, recipe: PosterRecipe, attachment: Attachment, target: Target
    ) -> PreparedCopy | None:
        copy = self.copies.find(attachment.id, recipe.name)
        if copy is not None or target.is_in_doubt:
            return copy
        media = self.files.find(attachment.id)
        if media is None or media.file_removed:
            return None
        return self.copies.find_or_request(media, recipe)

    def _creator_s(self, media: Media, account: Account) -> int | None:
        if not FACTS[account.platform].has_creator or media.kind is not MediaKind.VIDEO:
            return None
        try:
            return self.creator_limit(account)
        except TiktokUnreachable as error:
            raise NotPreparedError(FailureCode.PLATFORM_UNAVAILABLE) from error

    def _itself(self, workspace_id: str, attachment: Attachment) -> MediaFile:
        source = StoredFile(
            store=self.store,
            key=file_key(workspace_id, attachment.id),
            mime=MediaType(attachment.mime),
            filename=attachment.filename,
            size_bytes=attachment.size_bytes,
            addresses=self.addresses,
        )
        return MediaFile.of(attachment, source)

    def _copy_file(
        self, workspace_id: str, attachment: Attachment, copy: PreparedCopy
    ) -> MediaFile:
        same_kind = copy.mime == attachment.mime
        filename = attachment.filename if same_kind else _rename(attachment.filename, copy.mime)
        return replace(
            self._itself(workspace_id, attachment),
            mime=copy.mime,
            filename=filename,
            size_bytes=copy.size_bytes,
            width=copy.width,
            height=copy.height,
            duration_s=copy.duration_s,
            source=StoredFile(
                store=self.store,
                key=prepared_key(workspace_id, attachment.id, copy.recipe),
                mime=copy.mime,
                filename=filename,
                size_bytes=copy.size_bytes,
                addresses=self.addresses,
            ),
        )


def _rename(filename: str, mime: MediaType) -> str:
    """Return the name with the ending of the copy's type: some platforms go by it."""
    stem = filename.rpartition(".")[0] or filename
    return f"{stem}.{'mp4' if mime is MediaType.MP4 else 'jpg'}"
