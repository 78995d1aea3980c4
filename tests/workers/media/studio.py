"""An engine room whose platforms can be looked into: which files they were given.

studio = a_studio(emulator, tmp_path)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.media.media import Media
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.kit.json_value import Json
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.prepared_files import Numbered

LONG = Numbered(seconds=210, fps=5, gop=10, size=(64, 48))
SMOOTH = Numbered(seconds=210, fps=23, gop=46, size=(64, 48))
"""As many pictures a second as Instagram asks for."""

IN_TIME = timedelta(hours=2)
TRIM: Mapping[str, Json] = {"trim": "start"}
PLATFORMS = (
    *(Platform.INSTAGRAM, Platform.TIKTOK, Platform.YOUTUBE, Platform.X, Platform.REDDIT),
    *(Platform.BLUESKY, Platform.FACEBOOK, Platform.LINKEDIN, Platform.PINTEREST, Platform.THREADS),
)


class Watched(SandboxConnector):
    """A sandbox that remembers the files it was given."""

    seen: list[tuple[MediaFile, bytes]]

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        media = publication.media
        if checkpoint.step == "upload" and media is not None:
            self.seen.append((media, b"".join(media.source.stream())))
        return super().advance(publication, checkpoint)


@dataclass(slots=True)
class Studio:
    """An engine room whose platforms can be looked into."""

    room: EngineRoom
    seen: dict[Platform, list[tuple[MediaFile, bytes]]] = field(default_factory=dict)

    @property
    def deployment(self) -> Deployment:
        return self.room.deployment

    def upload(self, data: bytes, name: str = "film.mp4") -> Media:
        return self.deployment.media.library.upload(self.room.caller, name, data)

    def post(self, media: Media, options: Mapping[Platform, Mapping[str, Json]]) -> Post:
        """Schedule a post with a file, with these options for each platform."""
        targets = tuple(
            NewTarget(
                account_id=self.room.account_id(platform),
                options={**_NEEDED.get(platform, {}), **more},
            )
            for platform, more in options.items()
        )
        draft = NewPost(caption="A film", media_ids=(media.id,), targets=targets)
        services, caller = self.deployment, self.room.caller
        post, _ = services.posting.drafts.create(caller, draft, idempotency_key=None)
        at = self.room.clock() + timedelta(hours=1)
        return services.posting.scheduling.schedule(caller, post.id, at=at)

    def outcomes(self, post: Post) -> list[tuple[str, str | None, bool]]:
        targets = self.room.post(post).targets
        return [(target.status.value, target.error_code, target.trimmed) for target in targets]

    def sent(self, platform: Platform) -> tuple[MediaFile, bytes]:
        """Return the one file a platform was given."""
        (one,) = self.seen[platform]
        return one

    def objects(self) -> list[str]:
        found = self.deployment.clients.s3.list_objects_v2(
            Bucket=self.deployment.settings.media_bucket, Prefix="prepared/"
        )
        return [one["Key"] for one in found.get("Contents", [])]


_NEEDED: Mapping[Platform, Mapping[str, Json]] = {
    Platform.TIKTOK: {"privacy_level": "SELF_ONLY"},
    Platform.YOUTUBE: {"title": "A film"},
    Platform.PINTEREST: {"board": "810000000000000001"},
    Platform.REDDIT: {"subreddit": "goldenhour_test"},
}


def a_studio(emulator: EmulatorProcess, folder: Path) -> Studio:
    """Return a studio of its own."""
    room = an_engine_room(emulator, folder, platforms=PLATFORMS)
    made = Studio(room)
    connectors = {}
    for platform in Platform:
        watched = Watched(platform, room.sandbox, "http://127.0.0.1:8000", wait=room.sleep)
        made.seen[platform] = watched.seen = []
        connectors[platform] = watched
    room.deployment.connectors = Connectors(sandbox=connectors, real={})
    return made
