"""Tools that schedule, stop and send posts.

What makes something go out within the hour, and what cannot be taken back, is `Publishing`: those
tools exist only on a server that was started with --allow-publishing.
"""

from dataclasses import dataclass

from goldenhour.assistant import parameters
from goldenhour.assistant.answers import DeletedAnswer, PostAnswer
from goldenhour.assistant.guard import STILL_DRAFTS, NotAllowed
from goldenhour.assistant.workspace import Workspace
from goldenhour.errors import GoldenhourError
from goldenhour.models.options import GOLDEN_PLATFORMS
from goldenhour.models.posts import Post, TargetChange


@dataclass(frozen=True, slots=True)
class Scheduling:
    """Tools that give a post its time: an hour ahead or more, unless publishing is allowed."""

    workspace: Workspace

    def schedule_post(
        self, post_id: parameters.PostId, at: parameters.At, zone: parameters.Zone = None
    ) -> PostAnswer:
        """Schedule a draft at a time. Tell the person the time that comes back in words."""
        moment = self.workspace.moment(at, zone)
        self.workspace.guard.require_notice(moment, self.workspace.now())
        posts = self.workspace.client().posts
        return self.workspace.post(posts.schedule(post_id, at=moment), zone)

    def schedule_at_golden_hour(
        self, post_id: parameters.PostId, zone: parameters.Zone = None
    ) -> PostAnswer:
        """Schedule a draft when its audience is most active: each account at its golden hour.

        An account that has a time of its own keeps it. Tell the person the times that come back.
        """
        posts = self.workspace.client().posts
        if not self.workspace.guard.may_publish:
            self._require_golden_notice(posts.get(post_id))
        return self.workspace.post(self._with_notice(posts.schedule(post_id)), zone)

    def queue_post(self, post_id: parameters.PostId, zone: parameters.Zone = None) -> PostAnswer:
        """Schedule a draft at the workspace's next free queue time."""
        client, guard = self.workspace.client(), self.workspace.guard
        next_free = client.times.queue_slots().next_free
        if next_free is not None:
            guard.require_notice(next_free, self.workspace.now())
        return self.workspace.post(self._with_notice(client.posts.queue(post_id)), zone)

    def reschedule_post(
        self, post_id: parameters.PostId, at: parameters.At, zone: parameters.Zone = None
    ) -> PostAnswer:
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

    def cancel_post(self, post_id: parameters.PostId) -> PostAnswer:
        """Take back what is scheduled of a post. It can be scheduled again."""
        return self.workspace.post(self.workspace.client().posts.cancel(post_id))

    def _require_golden_notice(self, post: Post) -> None:
        """Raise NotAllowed unless every golden hour is known and an hour away or more."""
        guard, now = self.workspace.guard, self.workspace.now()
        wanted = [each for each in post.targets if each.status in STILL_DRAFTS]
        own = [
            each.scheduled_at for each in wanted if each.scheduled_at and each.scheduled_at > now
        ]
        platforms = {each.platform for each in wanted}
        if unknown := sorted(platforms - GOLDEN_PLATFORMS):
            raise NotAllowed(
                f"The golden hour of {unknown[0]} is not told beforehand, and this server was"
                " started without --allow-publishing. Choose a time and use schedule_post."
            )
        hours = self.workspace.client().times.golden_hours(sorted(platforms)).platforms
        for at in (*own, *(hour.at for hour in hours.values())):
            guard.require_notice(at, now)

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

    def publish_now(self, post_id: parameters.PostId) -> PostAnswer:
        """Send a post now, to every account where it is not live. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.publish_now(post_id))

    def retry_post(self, post_id: parameters.PostId) -> PostAnswer:
        """Send again, now, what failed of a post. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.retry(post_id))

    def unpublish(self, post_id: parameters.PostId, target_id: parameters.TargetId) -> PostAnswer:
        """Delete one live post on its platform, for good. Ask the person first."""
        return self.workspace.post(self.workspace.client().posts.unpublish(post_id, target_id))

    def delete_post(self, post_id: parameters.PostId) -> DeletedAnswer:
        """Delete a post from the service; what is live stays live. Ask the person first."""
        self.workspace.client().posts.delete(post_id)
        return DeletedAnswer(deleted=post_id)
