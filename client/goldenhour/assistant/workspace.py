"""What the tools share: whose workspace it is, the zone of times, and posts told in words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from goldenhour.assistant.answers import PostAnswer
from goldenhour.assistant.guard import Guard
from goldenhour.client import Client
from goldenhour.models.answers import Target
from goldenhour.models.posts import Post
from goldenhour.spoken.bounds import parse_bound
from goldenhour.spoken.times import find_zone, parse_time, tell_distance, tell_time


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(timezone.utc)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The workspace of the key that a call came with."""

    client: Callable[[], Client]
    guard: Guard
    zone: ZoneInfo
    now: Callable[[], datetime] = utc_now

    def moment(self, at: str, zone: str | None) -> datetime:
        """Return the moment that an assistant named. Raises UnclearTime."""
        return parse_time(at, self.zone_of(zone), self.now())

    def bound(self, text: str, zone: str | None) -> datetime:
        """Return the moment from or until which posts are asked for. Raises UnclearTime."""
        return parse_bound(text, self.zone_of(zone), self.now())

    def zone_of(self, name: str | None) -> ZoneInfo:
        """Return a zone by name, or the server's own."""
        return find_zone(name) if name else self.zone

    def tell(self, at: datetime, zone: str | None = None) -> str:
        """Return a moment in words, with its zone and how far off it is."""
        return f"{tell_time(at, self.zone_of(zone))}, {tell_distance(at, self.now())}"

    def post(self, post: Post, zone: str | None = None) -> PostAnswer:
        """Return a post for an assistant: what it is, and in words where and when it goes out."""
        return PostAnswer(
            post_id=post.id,
            status=post.status,
            approval=post.approval,
            in_words=[self._target(target, zone) for target in post.targets],
            caption=post.caption,
            media_ids=post.media_ids,
            targets=post.targets,
        )

    def _target(self, target: Target, zone: str | None) -> str:
        place = f"{target.platform}:{target.handle}"
        match target.status:
            case "scheduled" if target.scheduled_at is not None:
                is_due = target.scheduled_at <= self.now()
                when = "is due; its time is" if is_due else "goes out on"
                return f"{place} {when} {self.tell(target.scheduled_at, zone)}."
            case "published" if target.published_at is not None:
                return f"{place} went out on {self.tell(target.published_at, zone)}: {target.url}"
            case "failed":
                return f"{place} failed: {target.error_message} ({target.error_code})"
            case "draft":
                return f"{place} is a draft; nothing goes out until it is scheduled."
            case status:
                return f"{place} is {status}."
