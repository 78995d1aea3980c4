"""A rig of each of the eleven platforms, for what every connector must do."""

from collections.abc import Callable, Mapping

from chalicelib.domain.platforms.platform import Platform
from tests.connectors.bluesky.rig import a_rig as a_bluesky_rig
from tests.connectors.facebook.rig import a_rig as a_facebook_rig
from tests.connectors.google_business_profile.rig import a_rig as a_google_rig
from tests.connectors.instagram.rig import a_rig as an_instagram_rig
from tests.connectors.linkedin.fake import PAGE
from tests.connectors.linkedin.rig import a_rig as a_linkedin_rig
from tests.connectors.pinterest.rig import a_rig as a_pinterest_rig
from tests.connectors.reddit.rig import a_rig as a_reddit_rig
from tests.connectors.support.rig import Rig
from tests.connectors.threads.rig import a_rig as a_threads_rig
from tests.connectors.tiktok.rig import a_rig as a_tiktok_rig
from tests.connectors.x.rig import a_rig as an_x_rig
from tests.connectors.youtube.rig import a_rig as a_youtube_rig

RIGS: Mapping[Platform, Callable[[], Rig]] = {
    Platform.INSTAGRAM: an_instagram_rig,
    Platform.TIKTOK: lambda: a_tiktok_rig("video", "photo"),
    Platform.YOUTUBE: a_youtube_rig,
    Platform.LINKEDIN: lambda: a_linkedin_rig(PAGE),
    Platform.X: an_x_rig,
    Platform.FACEBOOK: a_facebook_rig,
    Platform.THREADS: a_threads_rig,
    Platform.PINTEREST: a_pinterest_rig,
    Platform.BLUESKY: a_bluesky_rig,
    Platform.REDDIT: a_reddit_rig,
    Platform.GOOGLE_BUSINESS_PROFILE: a_google_rig,
}


def a_rig_for(platform: Platform, shape: str) -> Rig:
    """Return a rig that has the shape; Facebook's videos go another way with a rig of their own."""
    if platform is Platform.FACEBOOK and shape in ("video", "film"):
        return a_facebook_rig(videos=True)
    return RIGS[platform]()
