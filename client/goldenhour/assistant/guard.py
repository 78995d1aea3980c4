"""What an assistant may do, decided here and never by the assistant.

An assistant reads texts that strangers wrote, so it can be talked into things. Without publishing
allowed, nothing it does makes anything go out within the next hour: a person has that long to see
what was scheduled and to cancel it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from goldenhour.errors import GoldenhourError
from goldenhour.models.posts import Post

NOTICE = timedelta(hours=1)
STILL_DRAFTS = frozenset({"draft", "cancelled"})
SNIFFED_BYTES = 16


class NotAllowed(GoldenhourError):
    """The assistant asked for something that its person did not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """The limits of one server, as its person set them when starting it."""

    may_publish: bool = False
    folder: Path | None = None
    """Files are only read below it; None reads none."""

    hosts: frozenset[str] | None = None
    """Addresses are only fetched from these hosts; None means from any public one."""

    def require_notice(self, at: datetime, now: datetime) -> None:
        """Raise NotAllowed for a time within the next hour, unless publishing is allowed."""
        if not self.may_publish and at < now + NOTICE:
            raise NotAllowed(
                f"{at.isoformat()} is less than an hour away, and this server was started without"
                " --allow-publishing. Choose a later time, or ask the person to send it."
            )

    def require_untouched(self, post: Post) -> None:
        """Raise NotAllowed unless every target is a draft: what is scheduled, people saw so."""
        if any(target.status not in STILL_DRAFTS for target in post.targets):
            raise NotAllowed(
                f"Post {post.id} is {post.status}; only drafts are edited here. Cancel it first, or"
                " ask the person to edit it in the app."
            )

    def find_file(self, path: str) -> Path:
        """Return a photo or video below the folder. Raises NotAllowed."""
        if self.folder is None:
            raise NotAllowed(
                "No folder is open to assistants. Start the server with --files FOLDER."
            )
        folder = self.folder.resolve()
        file = _resolve(folder, path)
        if not file.is_relative_to(folder):
            raise NotAllowed(f"{path} is outside {folder}, the only folder that is open here.")
        inside = file.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or not file.is_file():
            raise NotAllowed(f"There is no file {inside} in {folder} that may be read.")
        with file.open("rb") as opened:
            if not is_media(opened.read(SNIFFED_BYTES)):
                raise NotAllowed(f"{inside} is not an MP4, MOV, JPG, PNG or WebP file.")
        return file

    def require_address(self, url: str) -> None:
        """Raise NotAllowed for an address that may not be fetched."""
        parts = urlsplit(url)
        if parts.scheme != "https" or not parts.hostname or parts.username is not None:
            raise NotAllowed("Only plain https addresses are fetched, without a name or password.")
        if self.hosts is not None and parts.hostname not in self.hosts:
            allowed = ", ".join(sorted(self.hosts)) or "none"
            raise NotAllowed(
                f"Files are not fetched from {parts.hostname} here. Allowed: {allowed}."
            )


def _resolve(folder: Path, path: str) -> Path:
    try:
        return (folder / Path(path).expanduser()).resolve()
    except (RuntimeError, ValueError, OSError) as wrong:  # ~nobody, a NUL, a name that is too long
        raise NotAllowed(f"There is no file {path!r:.80} in {folder} that may be read.") from wrong


def is_media(head: bytes) -> bool:
    """Return whether a file's first bytes are those of a type that the service takes."""
    return (
        head[4:8] in {b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"}
        or head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))
        or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
    )
