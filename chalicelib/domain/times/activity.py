"""How busy each platform is, hour by hour on its audience's clock: what golden hours rest on.

A curve has one number for each local hour, 100 at the best. What the source above a curve names is
a reading: such hours stand by the number of days it names them for. All other hours are our
interpolation, down to the lull of the night; weekdays are not told apart. Where no study was found
the comment says so. A curve measured on a workspace's own posts would take the place of one here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from chalicelib.domain.platforms.platform import Platform

Curve = tuple[int, ...]
"""Relative activity in the local hours 0 to 23."""

# Sprout Social 2023, 34,000 customers: Mon 10-12, Tue 9-13, Wed 10-13, Fri 9-11.
# https://www.socialmediatoday.com/news/report-best-times-to-post-social-platforms-twitter-instagram-tiktok-facebook-pintrist-linkedin/650006/
# fmt: off
_INSTAGRAM: Curve = (
    20, 12, 8, 6, 8, 15, 30, 48, 65, 80, 100, 90,
    80, 68, 64, 62, 62, 64, 66, 68, 66, 58, 46, 32,
)

# Sprout Social 2023: Tue 14-18, Wed 14-17, Thu 15-17; 2024: Tue 16-18, Wed 9-11, 12 and 14-18,
# Thu 9-11 and 14-18, Fri 16-18; 2025: Tue 17, Wed 14-17, Thu 15-17. The days of all three add up.
# https://sproutsocial.com/insights/?p=172822 (the list of 2025)
_TIKTOK: Curve = (
    34, 22, 14, 10, 10, 16, 28, 44, 58, 70, 70, 67,
    70, 75, 82, 91, 100, 86, 80, 78, 76, 70, 60, 46,
)

# An analysis of a million videos: Mon, Wed and Thu 16, weekdays 15-17, much from 12 to 15 and
# from 19 to 22, least from 3 to 5. Read in a retelling, not at its source.
# https://crosspostify.com/blog/best-time-to-post/youtube-shorts
_YOUTUBE: Curve = (
    36, 24, 16, 8, 6, 10, 20, 40, 46, 52, 58, 66,
    75, 76, 80, 90, 100, 88, 80, 80, 80, 78, 62, 48,
)

# Sprout Social 2023: Tue and Wed 10-12; 2021: Tue to Thu 9-12. Hootsuite 2021: Tue and Wed 9,
# which is why 10 stands before 11.
# https://www.odwyerpr.com/story/public/19714/2023-06-07/midweek-afternoons-best-post-time-for-tiktok.html
_LINKEDIN: Curve = (
    8, 5, 4, 4, 6, 14, 30, 52, 70, 85, 100, 95,
    82, 72, 66, 62, 60, 56, 44, 36, 30, 24, 18, 12,
)

# Sprout Social, October 2025: Mon 9-20, Tue 11-17, Wed to Fri 10-17, Sat 11-14, Sun 14-18; 2023:
# Tue and Thu 9-14, Wed 9-13, Fri 9-12. The days of both add up.
# https://sproutsocial.com/best-times-to-post/twitter-travel-and-tourism
_X: Curve = (
    24, 16, 10, 8, 10, 18, 34, 52, 64, 75, 90, 100,
    95, 90, 80, 80, 80, 70, 67, 65, 60, 54, 44, 34,
)

# Sprout Social 2025, 600,000 profiles: Mon and Tue 9-12, Wed 8-11 and 15-17, Thu 8-12, Fri and
# Sat 9-10, Sun 8-13. Buffer's 14 million posts agree: Thu 9.
# https://sproutsocial.com/insights/?p=159401
_FACEBOOK: Curve = (
    16, 10, 8, 6, 8, 18, 36, 58, 76, 100, 88, 82,
    70, 66, 64, 66, 66, 62, 60, 60, 58, 50, 38, 26,
)

# No study found. The mean of Instagram, whose accounts it shares, and X, which it is like.
_THREADS: Curve = (
    23, 15, 9, 7, 9, 17, 34, 53, 68, 82, 100, 100,
    92, 83, 76, 75, 75, 71, 70, 70, 66, 59, 47, 35,
)

# HubSpot's infographic of 2016 over studies of others: evenings, 20-23, most at 21; also 14-16.
# Sprout Social 2023 agrees only that afternoons are better than mornings.
# https://bluedogmarketing.blogspot.com/2016/04/the-best-times-to-post-on-social-media.html
_PINTEREST: Curve = (
    44, 28, 20, 16, 12, 14, 22, 34, 44, 52, 58, 62,
    66, 70, 75, 76, 70, 68, 72, 82, 93, 100, 90, 66,
)

# No study with a method found, only what two makers of tools say: 8-10 and 12-13 (mediafa.st),
# 9-11, 12-14 and 16-18 (theblue.social, July 2025).
_BLUESKY: Curve = (
    22, 14, 9, 7, 10, 20, 40, 65, 85, 100, 88, 86,
    95, 85, 74, 72, 75, 75, 68, 66, 64, 56, 44, 32,
)

# Candocia 2017, scores in six subreddits: 6-8, US Central. Stanford 2013 (132,000 posts, ICWSM):
# 8-16 UTC, which is 2-10 there. Both look at when successful posts were sent, not at readers.
# https://maxcandocia.com/article/2017/Jul/29/what-time-to-post-to-reddit/
_REDDIT: Curve = (
    22, 20, 28, 40, 55, 76, 94, 100, 92, 82, 70, 62,
    58, 56, 55, 52, 50, 50, 50, 50, 48, 44, 36, 28,
)

# No study of its posts found. Chitika's of local searches: most from 10 to 13 with the peak at
# 11, less in the afternoon, a drop at 17, next to nothing from 23 to 8.
# https://www.castleford.com.au/content-marketing-blog/local-searches-peak-from-lunchtime-missions/
_GOOGLE_BUSINESS_PROFILE: Curve = (
    3, 2, 2, 2, 2, 3, 6, 10, 24, 55, 86, 100,
    90, 62, 54, 52, 50, 36, 28, 22, 16, 11, 7, 4,
)
# fmt: on

ACTIVITY: Mapping[Platform, Curve] = MappingProxyType(
    {
        Platform.INSTAGRAM: _INSTAGRAM,
        Platform.TIKTOK: _TIKTOK,
        Platform.YOUTUBE: _YOUTUBE,
        Platform.LINKEDIN: _LINKEDIN,
        Platform.X: _X,
        Platform.FACEBOOK: _FACEBOOK,
        Platform.THREADS: _THREADS,
        Platform.PINTEREST: _PINTEREST,
        Platform.BLUESKY: _BLUESKY,
        Platform.REDDIT: _REDDIT,
        Platform.GOOGLE_BUSINESS_PROFILE: _GOOGLE_BUSINESS_PROFILE,
    }
)
"""The curve of each platform."""
