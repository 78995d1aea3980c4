"""Tools that make, schedule and stop posts.

What makes something go out within the hour, and what cannot be taken back, is `Publishing`: those
tools exist only on a server that was started with --allow-publishing.
"""

from dataclasses import dataclass

from goldenhour.assistant.guard import NotAllowed
from goldenhour.assistant.workspace import Workspace
from goldenhour.errors import GoldenhourError
from goldenhour.http.writing import to_json
from goldenhour.models.posts import Post, TargetChange
from goldenhour.spoken.choosing import find_accounts, make_targets

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Drafting:
    """Tools that upload and write; nothing goes out by them."""

    workspace: Workspace

    def upload_file(self, path: str) -> Json:
        """Upload a photo or video from the folder that is open here; returns its media_id."""
        file = self.workspace.guard.find_file(path)
        media = self.workspace.client().media.upload(file)
        return {"media_id": media.id, "file": to_json(media)}

    def upload_from_address(self, url: str) -> Json:
        """Let the service fetch a photo or video from a public address; returns its media_id."""
        self.workspace.guard.require_address(url)
        media = self.workspace.client().media.upload_from_url(url, timeout_s=120)
        return {"media_id": media.id, "file": to_json(media)}

    def create_draft(
        self,
        accounts: list[str],
        caption: str = "",
        media_id: str | None = None,
        options: dict[str, dict[str, object]] | None = None,
    ) -> Json:
        """Make a draft; nothing goes out until it is scheduled.

        `accounts`: ids, platforms or platform:handle. `options`: by platform, for example
        {"pinterest": {"board": "123"}, "tiktok": {"privacy_level": "SELF_ONLY"}}; account_choices
        tells the values.
        """
        client = self.workspace.client()
        chosen = find_accounts(accounts, client.accounts.list().data)
        draft = client.posts.create(
            targets=make_targets(chosen, options or {}),
            caption=caption,
            media_ids=[] if media_id is None else [media_id],
        )
        return self.workspace.post(draft)

    def edit_draft(self, post_id: str, caption: str) -> Json:
        """Change the caption of a post that is still a draft on every account."""
        posts = self.workspace.client().posts
        post = posts.get(post_id)
        self.workspace.guard.require_untouched(post)
        return self.workspace.post(posts.edit(post_id, caption=caption, if_match=post.etag))


@dataclass(frozen=True, slots=True)
class Scheduling:
    """Tools that give a post its time: an hour ahead or more, unless publishing is allowed."""

    workspace: Workspace

    def schedule_post(self, post_id: str, at: str, zone: str | None = None) -> Json:
        """Schedule a draft at a time, such as "tomorrow 09:00" or "2026-12-01 09:00".

        `zone` is a name such as Europe/Paris. Tell the person the time that comes back in words.
        """
        moment = self.workspace.moment(at, zone)
        self.workspace.guard.require_notice(moment, self.workspace.now())
        posts = self.workspace.client().posts
        return self.workspace.post(posts.schedule(post_id, at=moment), zone)

    def queue_post(self, post_id: str, zone: str | None = None) -> Json:
        """Schedule a draft at the workspace's next free queue time."""
        client, guard = self.workspace.client(), self.workspace.guard
        next_free = client.times.queue_slots().next_free
        if next_free is not None:
            guard.require_notice(next_free, self.workspace.now())
        return self.workspace.post(self._with_notice(client.posts.queue(post_id)), zone)

    def reschedule_post(self, post_id: str, at: str, zone: str | None = None) -> Json:
        """Move everything of a post that is scheduled to another time."""
        moment = self.workspace.moment(at, zone)
        self.workspace.guard.require_notice(moment, self.workspace.now())
        posts = self.workspace.client().posts
        post = posts.get(post_id)
        scheduled = [each.id for each in post.targets if each.status == "scheduled"]
        if not scheduled:
            raise NotAllowed(f"Nothing of post {post_id} is scheduled. Use schedule_post.")
        changes = [TargetChange(id=each, scheduled_at=moment) for each in scheduled]
        return self.workspace.post(posts.edit(post_id, targets=changes, if_match=post.etag), zone)

    def cancel_post(self, post_id: str) -> Json:
        """Take back what is scheduled of a post. It can be scheduled again."""
        return self.workspace.post(self.workspace.client().posts.cancel(post_id))

    def _with_notice(self, post: Post) -> Post:
        """Return a post that was just queued; one that came too near meanwhile is cancelled."""
        try:
            if post.next_time is not None:
                self.workspace.guard.require_notice(post.next_time, self.workspace.now())
        except GoldenhourError:
            self.workspace.client().posts.cancel(post.id)
            raise
        return post


@dataclass(frozen=True, slots=True)
class Publishing:
    """Tools that exist only with --allow-publishing."""

    workspace: Workspace

    def publish_now(self, post_id: str) -> Json:
        """Send a post now, to every account where it is not live. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.publish_now(post_id))

    def retry_post(self, post_id: str) -> Json:
        """Send again, now, what failed of a post. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.retry(post_id))

    def unpublish(self, post_id: str, target_id: str) -> Json:
        """Delete one live post on its platform, for good. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.unpublish(post_id, target_id))

    def delete_post(self, post_id: str) -> Json:
        """Delete a post from the service; what is live stays live. Ask the person first."""
        self.workspace.client().posts.delete(post_id)
        return {"deleted": post_id}
