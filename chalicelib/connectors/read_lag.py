"""How far behind a call each platform's own readings may be, in one table.

A reading that does not show a post says something only when a call that was still under way would
have ended and what it made would be shown: `certain_from` is that time. Platforms document none of
these lags; where nothing is measured the number is a careful guess.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.connector import CALL_DEADLINE
from chalicelib.domain.outcome import Sent
from chalicelib.domain.platforms.platform import Platform

READ_LAG: Mapping[Platform, timedelta] = {
    Platform.X: timedelta(seconds=60),
    Platform.INSTAGRAM: timedelta(seconds=60),
    Platform.LINKEDIN: timedelta(seconds=60),
    Platform.FACEBOOK: timedelta(seconds=60),
    Platform.TIKTOK: timedelta(seconds=60),
    Platform.YOUTUBE: timedelta(seconds=0),  # asked of the upload's own session
    Platform.THREADS: timedelta(seconds=60),
    Platform.PINTEREST: timedelta(minutes=30),
    Platform.BLUESKY: timedelta(0),  # asked for our own key, under which writing twice is harmless
    Platform.REDDIT: timedelta(minutes=1),
    Platform.GOOGLE_BUSINESS_PROFILE: timedelta(seconds=150),
}


def certain_from(
    platform: Platform,
    sent: Sent,
    *,
    call_lasts: timedelta = CALL_DEADLINE,
    lag: timedelta | None = None,
) -> datetime:
    """Return from when on a reading would show what was sent.

    `call_lasts` and `lag` are for calls and readings that differ from the platform's usual ones.
    """
    return sent.begun_by + call_lasts + (READ_LAG[platform] if lag is None else lag)
