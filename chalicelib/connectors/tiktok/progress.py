"""How far TikTok is with a post, as its status says.

developers.tiktok.com/doc/content-posting-api-reference-get-video-status. A status decides what
became of a post, and nothing else does: one that we do not know means that TikTok is still at it.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from chalicelib.connectors.reply import Reply

_QUICK, _QUICK_POLLS = timedelta(seconds=5), 12
_STEADY, _STEADY_POLLS = timedelta(seconds=20), 54
_SELDOM = timedelta(hours=1)


class Stage(StrEnum):
    """What a status says. UNDERWAY is everything that TikTok may say besides."""

    UPLOADING = "PROCESSING_UPLOAD"
    COMPLETE = "PUBLISH_COMPLETE"
    FAILED = "FAILED"
    IN_INBOX = "SEND_TO_USER_INBOX"
    UNDERWAY = "UNDERWAY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One answer of the status call. `arrived_bytes` is None where TikTok does not say."""

    stage: Stage
    post_ids: tuple[str, ...] = ()
    arrived_bytes: int | None = None

    def lacks_bytes(self, size_bytes: int) -> bool:
        """Tell whether TikTok says that it does not have the whole file."""
        arrived = self.arrived_bytes
        return self.stage is Stage.UPLOADING and arrived is not None and arrived < size_bytes


def progress_of(reply: Reply) -> Progress:
    """Read a status."""
    status, arrived = reply.find("data", "status"), str(reply.find("data", "uploaded_bytes"))
    ids = reply.items("data", "publicaly_available_post_id")  # their spelling
    is_known = isinstance(status, str) and status in set(Stage)
    return Progress(
        stage=Stage(str(status)) if is_known else Stage.UNDERWAY,
        post_ids=tuple(str(one) for one in ids if isinstance(one, int | str) and one),
        arrived_bytes=int(arrived) if arrived.isdecimal() else None,
    )


def poll_delay(polls: int) -> timedelta:
    """Return when to ask again: soon for a minute, then every 20 seconds, later every hour."""
    if polls < _QUICK_POLLS:
        return _QUICK
    return _STEADY if is_early(polls) else _SELDOM


def is_early(polls: int) -> bool:
    """Tell whether the first quarter of an hour still runs."""
    return polls < _STEADY_POLLS
